extension PostgresMigrations {
    static let pushTables = ["subscription", "notification", "notification_owner"]

    static let pushes = """
        CREATE TABLE subscription (
            database bigint NOT NULL,
            id bigint NOT NULL,                 -- in the order of their creation
            owner text COLLATE "C" NOT NULL,    -- the user record name of the person who is notified
            is_shared bigint NOT NULL,          -- 1: to the owner's shared database
            name text COLLATE "C" NOT NULL,
            definition bytea NOT NULL,          -- as it is answered
            PRIMARY KEY (database, id),
            UNIQUE (database, owner, is_shared, name)
        );

        -- The notification collection: written in the transaction of the change that causes it.
        CREATE TABLE notification (
            database bigint NOT NULL,
            id bigint NOT NULL,                 -- in the order of their creation, never used again
            owner text COLLATE "C" NOT NULL,
            name text COLLATE "C",              -- its identifier; NULL: tells that another was read
            is_read bigint NOT NULL,
            time bigint NOT NULL,               -- milliseconds since 1970
            content bytea NOT NULL,
            PRIMARY KEY (database, id)
        );

        -- A person reads along this index.
        CREATE INDEX notification_by_owner ON notification (database, owner, id) WHERE is_read = 0;

        -- To mark as read. The names of one change are the same, and later ones are greater.
        CREATE INDEX notification_by_name ON notification (database, name, owner) WHERE name IS NOT NULL;

        -- To forget what a person has read.
        CREATE INDEX notification_read ON notification (database, owner, id) WHERE is_read = 1;

        -- To be forgotten in their time.
        CREATE INDEX notification_by_time ON notification (database, time);

        CREATE TABLE notification_owner (
            database bigint NOT NULL,
            owner text COLLATE "C" NOT NULL,
            horizon bigint NOT NULL,            -- the number of the owner's last forgotten notification
            most bigint NOT NULL,               -- the unread notifications, or more: read ones may count
            most_bytes bigint NOT NULL,         -- the bytes of these
            PRIMARY KEY (database, owner)
        );

        """
}
