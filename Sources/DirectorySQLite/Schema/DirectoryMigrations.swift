import GRDB

/// The migrations that bring a file of any released version to the current one. A released migration never
/// changes.
enum DirectoryMigrations {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (title, sql) in steps {
            migrator.registerMigration(title) { try $0.execute(sql: sql) }
        }
        return migrator
    }

    private static let steps = [
        ("1: accounts, sessions, container users, schemas", first),
        ("containers", containers),
        ("2: people, sessions with an end, tokens, keys", people),
        ("roles: grants, members, notation of numbers", roles),
        ("discovery: permissions, hashes of addresses", discovery),
        ("push: devices, badges", push),
        ("sessions of open servers, devices of sessions", sessionEnds),
        ("quotas of persons", quotas),
        ("zones that others share", sharedZones),
        ("addresses that people proved to own, web pages of apps", linkedAddresses),
        ("operators of the console, audit log", operators),
        ("ends of zones that others share", sharedZoneEnds),
        ("shares of the audit log", auditShares),
    ]

    private static let first = """
        CREATE TABLE account (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL UNIQUE           -- the name to sign in with
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE session (
            hash BLOB PRIMARY KEY,              -- SHA-256 of the token; the token itself is nowhere
            account TEXT NOT NULL REFERENCES account (id),
            created_at INTEGER NOT NULL         -- milliseconds since 1970
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE container_user (
            container TEXT NOT NULL,
            account TEXT NOT NULL REFERENCES account (id),
            user_record_name TEXT NOT NULL,     -- random, so that it says nothing in another container
            PRIMARY KEY (container, account),
            UNIQUE (container, user_record_name)
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE schema_type (
            container TEXT NOT NULL,
            environment TEXT NOT NULL,
            type TEXT NOT NULL,
            PRIMARY KEY (container, environment, type)
        ) WITHOUT ROWID, STRICT;

        -- Fields, and with their ___names the system fields that are indexed.
        CREATE TABLE schema_field (
            container TEXT NOT NULL,
            environment TEXT NOT NULL,
            type TEXT NOT NULL,
            field TEXT NOT NULL,
            kind INTEGER NOT NULL,              -- the scalar type's number, plus 100 for a list of it
            is_encrypted INTEGER NOT NULL,
            indexes INTEGER NOT NULL,           -- the bits of queryable, sortable, searchable
            PRIMARY KEY (container, environment, type, field),
            FOREIGN KEY (container, environment, type) REFERENCES schema_type
        ) WITHOUT ROWID, STRICT;
        """

    /// Before this migration, a container existed as soon as it had a user or a record type.
    private static let containers = """
        CREATE TABLE container (
            name TEXT PRIMARY KEY,
            created_at INTEGER NOT NULL         -- milliseconds since 1970; 0: before it was noted
        ) WITHOUT ROWID, STRICT;

        INSERT INTO container (name, created_at)
        SELECT container, 0 FROM container_user
        UNION
        SELECT container, 0 FROM schema_type;
        """
}
