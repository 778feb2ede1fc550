import GRDB
package import RecordStore
import Records

extension SQLiteStore {
    package func query(_ plan: QueryPlan) async throws -> QueryPage {
        let state = try await ready(for: plan)
        if let zone = plan.zone, state.zones[zone] == nil { throw try absence(of: zone) }
        let type = state.catalog.types[plan.recordType]
        if type == nil, !plan.wantsToken { return QueryPage(runs: [], cursor: nil) }
        // SQLite compiles such a statement for many milliseconds, in which nothing can interrupt it.
        if plan.valueCount > Self.quickValues, ReadBudget.current?.isSlow == false {
            throw ReadBudget.Exceeded()
        }
        let shapes = shapes
        return try read { database in
            var page = QueryPage(runs: [], cursor: nil)
            if let type {
                page = try QueryReader(database: database, state: state, shapes: shapes)
                    .page(widening: Self.translation(of: plan, type, state, database))
            }
            if plan.wantsToken, let zone = plan.zone.flatMap({ state.zones[$0] }) {
                // The snapshot may be younger than the state, whose tables the page was read from.
                page.token = try ZoneTable(database: database)
                    .token(of: zone, state.identity, upTo: state.sequence)
            }
            return page
        }
    }

    /// The maximum number of values in the filters of a query that begins outside of the threads for slow
    /// reads.
    private static let quickValues = 256

    private static func translation(
        of plan: QueryPlan, _ type: TypeTable, _ state: WriterState, _ database: Database
    ) -> QuerySQL {
        let zone = plan.zone.flatMap { state.zones[$0] }
        return QuerySQL(
            plan: plan, type: type, zone: zone, times: TimeMarks(database: database),
            ring: DistanceRing(for: plan, on: type)
        )
    }

    /// Returns the writer's state after creating the indexes that a plan needs: the schema may have got one
    /// since the type was last written.
    private func ready(for plan: QueryPlan) async throws -> WriterState {
        let state = writer.committed
        guard let schema = plan.schema, let type = state.catalog.types[plan.recordType],
            !type.covers(plan, schema)
        else { return state }
        try await prepare([schema])
        return writer.committed
    }

    /// Returns SQLite's query plan for a plan, one step in each line, for tests and diagnosis.
    package func explain(_ plan: QueryPlan) async throws -> [String] {
        try await diagnose(plan) { reader, sql, query in try reader.steps(of: sql, query) }
    }

    /// Returns the SQL of the statements for a plan, for tests and diagnosis.
    package func statementTexts(_ plan: QueryPlan) async throws -> [String] {
        try await diagnose(plan) { _, sql, _ in [sql.text] }
    }

    private func diagnose(
        _ plan: QueryPlan, _ look: @escaping @Sendable (QueryReader, SQLText, QuerySQL) throws -> [String]
    ) async throws -> [String] {
        let state = try await ready(for: plan)
        guard let type = state.catalog.types[plan.recordType] else { return [] }
        let shapes = shapes
        return try read { database in
            let query = Self.translation(of: plan, type, state, database)
            let reader = QueryReader(database: database, state: state, shapes: shapes)
            return try reader.statements(for: query).all.flatMap { try look(reader, $0.sql, query) }
        }
    }
}

extension TypeTable {
    /// Whether all indexes that a plan needs exist. A field that no record ever had needs none.
    fileprivate func covers(_ plan: QueryPlan, _ schema: TypeSchema) -> Bool {
        if applied == schema { return true }
        return plan.fieldNames.allSatisfy { name in
            guard let wanted = schema.fields[name], !wanted.isEncrypted, !wanted.indexes.isEmpty else {
                return true
            }
            return field(named: name)?.indexes.isSuperset(of: wanted.indexes) ?? !plainFields.contains(name)
        }
    }
}
