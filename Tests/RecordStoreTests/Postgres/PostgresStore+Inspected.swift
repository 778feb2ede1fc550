import RecordStore
import RecordStorePostgres
import Records

extension PostgresStore: InspectedStore {
    /// Rows that belong to no live record, and sums that are wrong.
    func faults() async throws -> [String] {
        let engine = try PostgresKind.engine.get()
        var faults: [String] = []
        let tables = [
            ("entry_integer", "record"), ("entry_real", "record"), ("entry_bytes", "record"),
            ("entry_place", "record"), ("asset_owner", "record"), ("binding", "source"),
        ]
        for (table, column) in tables {
            faults += try await engine.texts(
                """
                SELECT '\(table) names no live record: ' || t.\(column)
                FROM \(table) t
                WHERE NOT EXISTS (
                    SELECT 1
                    FROM record r
                    WHERE r.database = t.database AND r.id = t.\(column) AND r.fields IS NOT NULL
                )
                """,
                in: number)
        }
        faults += try await engine.texts(
            """
            SELECT 'zone ' || z.name || ' counts ' || z.record_count || ' records with ' || z.record_bytes
                || ' bytes, and has ' || s.number || ' with ' || s.bytes
            FROM zone z, LATERAL (
                SELECT COUNT(*) AS number,
                    COALESCE(SUM(
                        octet_length(r.name) + octet_length(r.fields) + \(StoreUsage.bytesPerRecord)
                    ), 0) AS bytes
                FROM record r
                WHERE r.database = z.database AND r.zone = z.id AND r.fields IS NOT NULL
            ) s
            WHERE z.record_bytes < s.bytes OR z.record_count <> s.number
                -- The terms of a share count, too.
                OR (z.record_bytes > s.bytes AND NOT EXISTS (
                    SELECT 1 FROM share WHERE share.database = z.database AND share.zone = z.id
                ))
            """,
            in: number)
        faults += try await engine.texts(
            """
            SELECT 'zone ' || z.name || ' counts other records or bytes than its people'
            FROM zone z, LATERAL (
                SELECT COALESCE(SUM(p.record_count), 0) AS number,
                    COALESCE(SUM(p.record_bytes), 0) AS records, COALESCE(SUM(p.asset_bytes), 0) AS assets
                FROM person_usage p
                WHERE p.database = z.database AND p.zone = z.id
            ) s
            WHERE z.record_count <> s.number OR z.record_bytes <> s.records OR z.asset_bytes <> s.assets
            """,
            in: number)
        faults += try await engine.texts(
            """
            SELECT 'a record has a number beyond the last: ' || r.name
            FROM record r
            JOIN zone z ON z.database = r.database AND z.id = r.zone
            JOIN database d ON d.id = r.database
            WHERE r.sequence > z.sequence OR z.sequence > d.sequence
            """,
            in: number)
        return faults
    }

    func indexNames() async throws -> [String] {
        try await PostgresKind.engine.get()
            .texts("SELECT name FROM record_field WHERE indexes <> 0", in: number)
    }

    func scansType(_ plan: QueryPlan) async throws -> Bool {
        try await explain(plan).contains { $0.contains("Seq Scan on record") }
    }
}
