import Directory
import GRDB
import Records

/// Reads and writes the containers of the server.
struct ContainerTable {
    let database: Database

    func add(_ name: String, at time: Timestamp) throws -> Bool {
        try database.execute(
            sql: "INSERT OR IGNORE INTO container (name, created_at) VALUES (?, ?)",
            arguments: [name, time.milliseconds]
        )
        return database.changesCount > 0
    }

    func container(_ name: String) throws -> ContainerEntry? {
        try Row.fetchOne(
            database, sql: "SELECT \(Self.columns) FROM container WHERE name = ?", arguments: [name]
        )
        .map(Self.entry)
    }

    func containers() throws -> [ContainerEntry] {
        try Row.fetchAll(database, sql: "SELECT \(Self.columns) FROM container ORDER BY name")
            .map(Self.entry)
    }

    private static func entry(_ row: Row) -> ContainerEntry {
        ContainerEntry(name: row[0], createdAt: Timestamp(milliseconds: row[1]), fallbackURL: row[2])
    }

    /// The columns that `entry` expects.
    private static let columns = "name, created_at, fallback_url"

    func setFallbackURL(_ url: String?, of name: String) throws -> Bool {
        try database.execute(
            sql: "UPDATE container SET fallback_url = ? WHERE name = ?", arguments: [url, name])
        return database.changesCount > 0
    }

    func remove(_ name: String) throws -> Bool {
        // Finds the tables by their column `container`, so that a table of a later migration is not
        // forgotten. The order of deletion is arbitrary, so foreign keys are checked at the end.
        try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
        for table in try tablesOfContainers() {
            try database.execute(sql: "DELETE FROM \(table) WHERE container = ?", arguments: [name])
        }
        try database.execute(sql: "DELETE FROM container WHERE name = ?", arguments: [name])
        return database.changesCount > 0
    }

    private func tablesOfContainers() throws -> [String] {
        try String.fetchAll(
            database,
            sql: """
                SELECT t.name
                FROM pragma_table_list AS t
                JOIN pragma_table_info(t.name) AS c
                WHERE t.schema = 'main' AND t.type = 'table' AND c.name = 'container'
                ORDER BY t.name
                """
        )
    }
}
