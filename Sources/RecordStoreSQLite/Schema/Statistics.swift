import GRDB

/// Writes statistics for SQLite's query planner, in the table that `ANALYZE` would fill.
///
/// Without statistics, the planner assumes small tables, and scans an index that has the order of the query.
/// It is often much faster to use another index that selects a handful of rows, and to sort these. Measured
/// statistics would change over time, and with them the speed of a query. So these fixed numbers describe
/// every type as large and every condition as selective.
struct Statistics {
    let database: Database

    /// The assumed number of rows of any table.
    static let rows = 1_000_000
    /// The assumed number of rows with the same value of a field, or the same element of a list.
    static let rowsOfValue = 10
    /// The assumed number of rows that one person created or modified.
    static let rowsOfPerson = 1000

    /// Sets how many rows each prefix of an index selects. For the primary key of a table without rowid, the
    /// index has the table's name.
    func expect(_ rows: Int..., of index: String, on table: String) throws {
        try forget(index, on: table)
        let figures = ([Self.rows] + rows).map(String.init).joined(separator: " ")
        try database.execute(
            sql: "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)",
            arguments: [table, index, figures])
    }

    private func forget(_ index: String, on table: String) throws {
        try database.execute(
            sql: "DELETE FROM sqlite_stat1 WHERE tbl = ? AND idx = ?", arguments: [table, index])
    }

    /// Loads the statistics into this connection. Other connections load them when they see that the schema
    /// has changed.
    func load() throws {
        try database.execute(sql: "ANALYZE sqlite_schema")
    }
}
