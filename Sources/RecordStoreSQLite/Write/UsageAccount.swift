import GRDB
import RecordStore
import Records

/// The usage of each zone, which is stored in its row.
struct UsageAccount {
    let database: Database

    func usage(of zone: Int64) throws -> StoreUsage {
        var row = try SQL(database, "SELECT record_bytes, asset_bytes FROM zone WHERE id = ?")
        row.bind(zone)
        defer { row.reset() }
        guard try row.step() else { return StoreUsage() }
        return StoreUsage(recordBytes: row.integer(0), assetBytes: row.integer(1))
    }

    /// Returns the usage of all zones together. Counts the zones that have no usage yet, because the file is
    /// from an older version.
    func usageOfAllZones(codec: any FieldCodec) throws -> StoreUsage {
        let uncounted = try Int64.fetchAll(
            database, sql: "SELECT id FROM zone WHERE record_bytes IS NULL OR asset_bytes IS NULL")
        for zone in uncounted {
            let usage = try counted(zone, codec)
            try database.execute(
                sql: "UPDATE zone SET record_bytes = ?, asset_bytes = ? WHERE id = ?",
                arguments: [usage.recordBytes, usage.assetBytes, zone]
            )
        }
        let row = try Row.fetchOne(
            database, sql: "SELECT SUM(record_bytes) AS records, SUM(asset_bytes) AS assets FROM zone")
        return StoreUsage(recordBytes: row?["records"] ?? 0, assetBytes: row?["assets"] ?? 0)
    }

    /// Counts the usage of a zone from its records.
    private func counted(_ zone: Int64, _ codec: any FieldCodec) throws -> StoreUsage {
        let bytes = try Int64.fetchOne(
            database,
            sql: """
                SELECT SUM(LENGTH(CAST(name AS BLOB)) + LENGTH(fields))
                FROM record
                WHERE zone = ? AND fields IS NOT NULL
                """,
            arguments: [zone]
        )
        var usage = StoreUsage(recordBytes: bytes ?? 0)
        var rows = try SQL(
            database,
            """
            SELECT \(RecordRow.columns)
            FROM record r
            WHERE r.zone = ? AND record_assets(r.head) IS NOT NULL
            """
        )
        rows.bind(zone)
        while try rows.step() {
            let stored = RecordRow.record(rows, zone: "", type: "")
            let record = WrittenRecord(stored: stored, fields: try codec.decode(stored.fields), ordinal: 0)
            usage.assetBytes += record.usage.assetBytes
        }
        return usage
    }

    /// Returns a line for each zone whose stored usage differs from that of its records.
    func miscounts(codec: any FieldCodec) throws -> [String] {
        try Row.fetchAll(database, sql: "SELECT id, name FROM zone ORDER BY id").compactMap { row in
            let kept = try usage(of: row["id"])
            let counted = try counted(row["id"], codec)
            if kept == counted { return nil }
            let name: String = row["name"]
            return "zone \(name) is said to take up \(kept.total) bytes, its records take \(counted.total)"
        }
    }
}
