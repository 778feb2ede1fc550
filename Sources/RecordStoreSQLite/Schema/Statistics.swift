import GRDB

/// Figures for the planner, as its `ANALYZE` would keep them.
///
/// Without any, the engine holds a table for small enough to walk along an index that gives the order, where
/// one that selects a handful of rows and sorts them is wanted. Measured ones would make the same query fast
/// today and slow tomorrow. So every type is taken for large, and every condition for selective.
struct Statistics {
    let database: Database

    /// Rows of any table.
    static let rows = 1_000_000
    /// Rows with the same value of a field, and of a list's element.
    static let rowsOfValue = 10
    /// Rows of the same person.
    static let rowsOfPerson = 1000

    /// Says how many rows each prefix of an index leads to; an index that is the table has its name.
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

    /// Makes this connection heed the figures; others do when they see that the tables have changed.
    func load() throws {
        try database.execute(sql: "ANALYZE sqlite_schema")
    }
}
