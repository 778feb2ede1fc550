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
        if let page = try await walk(plan) { return page }
        let (identity, catalogs) = (identity, catalogs)
        return try await read { session in
            let asked = try PostgresCatalogCache.ask(session)
            let zones = PostgresZoneTable(session: session)
            let zone = try plan.zone.map { name in
                let id = try zones.extent(of: name).id
                catalogs.note(zone: name, id: id)
                return id
            }
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

    /// Answers a query that is a walk in one round trip, with the catalog and the id of the zone as they were
    /// last seen. Returns nil for other queries, if these have changed, or if the page needs another
    /// statement.
    private func walk(_ plan: QueryPlan) async throws -> QueryPage? {
        guard let name = plan.zone, let zone = catalogs.known(zone: name), let catalog = catalogs.known,
            let type = catalog.types[plan.recordType], type.covers(plan)
        else { return nil }
        let query = PostgresQuery(plan: plan, type: type, zone: zone)
        // A page with more rows needs several statements.
        guard query.isWalk, plan.limit <= PostgresChangeRow.chunk else { return nil }
        let identity = identity
        return try await readAtOnce { session -> PostgresWalk in
            let (asked, extent) = (
                try PostgresCatalogCache.ask(session),
                try PostgresZoneTable(session: session).askExtent(of: name)
            )
            let reader = PostgresQueryReader(session: session, query: query)
            return PostgresWalk(catalog: asked, zone: extent, reader: reader, rows: try reader.sendWalk())
        } take: { walk in
            guard try walk.catalog.rows().first?.integer(0) == catalog.number,
                let extent = try walk.zone.rows().first, extent.integer(0) == zone,
                let rows = try walk.rows?.rows(), var page = try walk.reader.onlyPage(rows)
            else { return nil }
            if plan.wantsToken, name != ZoneID.defaultName {
                page.token =
                    Zone(named: name, id: zone, sequence: extent.integer(1), identity: identity).syncToken
            }
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

/// The answers of a walk.
private struct PostgresWalk {
    var catalog: PostgresAnswer
    var zone: PostgresAnswer
    var reader: PostgresQueryReader
    var rows: PostgresAnswer?
}

/// Reads pages of a query.
struct PostgresQueryReader {
    let session: PostgresSession
    let query: PostgresQuery

    func page() throws -> QueryPage {
        var page = PostgresQueryPage(query)
        var statements = query.statements(after: page.cursor, bytes: page.gauge.bytesLeft)[...]
        while let statement = statements.first {
            let count = page.nextCount
            let rows = try rows(of: statement, limit: count)
            let taken = page.take(rows)
            if taken == .untilFull { return page.finished(isAtEnd: false) }
            // The rows after the cursor are those of the same statement, then those of the others.
            let isAtEnd = taken == .all && rows.count < count
            let left = isAtEnd ? statements.count - 1 : statements.count
            if left == 0 { break }
            statements = query.statements(after: page.cursor, bytes: page.gauge.bytesLeft).suffix(left)
        }
        return page.finished(isAtEnd: true)
    }

    /// Sends the statement of a walk, without the fields of rows that have many bytes. nil for other queries.
    func sendWalk() throws -> PostgresAnswer? {
        let page = PostgresQueryPage(query)
        let short = PostgresChangeRow.shortFields(page.gauge.bytesLeft, rows: page.nextCount)
        guard let statement = query.walk(after: page.cursor?.values.first, short: short) else { return nil }
        return try send(statement, limit: page.nextCount)
    }

    /// Returns the page that the rows of its first statement make; nil if it needs others.
    func onlyPage(_ rows: PostgresRows) throws -> QueryPage? {
        var page = PostgresQueryPage(query)
        let count = page.nextCount
        switch page.take(rows) {
        case .untilFull: return page.finished(isAtEnd: false)
        case .all: return rows.count < count ? page.finished(isAtEnd: true) : nil
        case .untilIncomplete: return nil
        }
    }

    func rows(of statement: PostgresFragment, limit: Int) throws -> PostgresRows {
        try send(statement, limit: limit).rows()
    }

    private func send(_ statement: PostgresFragment, limit: Int) throws -> PostgresAnswer {
        // The best plan of most queries depends on the values.
        if !query.isWalk { try session.enqueue("SET LOCAL plan_cache_mode = force_custom_plan") }
        return try session.connection.send(
            statement.numbered,
            [.integer(session.database)] + statement.arguments + [.count(limit)], reuse: .possible)
    }
}

/// A page of a query while its rows are read.
private struct PostgresQueryPage {
    private let query: PostgresQuery
    private let types: [Int64: String]
    private(set) var gauge: PageGauge
    /// The last record of the page, or that before its first one.
    private(set) var cursor: QueryCursor?
    private var runs: [PackedChanges] = []

    init(_ query: PostgresQuery) {
        self.query = query
        types = [query.type.id: query.type.name]
        gauge = PageGauge(limit: query.plan.limit, bytes: query.plan.bytes)
        cursor = query.plan.cursor
    }

    /// The number of rows for which the next statement asks. A row after the last one that fits shows that
    /// there are more.
    var nextCount: Int { min(PostgresChangeRow.chunk, query.plan.limit - gauge.count) + 1 }

    /// Adds the next rows.
    mutating func take(_ rows: PostgresRows) -> PostgresChangeRow.Taken {
        var gauge = gauge
        defer { self.gauge = gauge }
        return PostgresChangeRow.take(rows, &gauge) { row in
            let zone = query.plan.zone ?? row.text(PostgresChangeRow.count)
            if runs.last?.zone.name != zone {
                runs.append(PackedChanges(zone: ZoneID(name: zone), query.plan.addresses))
            }
            cursor = QueryCursor(values: values(of: row))
            return PostgresChangeRow.read(row, types: types, into: &runs[runs.count - 1])
        }
    }

    func finished(isAtEnd: Bool) -> QueryPage { QueryPage(runs: runs, cursor: isAtEnd ? nil : cursor) }

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
