extension DirectoryMigrations {
    /// AUTOINCREMENT keeps the number of a deleted entry from being used again.
    static let operators = """
        CREATE TABLE operator (
            name TEXT PRIMARY KEY,
            role TEXT,                          -- NULL: roles in single containers only
            password TEXT NOT NULL,             -- its hash
            created_at INTEGER NOT NULL         -- milliseconds since 1970
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE operator_container (
            operator TEXT NOT NULL REFERENCES operator (name),
            container TEXT NOT NULL,
            role TEXT NOT NULL,
            PRIMARY KEY (operator, container)
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE audit_entry (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,                -- milliseconds since 1970
            operator TEXT NOT NULL,             -- the name; the operator may be gone
            container_name TEXT,                -- NULL: the whole server; the container may be gone
            environment TEXT,                   -- NULL: both
            action TEXT NOT NULL,
            subject TEXT NOT NULL,
            before TEXT,                        -- NULL: it was not there
            after TEXT                          -- NULL: it is gone
        ) STRICT;

        -- To list the entries of one container.
        CREATE INDEX audit_entry_by_container ON audit_entry (container_name, number);
        """

    static let auditShares = """
        -- To find the oldest entry of an action of an operator.
        CREATE INDEX audit_entry_by_operator ON audit_entry (operator, action, number);

        -- The number of entries of each action of an operator; no row: there are none.
        CREATE TABLE audit_share (
            operator TEXT NOT NULL,
            action TEXT NOT NULL,
            entries INTEGER NOT NULL,
            PRIMARY KEY (operator, action)
        ) WITHOUT ROWID, STRICT;

        INSERT INTO audit_share (operator, action, entries)
        SELECT operator, action, COUNT(*)
        FROM audit_entry
        GROUP BY operator, action;
        """
}
