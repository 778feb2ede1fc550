import GRDB

/// The migrations that bring a file of counts to the current version. A released migration never changes.
enum TelemetryMigrations {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("counts of requests, people") { try $0.execute(sql: first) }
        return migrator
    }

    /// An empty text stands for no container, no environment and no database, because the parts of a unique
    /// key cannot be NULL.
    private static let first = """
        CREATE TABLE telemetry_key (
            id INTEGER PRIMARY KEY,
            container TEXT NOT NULL,
            environment TEXT NOT NULL,
            database TEXT NOT NULL,
            operation TEXT NOT NULL,
            UNIQUE (container, environment, database, operation)
        ) STRICT;

        CREATE TABLE telemetry_count (
            period TEXT NOT NULL,               -- minute, hour, day, week or month
            number INTEGER NOT NULL,            -- which one since 1970
            key INTEGER NOT NULL REFERENCES telemetry_key (id),
            counts BLOB NOT NULL,               -- packed TelemetryCounts
            PRIMARY KEY (period, number, key)
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE telemetry_people (
            period TEXT NOT NULL,               -- day, week or month
            number INTEGER NOT NULL,
            container TEXT NOT NULL,
            environment TEXT NOT NULL,
            people BLOB NOT NULL,               -- packed DistinctCount; it names nobody
            PRIMARY KEY (period, number, container, environment)
        ) WITHOUT ROWID, STRICT;
        """
}
