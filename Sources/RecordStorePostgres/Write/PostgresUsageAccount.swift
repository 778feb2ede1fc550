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
        let ofZone = try session.ask(
            "SELECT record_count, record_bytes, asset_bytes FROM zone WHERE database = $1 AND id = $2",
            .integer(zone))
        let ofPeople = try personGrowth.filter { $0.value != StoreUsage() }.map { person, change in
            let rows = try session.ask(
                """
                SELECT record_count, record_bytes, asset_bytes
                FROM person_usage
                WHERE database = $1 AND person = $2 AND zone = $3
                """,
                .text(person), .integer(zone))
            return (person, change, rows)
        }
        let usage = sum(of: try ofZone.rows()) + growth
        try session.run(
            """
            UPDATE zone
            SET sequence = $3, record_count = $4, record_bytes = $5, asset_bytes = $6
            WHERE database = $1 AND id = $2
            """,
            .integer(zone), .integer(sequence), .integer(usage.records), .integer(usage.recordBytes),
            .integer(usage.assetBytes))
        for (person, change, rows) in ofPeople {
            try set(sum(of: try rows.rows()) + change, of: person, in: zone)
        }
    }

    private func set(_ usage: StoreUsage, of person: String, in zone: Int64) throws {
        if usage.recordBytes == 0 {
            return try session.run(
                "DELETE FROM person_usage WHERE database = $1 AND person = $2 AND zone = $3",
                .text(person), .integer(zone))
        }
        try session.run(
            """
            INSERT INTO person_usage (database, person, zone, record_count, record_bytes, asset_bytes)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (database, person, zone) DO UPDATE
            SET record_count = excluded.record_count, record_bytes = excluded.record_bytes,
                asset_bytes = excluded.asset_bytes
            """,
            .text(person), .integer(zone), .integer(usage.records), .integer(usage.recordBytes),
            .integer(usage.assetBytes))
    }
}

extension PostgresRow {
    /// The usage in three columns: the number of records, their bytes, and the bytes of files.
    func usage(from column: Int32) -> StoreUsage {
        StoreUsage(
            records: integer(column), recordBytes: integer(column + 1), assetBytes: integer(column + 2))
    }
}
