import PostgreSQLSupport
package import RecordStore
import Records

extension PostgresStore {
    package func query(_ plan: QueryPlan) async throws -> QueryPage {
        if let page = try await answer(plan) { return page }
        // The schema has got indexes since the type was last written.
        if let schema = plan.schema { try await prepare([schema]) }
        return try await answer(plan) ?? QueryPage(runs: [], cursor: nil)
    }

    /// Returns nil if entries for the plan are missing.
    private func answer(_ plan: QueryPlan) async throws -> QueryPage? {
        let (identity, catalogs) = (identity, catalogs)
        return try await read { session in
            let asked = try PostgresCatalogCache.ask(session)
            let zones = PostgresZoneTable(session: session)
            let zone = try plan.zone.map { try zones.extent(of: $0).id }
            let catalog = try catalogs.catalog(asked, session)
            var page = QueryPage(runs: [], cursor: nil)
            if let type = catalog.types[plan.recordType] {
                guard type.covers(plan) else { return nil }
                let query = PostgresQuery(plan: plan, type: type, zone: zone)
                page = try PostgresQueryReader(session: session, query: query).page()
            }
            if plan.wantsToken, let zone = plan.zone { page.token = try zones.token(of: zone, identity) }
            return page
        }
    }

    /// Returns the engine's plan for a query, one step in each line, for tests and diagnosis.
    package func explain(_ plan: QueryPlan) async throws -> [String] {
        _ = try await query(plan)
        let catalogs = catalogs
        return try await read { session in
            let catalog = try catalogs.catalog(PostgresCatalogCache.ask(session), session)
            guard let type = catalog.types[plan.recordType] else { return [] }
            let zone = try plan.zone.map { try PostgresZoneTable(session: session).extent(of: $0).id }
            let query = PostgresQuery(plan: plan, type: type, zone: zone)
            let reader = PostgresQueryReader(session: session, query: query)
            return try query.statements(after: plan.cursor, bytes: plan.bytes).flatMap { statement in
                try reader.rows(of: statement.enclosed("EXPLAIN ", ""), limit: plan.limit + 1)
                    .map { $0.text(0) }
            }
        }
    }
}

/// Reads pages of a query.
struct PostgresQueryReader {
    let session: PostgresSession
    let query: PostgresQuery

    func page() throws -> QueryPage {
        let (plan, types) = (query.plan, [query.type.id: query.type.name])
        var gauge = PageGauge(limit: plan.limit, bytes: plan.bytes)
        var runs: [PackedChanges] = []
        var cursor = plan.cursor
        var statements = query.statements(after: cursor, bytes: gauge.bytesLeft)[...]
        while let statement = statements.first {
            let count = min(PostgresChangeRow.chunk, plan.limit - gauge.count) + 1
            let rows = try rows(of: statement, limit: count)
            var isAtEnd = rows.count < count
            for row in rows {
                if gauge.isFull { return QueryPage(runs: runs, cursor: cursor) }
                guard PostgresChangeRow.isComplete(row) else {
                    isAtEnd = false
                    break
                }
                let zone = plan.zone ?? row.text(PostgresChangeRow.count)
                if runs.last?.zone.name != zone {
                    runs.append(PackedChanges(zone: ZoneID(name: zone), plan.addresses))
                }
                gauge.take(bytes: PostgresChangeRow.read(row, types: types, into: &runs[runs.count - 1]))
                cursor = QueryCursor(values: values(of: row))
            }
            // The rows after the cursor are those of the same statement, then those of the others.
            let left = isAtEnd ? statements.count - 1 : statements.count
            if left == 0 { break }
            statements = query.statements(after: cursor, bytes: gauge.bytesLeft).suffix(left)
        }
        return QueryPage(runs: runs, cursor: nil)
    }

    func rows(of statement: PostgresFragment, limit: Int) throws -> PostgresRows {
        // The best plan of most queries depends on the values.
        if !query.isWalk { try session.enqueue("SET LOCAL plan_cache_mode = force_custom_plan") }
        return try session.connection.run(
            statement.numbered,
            [.integer(session.database)] + statement.arguments + [.count(limit)], reuse: .possible)
    }

    private func values(of row: PostgresRow) -> [SortValue] {
        query.terms.enumerated().map { index, term in
            term.value(row, PostgresChangeRow.count + 1 + Int32(index))
        }
    }
}

extension PostgresCatalogType {
    /// Whether all entries that a plan needs exist. A field that no record ever had needs none.
    fileprivate func covers(_ plan: QueryPlan) -> Bool {
        guard let schema = plan.schema else { return true }
        return plan.fieldNames.allSatisfy { name in
            guard let wanted = schema.fields[name], !wanted.isEncrypted, !wanted.indexes.isEmpty,
                let known = fields[name]
            else { return true }
            return known.indexes.isSuperset(of: wanted.indexes) && known.type == wanted.type
        }
    }
}
