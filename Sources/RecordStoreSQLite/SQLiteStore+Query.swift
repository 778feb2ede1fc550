// Owns the store's answers to queries.

import GRDB
package import RecordStore
import Records

extension SQLiteStore {
    package func query(_ plan: QueryPlan) async throws -> QueryPage {
        let state = writer.committed
        if let zone = plan.zone, state.zones[zone] == nil { throw RecordError.zoneNotFound(zone) }
        guard let type = state.catalog.types[plan.recordType] else { return QueryPage(records: [], cursor: nil) }
        return try await read { database in
            var query = QuerySQL(
                plan: plan, type: type, zone: plan.zone.flatMap { state.zones[$0] },
                times: TimeIndex(database: database, end: state.sequence)
            )
            for ring in Self.rings(for: plan) {
                query.ring = ring
                let page = try Self.page(of: query, state, database)
                if ring == nil || page.cursor != nil { return page }
            }
            return QueryPage(records: [], cursor: nil)
        }
    }

    /// Radii to try in turn for an order by distance, so that the spatial index answers for near places; the last
    /// attempt has no bound. A ring that does not fill a page says nothing about what lies outside.
    private static func rings(for plan: QueryPlan) -> [Double?] {
        guard case .distance? = plan.order.first?.key, plan.order.first?.ascending == true,
            !plan.filters.contains(where: { $0.comparator == .near })
        else { return [nil] }
        var start = 1000.0
        if case .real(let reached)? = plan.cursor?.values.first { start = max(start, reached * 1.25) }
        if plan.cursor?.values.first == .missing { return [nil] }
        return stride(from: 0, to: 4, by: 1).map { start * Double(1 << (2 * $0)) } + [nil]
    }

    private static func page(
        of query: QuerySQL, _ state: WriterState, _ database: Database
    ) throws -> QueryPage {
        let sql = try query.statement()
        var rows = try SQL(database, sql.text)
        for argument in sql.arguments { rows.bind(argument) }
        defer { rows.reset() }
        let zoneNames = query.zone == nil ? Dictionary(uniqueKeysWithValues: state.zones.map { ($1, $0) }) : [:]
        var records: [StoredRecord] = []
        var last: [SortValue] = []
        while try rows.step() {
            if records.count == query.plan.limit {
                return QueryPage(records: records, cursor: QueryCursor(values: last))
            }
            let zone = query.plan.zone ?? zoneNames[RecordRow.zone(rows)] ?? ""
            records.append(RecordRow.record(rows, zone: zone, type: query.type.name))
            if records.count == query.plan.limit {
                last = query.plan.order.indices.map { rows.sortValue(RecordRow.count + Int32($0)).sortValue }
            }
        }
        return QueryPage(records: records, cursor: nil)
    }

    /// How the engine would answer a plan, one step a line, for tests and diagnosis.
    package func explain(_ plan: QueryPlan) async throws -> [String] {
        let state = writer.committed
        guard let type = state.catalog.types[plan.recordType] else { return [] }
        return try await read { database in
            let query = QuerySQL(
                plan: plan, type: type, zone: plan.zone.flatMap { state.zones[$0] },
                times: TimeIndex(database: database, end: state.sequence), ring: Self.rings(for: plan)[0]
            )
            let sql = try query.statement()
            var rows = try SQL(database, "EXPLAIN QUERY PLAN " + sql.text)
            for argument in sql.arguments { rows.bind(argument) }
            var steps: [String] = []
            while try rows.step() { steps.append(rows.text(3)) }
            return steps
        }
    }
}
