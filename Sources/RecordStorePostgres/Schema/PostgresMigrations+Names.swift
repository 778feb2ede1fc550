extension PostgresMigrations {
    /// A transaction sees the names only if it names no database itself.
    static let names = """
        -- The databases of a server by their names.
        CREATE TABLE record_database (
            name text COLLATE "C" PRIMARY KEY,
            number bigint NOT NULL UNIQUE GENERATED ALWAYS AS IDENTITY -- never used again
        );
        ALTER TABLE record_database ENABLE ROW LEVEL SECURITY;
        ALTER TABLE record_database FORCE ROW LEVEL SECURITY;
        CREATE POLICY outside ON record_database USING (named_database() IS NULL);

        -- The server that uses the databases; at most one row.
        CREATE TABLE server (
            id bigint PRIMARY KEY CHECK (id = 1),
            folder text NOT NULL                -- the identifier of its data folder, which has the accounts
        );
        ALTER TABLE server ENABLE ROW LEVEL SECURITY;
        ALTER TABLE server FORCE ROW LEVEL SECURITY;
        CREATE POLICY outside ON server USING (named_database() IS NULL);

        """

    static let nodes = """
        -- 1: this database has the accounts; 0: the folder has.
        ALTER TABLE server ADD COLUMN has_directory bigint NOT NULL DEFAULT 0;

        -- The number of the process that wrote it; NULL: from before this was noted.
        ALTER TABLE notification ADD COLUMN writer bigint;

        """
}
