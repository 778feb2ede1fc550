import GRDB
import RecordStore
import Records

/// Reads pages of queries on one connection.
struct QueryReader {
    let database: Database
    let state: WriterState
    let shapes: StatementShapes

    /// Returns a page. For an order by distance, widens the ring until it contains enough records.
    func page(widening query: QuerySQL) throws -> QueryPage {
        var query = query
        while true {
            let page = try page(of: query)
            // If the ring has too few records for a page, those outside of it are needed too.
            guard let ring = query.ring, page.cursor == nil else { return page }
            query.ring = ring.widened(holding: page.count)
        }
    }

    func page(of query: QuerySQL) throws -> QueryPage {
        var gauge = PageGauge(limit: query.plan.limit, bytes: query.plan.bytes)
        var runs: [PackedChanges] = []
        var last: [SortValue] = []
        let (selection, statements) = try statements(for: query)
        for (sql, isKept) in statements {
            var rows = try SQL(database, sql.text, isKept: isKept)
            for argument in sql.arguments { rows.bind(argument) }
            rows.bind(Int64(query.plan.limit - gauge.count + 1))
            defer { rows.reset() }
            while try rows.step() {
                if gauge.isFull {
                    return QueryPage(runs: runs, cursor: QueryCursor(values: last))
                }
                let zone =
                    try query.plan.zone
                    ?? state.zoneName(of: rows.integer(query.zoneColumn(selection)), database)
                if runs.last?.zone.name != zone {
                    runs.append(PackedChanges(zone: ZoneID(name: zone), query.plan.addresses))
                }
                let row = try selection == .rows ? rows : row(of: rows.integer(0))
                defer { if selection == .ids { row.reset() } }
                gauge.take(bytes: ChangeRow.read(row, type: query.type.name, into: &runs[runs.count - 1]))
                if gauge.isFull {
                    last = query.plan.order.indices.map { rows.sortValue(selection.count + Int32($0)) }
                }
            }
        }
        return QueryPage(runs: runs, cursor: nil)
    }

    /// Returns the statements for a page, and whether each stays in the statement cache.
    ///
    /// They select whole rows, unless SQLite has to sort: then they select only ids and sort values, and the
    /// rows of the page are read afterwards.
    func statements(
        for query: QuerySQL
    ) throws -> (selection: QuerySQL.Selection, all: [(sql: SQLText, isKept: Bool)]) {
        var all: [(sql: SQLText, isKept: Bool)] = []
        for sql in try query.statements() {
            let shape = try shapes.shape(of: sql.text) {
                try steps(of: sql, query).contains { $0.contains("TEMP B-TREE") }
            }
            if shape.sorts {
                return (.ids, try query.statements(.ids).map { ($0, shapes.mayKeep($0.text)) })
            }
            all.append((sql, shape.isKept))
        }
        return (.rows, all)
    }

    /// Returns SQLite's query plan for a statement, one step in each line.
    func steps(of sql: SQLText, _ query: QuerySQL) throws -> [String] {
        var rows = try SQL(database, "EXPLAIN QUERY PLAN " + sql.text, isKept: false)
        for argument in sql.arguments { rows.bind(argument) }
        rows.bind(Int64(query.plan.limit + 1))
        var steps: [String] = []
        while try rows.step() { steps.append(rows.text(3)) }
        return steps
    }

    /// Reads the columns of `ChangeRow` of a record that an index names. The caller resets the statement
    /// afterwards.
    private func row(of id: Int64) throws -> SQL {
        var row = try SQL(database, "SELECT \(ChangeRow.columns) FROM record r WHERE r.id = ?")
        row.bind(id)
        guard try row.step() else {
            throw RecordError(.internalError, "an index names a missing record")
        }
        return row
    }
}
