import PostgreSQLSupport

/// The migrations of the tables of records.
enum PostgresMigrations {
    static let migrator = PostgresMigrator(notedIn: table, steps)

    static let table = "migration"

    static let steps: [PostgresMigrator.Step] = [
        .init("1: databases, zones, records", first + policies(for: firstTables)),
        .init("2: entries of indexes", entries + policies(for: entryTables)),
        .init("3: shares", shares + policies(for: shareTables)),
        .init("4: subscriptions and notifications", pushes + policies(for: pushTables)),
        .init("5: names of databases", names),
        .init("6: how many records people have, and who has most", recordCounts),
        .init("7: several nodes", nodes),
    ]

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
    private static let entryTables = PostgresEntryWriter.tables.flatMap { [$0] + partitions(of: $0) }

    /// All tables with rows of record databases, but `database` itself. Their partitions are left out.
    static let databaseTables =
        plainTables + recordTables + PostgresEntryWriter.tables + shareTables + pushTables
}
