import RecordStore
import Records

/// The usage of each zone, which is stored in its row, and of each person in each zone. Sums saturate, so
/// they are computed here and not by the engine.
struct UsageAccount {
    let session: Session

    /// The usage of all zones.
    func usage() throws -> StoreUsage {
        try sum(of: session.rows("SELECT record_bytes, asset_bytes FROM zone WHERE database = $1"))
    }

    /// The usage of a person in all zones.
    func usage(of person: String) throws -> StoreUsage {
        try sum(
            of: session.rows(
                "SELECT record_bytes, asset_bytes FROM person_usage WHERE database = $1 AND person = $2",
                .text(person)))
    }

    /// The usage of each of these zones that exists, by its name.
    func usage(ofZones names: [String]) throws -> [String: StoreUsage] {
        let rows = try session.rows(
            "SELECT name, record_bytes, asset_bytes FROM zone WHERE database = $1 AND name = ANY ($2)",
            .texts(names))
        return rows.reduce(into: [:]) { usages, row in
            usages[row.text(0)] = StoreUsage(recordBytes: row.integer(1), assetBytes: row.integer(2))
        }
    }

    private func sum(of rows: PostgresRows) -> StoreUsage {
        rows.reduce(StoreUsage()) { sum, row in
            sum + StoreUsage(recordBytes: row.integer(0), assetBytes: row.integer(1))
        }
    }

    /// Stores the number of a zone's last change, and adds to its usage.
    func add(_ growth: StoreUsage, to zone: Int64, sequence: Int64) throws {
        let rows = try session.rows(
            "SELECT record_bytes, asset_bytes FROM zone WHERE database = $1 AND id = $2", .integer(zone))
        let usage = sum(of: rows) + growth
        try session.run(
            """
            UPDATE zone
            SET sequence = $3, record_bytes = $4, asset_bytes = $5
            WHERE database = $1 AND id = $2
            """,
            .integer(zone), .integer(sequence), .integer(usage.recordBytes), .integer(usage.assetBytes))
    }

    /// Adds changes of the usage of people in a zone. A person without records there has no row.
    func add(_ growth: [String: StoreUsage], to zone: Int64) throws {
        for (person, change) in growth where change != StoreUsage() {
            let rows = try session.rows(
                """
                SELECT record_bytes, asset_bytes
                FROM person_usage
                WHERE database = $1 AND person = $2 AND zone = $3
                """,
                .text(person), .integer(zone))
            let usage = sum(of: rows) + change
            if usage.recordBytes == 0 {
                try session.run(
                    "DELETE FROM person_usage WHERE database = $1 AND person = $2 AND zone = $3",
                    .text(person), .integer(zone))
                continue
            }
            try session.run(
                """
                INSERT INTO person_usage (database, person, zone, record_bytes, asset_bytes)
                VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (database, person, zone) DO UPDATE
                SET record_bytes = excluded.record_bytes, asset_bytes = excluded.asset_bytes
                """,
                .text(person), .integer(zone), .integer(usage.recordBytes), .integer(usage.assetBytes))
        }
    }
}
