import PostgreSQLSupport
import RecordStore
import Records

/// Writes and removes the entries of records, with one statement for each table.
struct PostgresEntryWriter {
    let session: PostgresSession

    func insert(_ entries: PostgresEntryRows, record: Int64, zone: Int64) throws {
        if !entries.integers.isEmpty {
            try session.run(
                """
                INSERT INTO entry_integer (database, zone, record, field, value)
                SELECT $1, $2, $3, e.field, e.value
                FROM unnest($4::bigint[], $5::bigint[]) AS e (field, value)
                """,
                .integer(zone), .integer(record), .integers(entries.integers.map(\.field)),
                .integers(entries.integers.map(\.value)))
        }
        if !entries.reals.isEmpty {
            try session.run(
                """
                INSERT INTO entry_real (database, zone, record, field, value)
                SELECT $1, $2, $3, e.field, e.value
                FROM unnest($4::bigint[], $5::double precision[]) AS e (field, value)
                """,
                .integer(zone), .integer(record), .integers(entries.reals.map(\.field)),
                .reals(entries.reals.map(\.value)))
        }
        if !entries.bytes.isEmpty {
            try session.run(
                """
                INSERT INTO entry_bytes (database, zone, record, field, head, rest)
                SELECT $1, $2, $3, e.field, substring(e.value FOR \(PostgresEntryRows.headBytes)),
                    substring(e.value FROM \(PostgresEntryRows.headBytes + 1))
                FROM unnest($4::bigint[], $5::bytea[]) AS e (field, value)
                """,
                .integer(zone), .integer(record), .integers(entries.bytes.map(\.field)),
                .byteStrings(entries.bytes.map(\.value)))
        }
        if !entries.places.isEmpty {
            try session.run(
                """
                INSERT INTO entry_place (database, zone, record, field, latitude, longitude)
                SELECT $1, $2, $3, e.field, e.latitude, e.longitude
                FROM unnest($4::bigint[], $5::double precision[], $6::double precision[])
                    AS e (field, latitude, longitude)
                """,
                .integer(zone), .integer(record), .integers(entries.places.map(\.field)),
                .reals(entries.places.map(\.place.latitude)), .reals(entries.places.map(\.place.longitude)))
        }
    }

    /// Replaces the entries of those fields that a change of the record concerns.
    func update(_ old: PostgresEntryRows, to new: PostgresEntryRows, record: Int64, zone: Int64) throws {
        if old == new { return }
        try delete(old, record: record)
        try insert(new, record: record, zone: zone)
    }

    func delete(_ entries: PostgresEntryRows, record: Int64) throws {
        try delete(from: "entry_integer", entries.integers.map(\.field), record)
        try delete(from: "entry_real", entries.reals.map(\.field), record)
        try delete(from: "entry_bytes", entries.bytes.map(\.field), record)
        try delete(from: "entry_place", entries.places.map(\.field), record)
    }

    private func delete(from table: String, _ fields: [Int64], _ record: Int64) throws {
        if fields.isEmpty { return }
        try session.run(
            "DELETE FROM \(table) WHERE database = $1 AND record = $2 AND field = ANY ($3)",
            .integer(record), .integers(Array(Set(fields))))
    }

    /// Notes all records of a type as lacking a field.
    func noteAllLacking(_ field: PostgresCatalogField, of type: PostgresCatalogType) throws {
        try session.run(
            """
            INSERT INTO entry_integer (database, zone, field, record, value)
            SELECT $1, zone, $3, id, 0
            FROM record
            WHERE database = $1 AND type = $2 AND fields IS NOT NULL
            """,
            .integer(type.id), .integer(field.other))
    }

    /// Removes all entries of a field. They are found zone by zone, because every index has the zone first.
    func deleteAll(of field: PostgresCatalogField) throws {
        for table in Self.tables {
            try session.run(
                """
                DELETE FROM \(table)
                WHERE database = $1 AND field IN ($2, $3)
                    AND zone IN (SELECT id FROM zone WHERE database = $1)
                """,
                .integer(field.id), .integer(field.other))
        }
    }

    func deleteAll(ofZone zone: Int64) throws {
        for table in Self.tables {
            try session.run("DELETE FROM \(table) WHERE database = $1 AND zone = $2", .integer(zone))
        }
    }

    static let tables = ["entry_integer", "entry_real", "entry_bytes", "entry_place"]
}
