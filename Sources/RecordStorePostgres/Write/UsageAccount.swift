import PostgreSQLSupport
import RecordStore
import Records

/// The usage of each zone, which is stored in its row, and of each person in each zone. Sums saturate, so
/// they are computed here and not by the engine.
struct UsageAccount {
    let session: PostgresSession

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

    /// Stores the number of a zone's last change, and adds to its usage and to that of people in it. A person
    /// without records there has no row.
    func add(
        _ growth: StoreUsage, _ personGrowth: [String: StoreUsage], to zone: Int64, sequence: Int64
    ) throws {
        let ofZone = try session.ask(
            "SELECT record_bytes, asset_bytes FROM zone WHERE database = $1 AND id = $2", .integer(zone))
        let ofPeople = try personGrowth.filter { $0.value != StoreUsage() }.map { person, change in
            let rows = try session.ask(
                """
                SELECT record_bytes, asset_bytes
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
            SET sequence = $3, record_bytes = $4, asset_bytes = $5
            WHERE database = $1 AND id = $2
            """,
            .integer(zone), .integer(sequence), .integer(usage.recordBytes), .integer(usage.assetBytes))
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
            INSERT INTO person_usage (database, person, zone, record_bytes, asset_bytes)
            VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (database, person, zone) DO UPDATE
            SET record_bytes = excluded.record_bytes, asset_bytes = excluded.asset_bytes
            """,
            .text(person), .integer(zone), .integer(usage.recordBytes), .integer(usage.assetBytes))
    }
}
