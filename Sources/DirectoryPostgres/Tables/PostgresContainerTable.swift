import Directory
import PostgreSQLSupport
import Records

/// Reads and writes the containers of the server.
struct PostgresContainerTable {
    let connection: PostgresConnection

    func add(_ name: String, at time: Timestamp) throws -> Bool {
        try connection.run(
            "INSERT INTO container (name, created_at) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
            [.text(name), .integer(time.milliseconds)]
        ).affected > 0
    }

    func container(_ name: String) throws -> ContainerEntry? {
        try connection.run("SELECT \(Self.columns) FROM container WHERE name = $1", [.text(name)])
            .first.map(Self.entry)
    }

    func containers() throws -> [ContainerEntry] {
        try connection.run("SELECT \(Self.columns) FROM container ORDER BY name", []).map(Self.entry)
    }

    private static func entry(_ row: PostgresRow) -> ContainerEntry {
        ContainerEntry(
            name: row.text(0), createdAt: Timestamp(milliseconds: row.integer(1)),
            fallbackURL: row.optionalText(2))
    }

    /// The columns that `entry` expects.
    private static let columns = "name, created_at, fallback_url"

    func setFallbackURL(_ url: String?, of name: String) throws -> Bool {
        try connection.run(
            "UPDATE container SET fallback_url = $1 WHERE name = $2", [.optional(url), .text(name)]
        ).affected > 0
    }

    func remove(_ name: String) throws -> Bool {
        for table in PostgresDirectoryMigrations.tablesOfContainers {
            try connection.send("DELETE FROM \(table) WHERE container = $1", [.text(name)])
        }
        return try connection.run("DELETE FROM container WHERE name = $1", [.text(name)]).affected > 0
    }
}
