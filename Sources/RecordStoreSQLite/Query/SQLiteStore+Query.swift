import GRDB
package import RecordStore
import Records

extension SQLiteStore {
    package func query(_ plan: QueryPlan) async throws -> QueryPage {
        let state = try await ready(for: plan)
        if let zone = plan.zone, state.zones[zone] == nil { throw try absence(of: zone) }
        guard let type = state.catalog.types[plan.recordType] else {
            return QueryPage(runs: [], cursor: nil)
        }
        let shapes = shapes
        return try read { database in
            var query = Self.translation(of: plan, type, state, database)
            while true {
                let page = try Self.page(of: query, state, shapes, database)
                // A ring that does not fill a page says nothing about what lies outside.
                guard let ring = query.ring, page.cursor == nil else { return page }
                query.ring = ring.widened(holding: page.count)
            }
        }
    }

    private static func translation(
        of plan: QueryPlan, _ type: TypeTable, _ state: WriterState, _ database: Database
    ) -> QuerySQL {
        let zone = plan.zone.flatMap { state.zones[$0] }
        return QuerySQL(
            plan: plan, type: type, zone: zone, times: TimeMarks(database: database),
            ring: DistanceRing(for: plan, on: type)
        )
    }

    /// What the writer knows, once it has the indexes that a plan counts on: the schema may have got one
    /// since the type was last written.
    private func ready(for plan: QueryPlan) async throws -> WriterState {
        let state = writer.committed
        guard let schema = plan.schema, let type = state.catalog.types[plan.recordType],
            !type.covers(plan, schema)
        else { return state }
        try await prepare([schema])
        return writer.committed
    }

    private static func page(
        of query: QuerySQL, _ state: WriterState, _ shapes: StatementShapes, _ database: Database
    ) throws -> QueryPage {
        var gauge = PageGauge(limit: query.plan.limit, bytes: query.plan.bytes)
        var runs: [PackedChanges] = []
        var last: [SortValue] = []
        for sql in try query.statements() {
            var rows = try SQL(database, sql.text, isKept: shapes.mayKeep(sql.text))
            for argument in sql.arguments { rows.bind(argument) }
            rows.bind(Int64(query.plan.limit - gauge.count + 1))
            defer { rows.reset() }
            while try rows.step() {
                if gauge.isFull {
                    return QueryPage(runs: runs, cursor: QueryCursor(values: last))
                }
                let zone = try query.plan.zone ?? state.zoneName(of: rows.integer(query.zoneColumn), database)
                if runs.last?.zone.name != zone { runs.append(PackedChanges(zone: ZoneID(name: zone))) }
                gauge.take(bytes: ChangeRow.read(rows, type: query.type.name, into: &runs[runs.count - 1]))
                if gauge.isFull {
                    last = query.plan.order.indices.map { rows.sortValue(ChangeRow.count + Int32($0)) }
                }
            }
        }
        return QueryPage(runs: runs, cursor: nil)
    }

    /// How the engine would answer a plan, one step a line, for tests and diagnosis.
    package func explain(_ plan: QueryPlan) async throws -> [String] {
        let state = try await ready(for: plan)
        guard let type = state.catalog.types[plan.recordType] else { return [] }
        return try read { database in
            var steps: [String] = []
            for sql in try Self.translation(of: plan, type, state, database).statements() {
                var rows = try SQL(database, "EXPLAIN QUERY PLAN " + sql.text, isKept: false)
                for argument in sql.arguments { rows.bind(argument) }
                rows.bind(Int64(plan.limit + 1))
                while try rows.step() { steps.append(rows.text(3)) }
            }
            return steps
        }
    }
}

extension TypeTable {
    /// Whether every index that a plan counts on is there. A field that no record ever had needs none.
    fileprivate func covers(_ plan: QueryPlan, _ schema: TypeSchema) -> Bool {
        if applied == schema { return true }
        var names = plan.filters.contains { $0.key == nil } ? plan.searchableFields : []
        for filter in plan.filters {
            if case .field(let name) = filter.key { names.append(name) }
        }
        for order in plan.order {
            switch order.key {
            case .field(let name), .distance(let name, _): names.append(name)
            default: break
            }
        }
        return names.allSatisfy { name in
            guard let wanted = schema.fields[name], !wanted.isEncrypted, !wanted.indexes.isEmpty else {
                return true
            }
            return field(named: name)?.indexes.isSuperset(of: wanted.indexes) ?? !plainFields.contains(name)
        }
    }
}
