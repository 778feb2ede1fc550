import GRDB
package import RecordStore
package import Records

extension SQLiteDirectory {
    /// Containers used to come into being with their first user or record type.
    static func addContainerMigration(to migrator: inout DatabaseMigrator) {
        migrator.registerMigration("containers") { database in
            try database.execute(
                sql: """
                    CREATE TABLE container (
                        name TEXT PRIMARY KEY,
                        created_at INTEGER NOT NULL         -- milliseconds since 1970; 0: before it was noted
                    ) WITHOUT ROWID, STRICT;

                    INSERT INTO container (name, created_at)
                    SELECT container, 0 FROM container_user
                    UNION
                    SELECT container, 0 FROM schema_type;
                    """
            )
        }
    }

    package func addContainer(_ name: String, at time: Timestamp) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: "INSERT OR IGNORE INTO container (name, created_at) VALUES (?, ?)",
                arguments: [name, time.milliseconds]
            )
            return database.changesCount > 0
        }
    }

    package func container(_ name: String) async throws -> ContainerEntry? {
        try await read { database in
            try Row.fetchOne(
                database, sql: "SELECT name, created_at FROM container WHERE name = ?", arguments: [name]
            )
            .map(Self.entry)
        }
    }

    package func containers() async throws -> [ContainerEntry] {
        try await read { database in
            try Row.fetchAll(database, sql: "SELECT name, created_at FROM container ORDER BY name")
                .map(Self.entry)
        }
    }

    private static func entry(_ row: Row) -> ContainerEntry {
        ContainerEntry(name: row[0], createdAt: Timestamp(milliseconds: row[1]))
    }

    package func userCount(of container: String) async throws -> Int64 {
        try await read { database in
            try Int64.fetchOne(
                database, sql: "SELECT COUNT(*) FROM container_user WHERE container = ?",
                arguments: [container]
            ) ?? 0
        }
    }

    package func removeContainer(_ name: String) async throws -> Bool {
        try await write { database in
            // Whatever is kept for a container says so in a column of that name: nothing can be forgotten.
            try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
            for table in try Self.tablesOfContainers(database) {
                try database.execute(sql: "DELETE FROM \(table) WHERE container = ?", arguments: [name])
            }
            try database.execute(sql: "DELETE FROM container WHERE name = ?", arguments: [name])
            return database.changesCount > 0
        }
    }

    private static func tablesOfContainers(_ database: Database) throws -> [String] {
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
