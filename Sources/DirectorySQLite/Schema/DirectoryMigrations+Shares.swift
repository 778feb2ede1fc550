extension DirectoryMigrations {
    /// AUTOINCREMENT keeps the number of a removed row from being used again, because change tokens contain
    /// the numbers.
    static let sharedZones = """
        CREATE TABLE shared_zone (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            container TEXT NOT NULL,
            environment TEXT NOT NULL,
            user_record_name TEXT NOT NULL,     -- the person who accepted
            owner TEXT NOT NULL,                -- the record name of the zone's owner
            zone TEXT NOT NULL,
            UNIQUE (container, environment, user_record_name, owner, zone)
        ) STRICT;
        """

    static let sharedZoneEnds = """
        -- When it was noticed that nothing in the zone is shared with the person any more, in milliseconds
        -- since 1970; NULL: not yet.
        ALTER TABLE shared_zone ADD COLUMN ended_at INTEGER;
        """

    static let linkedAddresses = """
        ALTER TABLE container ADD COLUMN fallback_url TEXT; -- NULL: the server's

        -- The link of a share names its owner, but not the container.
        CREATE INDEX container_user_by_name ON container_user (user_record_name);

        CREATE TABLE linked_address (
            address TEXT PRIMARY KEY,           -- mailto: or tel:, then the address
            account TEXT NOT NULL REFERENCES account (id)
        ) WITHOUT ROWID, STRICT;

        -- To find and remove those of a person.
        CREATE INDEX linked_address_by_account ON linked_address (account);
        """
}
