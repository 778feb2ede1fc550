import Records

/// The migrations from any released version of the tables to the current one. A migration never changes once
/// released.
enum PostgresMigrations {
    private static let all: [(title: String, sql: String)] = [
        ("1: databases, zones, records", first + policies(for: firstTables)),
        ("2: entries of indexes", entries + policies(for: entryTables)),
        ("3: shares", shares + policies(for: shareTables)),
        ("4: subscriptions and notifications", pushes + policies(for: pushTables)),
        ("5: names of databases", names),
        ("6: how many records people have, and who has most", recordCounts),
    ]

    /// Runs the missing migrations, each in a transaction. Two programs that start at once wait for each
    /// other. Throws if the tables were migrated by a newer version.
    static func migrate(_ connection: PostgresConnection) throws {
        try connection.execute(
            """
            BEGIN;
            SELECT pg_advisory_xact_lock(7233218);
            CREATE TABLE IF NOT EXISTS migration (
                number bigint PRIMARY KEY,
                title text NOT NULL
            );
            COMMIT
            """)
        for (index, migration) in all.enumerated() {
            try connection.execute("BEGIN; SELECT pg_advisory_xact_lock(7233218)")
            do {
                let known = try connection.run("SELECT title FROM migration ORDER BY number", [])
                if known.count > all.count { throw newer }
                if known.count <= index {
                    try connection.execute(migration.sql)
                    _ = try connection.run(
                        "INSERT INTO migration (number, title) VALUES ($1, $2)",
                        [.count(index + 1), .text(migration.title)])
                }
                try connection.execute("COMMIT")
            } catch {
                connection.rollback()
                throw error
            }
        }
    }

    private static var newer: RecordError {
        RecordError(
            .internalError, "the tables were made by a newer version", culprit: "migration",
            nextStep: "start the newer version")
    }

    /// Row level security for tables and their partitions: a transaction sees and writes only the rows of the
    /// database that it names; without a name, none. `FORCE` makes it hold for the owner of the tables.
    private static func policies(for tables: [String]) -> String {
        tables.map { table in
            let column = table == "database" ? "id" : "database"
            return """
                ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY;
                ALTER TABLE \(table) FORCE ROW LEVEL SECURITY;
                CREATE POLICY own ON \(table) USING (\(column) = named_database());
                """
        }
        .joined()
    }

    private static func partitions(of table: String) -> [String] {
        (0..<partitionCount).map { "\(table)_\($0)" }
    }

    /// Creates the partitions of a table, by the hash of the database. Partitions can be moved to disks of
    /// their own.
    static func createPartitions(of table: String) -> String {
        partitions(of: table).enumerated().map { number, partition in
            """
            CREATE TABLE \(partition) PARTITION OF \(table)
                FOR VALUES WITH (MODULUS \(partitionCount), REMAINDER \(number));
            """
        }
        .joined()
    }

    private static let partitionCount = 8

    private static let plainTables = [
        "zone", "deleted_zone", "record_type", "record_field", "released_asset", "person_usage",
        "client_batch",
    ]
    private static let recordTables = ["record", "binding", "asset_owner"]
    private static let firstTables =
        ["database"] + plainTables + recordTables + recordTables.flatMap { partitions(of: $0) }
    private static let entryTables = EntryWriter.tables.flatMap { [$0] + partitions(of: $0) }

    /// All tables with rows of record databases, but `database` itself. Their partitions are left out.
    static let databaseTables =
        plainTables + recordTables + EntryWriter.tables + shareTables + pushTables
}
