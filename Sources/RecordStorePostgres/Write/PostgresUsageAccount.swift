import PostgreSQLSupport
import RecordStore
import Records

/// The usage of each zone, which is stored in its row, and of each person in each zone. Sums saturate, so
/// they are computed here and not by the engine.
struct PostgresUsageAccount {
    let session: PostgresSession

    /// The usage of all zones.
    func usage() throws -> StoreUsage {
        try sum(
            of: session.rows(
                "SELECT record_count, record_bytes, asset_bytes FROM zone WHERE database = $1"))
    }

    /// The usage of a person in all zones.
    func usage(of person: String) throws -> StoreUsage {
        try sum(
            of: session.rows(
                """
                SELECT record_count, record_bytes, asset_bytes
                FROM person_usage
                WHERE database = $1 AND person = $2
                """,
                .text(person)))
    }

    /// The usage of each of these zones that exists, by its name.
    func usage(ofZones names: [String]) throws -> [String: StoreUsage] {
        let rows = try session.rows(
            """
            SELECT name, record_count, record_bytes, asset_bytes
            FROM zone
            WHERE database = $1 AND name = ANY ($2)
            """,
            .texts(names))
        return rows.reduce(into: [:]) { usages, row in usages[row.text(0)] = row.usage(from: 1) }
    }

    /// The people whose records in a zone take up most. The index person_usage_by_size has their order.
    func creators(inZone name: String, after last: CreatorUsage?, limit: Int) throws -> [CreatorUsage] {
        let rows = try session.rows(
            """
            SELECT person, record_count, record_bytes, asset_bytes
            FROM person_usage
            WHERE database = $1 AND zone = (SELECT id FROM zone WHERE database = $1 AND name = $2)
                AND record_bytes::numeric + asset_bytes <= $3
                AND (record_bytes::numeric + asset_bytes < $3 OR person > $4)
            ORDER BY record_bytes::numeric + asset_bytes DESC, person
            LIMIT $5
            """,
            .text(name), .integer(last?.usage.total ?? .max), .text(last?.person ?? ""), .count(limit))
        return rows.map { CreatorUsage(person: $0.text(0), usage: $0.usage(from: 1)) }
    }

    private func sum(of rows: PostgresRows) -> StoreUsage {
        rows.reduce(StoreUsage()) { sum, row in sum + row.usage(from: 0) }
    }

    /// Stores the number of a zone's last change, and adds to its usage and to that of people in it. A person
    /// without records there has no row.
    func add(
        _ growth: StoreUsage, _ personGrowth: [String: StoreUsage], to zone: Int64, sequence: Int64
    ) throws {
        let changes = personGrowth.filter { $0.value != StoreUsage() }
        let ofZone = try session.ask(
            "SELECT record_count, record_bytes, asset_bytes FROM zone WHERE database = $1 AND id = $2",
            .integer(zone))
        let ofPeople = try session.ask(
            "SELECT u.person, u.record_count, u.record_bytes, u.asset_bytes FROM \(Self.named)",
            .integer(zone), .texts(Array(changes.keys)))
        let usage = sum(of: try ofZone.rows()) + growth
        try session.run(
            """
            UPDATE zone
            SET sequence = $3, record_count = $4, record_bytes = $5, asset_bytes = $6
            WHERE database = $1 AND id = $2
            """,
            .integer(zone), .integer(sequence), .integer(usage.records), .integer(usage.recordBytes),
            .integer(usage.assetBytes))
        var usages = changes
        for row in try ofPeople.rows() { usages[row.text(0), default: StoreUsage()] += row.usage(from: 1) }
        try set(usages, in: zone)
    }

    /// The rows `u` of the people `$3` in the zone `$2`, each found by the primary key. The inequalities and
    /// `ORDER BY` keep the engine from walking through the index of sizes; see `PostgresRecordReader.named`.
    static let named = """
        unnest($3::text[]) AS wanted (person)
        JOIN LATERAL (
            SELECT *, ctid AS place
            FROM person_usage
            WHERE database = $1 AND person >= wanted.person AND person <= wanted.person AND zone = $2
            ORDER BY person
            LIMIT 1
        ) AS u ON TRUE
        """

    /// Stores the usage of people in a zone.
    private func set(_ usages: [String: StoreUsage], in zone: Int64) throws {
        let having = usages.filter { $0.value.recordBytes != 0 }
        if having.count < usages.count {
            let lacking = usages.keys.filter { having[$0] == nil }
            try session.run(
                """
                DELETE FROM person_usage
                WHERE database = $1 AND ctid = ANY (ARRAY(SELECT u.place FROM \(Self.named)))
                """,
                .integer(zone), .texts(lacking))
        }
        if having.isEmpty { return }
        // Writers of one database follow each other, so the order of the rows does not matter.
        let people = Array(having)
        try session.run(
            """
            INSERT INTO person_usage (zone, person, database, record_count, record_bytes, asset_bytes)
            SELECT $2, u.person, $1, u.records, u.bytes, u.files
            FROM unnest($3::text[], $4::bigint[], $5::bigint[], $6::bigint[])
                AS u (person, records, bytes, files)
            ON CONFLICT (database, person, zone) DO UPDATE
            SET record_count = excluded.record_count, record_bytes = excluded.record_bytes,
                asset_bytes = excluded.asset_bytes
            """,
            .integer(zone), .texts(people.map(\.key)), .integers(people.map(\.value.records)),
            .integers(people.map(\.value.recordBytes)), .integers(people.map(\.value.assetBytes)))
    }
}

extension PostgresRow {
    /// The usage in three columns: the number of records, their bytes, and the bytes of files.
    func usage(from column: Int32) -> StoreUsage {
        StoreUsage(
            records: integer(column), recordBytes: integer(column + 1), assetBytes: integer(column + 2))
    }
}
