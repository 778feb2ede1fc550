extension StoreMigrations {
    /// The migration that adds the tables of subscriptions and notifications. It never changes once released.
    static let pushTables = """
        CREATE TABLE subscription (
            id INTEGER PRIMARY KEY,             -- in the order of their making
            owner TEXT NOT NULL,                -- the user record name of whoever is told
            name TEXT NOT NULL,
            definition BLOB NOT NULL,           -- as it is answered
            UNIQUE (owner, name)
        ) STRICT;

        -- The notification collection: written in the transaction of the change that it tells of.
        CREATE TABLE notification (
            id INTEGER PRIMARY KEY,             -- in the order of their making, never used again
            owner TEXT NOT NULL,
            name TEXT,                          -- its identifier; NULL: tells that another was read
            is_read INTEGER NOT NULL,
            time INTEGER NOT NULL,              -- milliseconds since 1970
            content BLOB NOT NULL
        ) STRICT;

        -- A person reads along this index.
        CREATE INDEX notification_by_owner ON notification (owner, id) WHERE is_read = 0;

        -- To mark as read.
        CREATE INDEX notification_by_name ON notification (owner, name) WHERE name IS NOT NULL;

        -- To be forgotten in their time.
        CREATE INDEX notification_by_time ON notification (time);

        ALTER TABLE store ADD COLUMN last_notification INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE store ADD COLUMN notification_horizon INTEGER NOT NULL DEFAULT 0;
        """

    /// The migration that keeps subscriptions to the shared databases of people apart from those to the
    /// database of the file. It never changes once released.
    static let sharedSubscriptions = """
        CREATE TABLE subscription_in_scope (
            id INTEGER PRIMARY KEY,             -- in the order of their making
            owner TEXT NOT NULL,                -- the user record name of whoever is told
            is_shared INTEGER NOT NULL,         -- 1: to the owner's shared database
            name TEXT NOT NULL,
            definition BLOB NOT NULL,           -- as it is answered
            UNIQUE (owner, is_shared, name)
        ) STRICT;

        INSERT INTO subscription_in_scope (id, owner, is_shared, name, definition)
            SELECT id, owner, 0, name, definition FROM subscription;
        DROP TABLE subscription;
        ALTER TABLE subscription_in_scope RENAME TO subscription;
        """

    /// The migration that adds the horizons of people from whose collections notifications were forgotten. It
    /// never changes once released.
    static let horizonTable = """
        CREATE TABLE notification_owner (
            owner TEXT PRIMARY KEY,             -- one who had too many
            horizon INTEGER NOT NULL            -- the number of the owner's last forgotten notification
        ) WITHOUT ROWID, STRICT;
        """

    /// The migration that orders the index of names by notification first. Notifications of one change to
    /// very many people then lie together in it, so that writing them touches few pages. It never changes
    /// once released.
    static let readIndex = """
        DROP INDEX notification_by_name;

        -- To mark as read. The names of one change are the same, and later ones are greater.
        CREATE INDEX notification_by_name ON notification (name, owner) WHERE name IS NOT NULL;

        -- To forget what a person has read.
        CREATE INDEX notification_read ON notification (owner, id) WHERE is_read = 1;
        """
}
