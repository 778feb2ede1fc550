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
}
