extension DirectoryMigrations {
    /// Types had no grants of their own before this migration. They get the grants that applied to all types.
    static let roles = """
        ALTER TABLE schema_field ADD COLUMN number INTEGER; -- 1 unsettled, 2 preferred; NULL: type was known

        CREATE TABLE schema_grant (
            container TEXT NOT NULL,
            environment TEXT NOT NULL,
            type TEXT NOT NULL,
            role TEXT NOT NULL,
            permissions INTEGER NOT NULL,       -- the bits of read, create, write
            PRIMARY KEY (container, environment, type, role),
            FOREIGN KEY (container, environment, type) REFERENCES schema_type
        ) WITHOUT ROWID, STRICT;

        INSERT INTO schema_grant (container, environment, type, role, permissions)
        SELECT container, environment, type, '_world', 1 FROM schema_type
        UNION ALL
        SELECT container, environment, type, '_icloud', 2 FROM schema_type
        UNION ALL
        SELECT container, environment, type, '_creator', 4 FROM schema_type;

        CREATE TABLE schema_role (
            container TEXT NOT NULL,
            environment TEXT NOT NULL,
            role TEXT NOT NULL,
            PRIMARY KEY (container, environment, role)
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE role_member (
            container TEXT NOT NULL,
            environment TEXT NOT NULL,
            role TEXT NOT NULL,
            user_record_name TEXT NOT NULL,
            PRIMARY KEY (container, environment, role, user_record_name),
            FOREIGN KEY (container, environment, role) REFERENCES schema_role ON DELETE CASCADE,
            FOREIGN KEY (container, user_record_name)
                REFERENCES container_user (container, user_record_name) ON DELETE CASCADE
        ) WITHOUT ROWID, STRICT;

        -- Whoever leaves, leaves all roles.
        CREATE INDEX role_member_by_user ON role_member (container, user_record_name);
        """

    static let push = """
        CREATE TABLE push_token (
            container TEXT NOT NULL,
            environment TEXT NOT NULL,
            token TEXT NOT NULL,
            service TEXT NOT NULL,              -- which push service: development or production
            user_record_name TEXT NOT NULL,
            client TEXT,                        -- NULL: it does not say its name
            created_at INTEGER NOT NULL,        -- milliseconds since 1970
            PRIMARY KEY (container, environment, token)
        ) WITHOUT ROWID, STRICT;

        -- Who shows a token names no container.
        CREATE INDEX push_token_by_text ON push_token (token);

        CREATE TABLE badge (
            container TEXT NOT NULL,
            environment TEXT NOT NULL,
            user_record_name TEXT NOT NULL,
            value INTEGER NOT NULL,
            PRIMARY KEY (container, environment, user_record_name)
        ) WITHOUT ROWID, STRICT;
        """
}
