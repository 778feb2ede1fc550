import PostgreSQLSupport

/// The migrations of the tables of a directory. Names and texts have the collation C in all tables, so that
/// they are compared by their bytes.
enum PostgresDirectoryMigrations {
    static let migrator = PostgresMigrator(notedIn: table, steps)

    static let table = "directory_migration"

    static let steps: [PostgresMigrator.Step] = [
        .init("1: people, containers, credentials, schemas, devices, operators", first)
    ]

    private static var first: String {
        writers + people + containers + schemas + push + operators + policies(for: tables)
    }

    private static let tables = [
        "directory_number", "account", "session", "container_user", "linked_address", "container",
        "secret", "api_token", "server_key", "schema_type", "schema_field", "schema_grant", "schema_role",
        "role_member", "push_token", "badge", "shared_zone", "operator", "operator_container", "audit_entry",
        "audit_share",
    ]

    /// The tables with rows of containers, those that refer to others first.
    static let tablesOfContainers = [
        "role_member", "schema_role", "schema_grant", "schema_field", "schema_type", "session",
        "push_token", "badge", "shared_zone", "api_token", "server_key", "operator_container",
        "container_user",
    ]

    /// Hides a directory from a transaction that names a record database. `FORCE` makes it hold for the owner
    /// of the tables.
    private static func policies(for tables: [String]) -> String {
        tables.map { table in
            """
            ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY;
            ALTER TABLE \(table) FORCE ROW LEVEL SECURITY;
            CREATE POLICY outside ON \(table)
                USING (NULLIF(current_setting('cloudlet.database', TRUE), '') IS NULL);
            """
        }
        .joined()
    }

    private static let writers = """
        -- Without rows. A writer locks it first, so that one writes at a time.
        CREATE TABLE directory_writer ();

        -- The last numbers that were given, because a number is never used again.
        CREATE TABLE directory_number (
            subject text COLLATE "C" PRIMARY KEY,
            last bigint NOT NULL
        );
        INSERT INTO directory_number (subject, last) VALUES ('shared_zone', 0), ('audit_entry', 0);

        """

    private static let operators = """
        CREATE TABLE operator (
            name text COLLATE "C" PRIMARY KEY,
            role text COLLATE "C",              -- NULL: roles in single containers only
            password text COLLATE "C" NOT NULL, -- its hash
            created_at bigint NOT NULL          -- milliseconds since 1970
        );

        CREATE TABLE operator_container (
            operator text COLLATE "C" NOT NULL REFERENCES operator (name),
            container text COLLATE "C" NOT NULL,
            role text COLLATE "C" NOT NULL,
            PRIMARY KEY (operator, container)
        );

        CREATE TABLE audit_entry (
            number bigint PRIMARY KEY,
            at bigint NOT NULL,                 -- milliseconds since 1970
            operator text COLLATE "C" NOT NULL, -- the name; the operator may be gone
            container_name text COLLATE "C",    -- NULL: the whole server; the container may be gone
            environment text COLLATE "C",       -- NULL: both
            action text COLLATE "C" NOT NULL,
            subject text COLLATE "C" NOT NULL,
            before text COLLATE "C",            -- NULL: it was not there
            after text COLLATE "C"              -- NULL: it is gone
        );

        -- To list the entries of one container.
        CREATE INDEX audit_entry_by_container ON audit_entry (container_name, number);

        -- To find the oldest entry of an action of an operator.
        CREATE INDEX audit_entry_by_operator ON audit_entry (operator, action, number);

        -- The number of entries of each action of an operator; no row: there are none.
        CREATE TABLE audit_share (
            operator text COLLATE "C" NOT NULL,
            action text COLLATE "C" NOT NULL,
            entries bigint NOT NULL,
            PRIMARY KEY (operator, action)
        );

        """
}
