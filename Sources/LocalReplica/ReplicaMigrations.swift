import GRDB

/// The migrations from every released version to the current one. A released migration never changes;
/// `Data/Schemas` keeps the schema after each.
enum ReplicaMigrations {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: replica, zones, records, outbox") { try $0.execute(sql: createTables) }
        migrator.registerMigration("2: what conflicts came to") { try $0.execute(sql: addConflicts) }
        migrator.registerMigration("3: zones that were deleted elsewhere") { try $0.execute(sql: addIsGone) }
        migrator.registerMigration("4: batches by name") { try $0.execute(sql: addBatchTokens) }
        migrator.registerMigration("5: records that the server could not give") {
            try $0.execute(sql: addUnfetched)
        }
        migrator.registerMigration("6: encrypted fields") { try $0.execute(sql: addEncryptedFields) }
        migrator.registerMigration("7: zones of other owners") { try $0.execute(sql: addOwners) }
        return migrator
    }

    private static let createTables = """
        -- What is known of the whole database: one row.
        CREATE TABLE replica (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            account TEXT,                       -- the person; NULL: nobody has synced yet
            token BLOB,                         -- where the feed of zones goes on; NULL: at its beginning
            is_subscribed INTEGER NOT NULL      -- whether the server tells of new zones
        ) STRICT;

        INSERT INTO replica VALUES (1, NULL, NULL, 0);

        CREATE TABLE zone (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            token BLOB,                         -- where its feed goes on; NULL: at its beginning
            is_made INTEGER NOT NULL,           -- whether the server is known to have it
            is_stale INTEGER NOT NULL,          -- whether the server may know more than this device
            is_purged INTEGER NOT NULL,         -- whether the person removed the app's data
            is_subscribed INTEGER NOT NULL,     -- whether the server tells of changes in it
            is_sweeping INTEGER NOT NULL        -- whether it is being fetched again from its beginning
        ) STRICT;

        CREATE TABLE record (
            zone INTEGER NOT NULL REFERENCES zone (id),
            name TEXT NOT NULL,
            type TEXT NOT NULL,
            fields BLOB,                        -- as the app sees them; NULL: deleted on this device
            tag TEXT,                           -- the server's version; NULL: the server never had it
            system_fields BLOB,                 -- of that version; NULL as tag
            server_fields BLOB,                 -- of that version; NULL: the same as fields, or none
            PRIMARY KEY (zone, name)
        ) WITHOUT ROWID, STRICT;

        -- What the server has not been told yet, in the order in which it is to be told.
        CREATE TABLE outbox (
            id INTEGER PRIMARY KEY,
            zone INTEGER NOT NULL,
            name TEXT NOT NULL,
            change INTEGER NOT NULL,            -- counts the edits of this record
            sent INTEGER,                       -- the edit that was sent last; NULL: none
            sent_fields BLOB,                   -- its fields, by which one's own save is recognised
            refusal TEXT,                       -- why the server does not want it; NULL: it was not refused
            UNIQUE (zone, name)
        ) STRICT;

        -- What a fetch from the beginning has not brought again: gone at its end, unless it was edited.
        CREATE TABLE unseen (
            zone INTEGER NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (zone, name)
        ) WITHOUT ROWID, STRICT;
        """

    private static let addConflicts = """
        -- Conflicts that were resolved, so that the app can say what became of them.
        CREATE TABLE conflict (
            id INTEGER PRIMARY KEY,
            time INTEGER NOT NULL,              -- milliseconds since 1970, by this device's clock
            zone TEXT NOT NULL,
            name TEXT NOT NULL,
            type TEXT NOT NULL,
            what TEXT NOT NULL,                 -- the row of the merge table that applied
            fields TEXT NOT NULL                -- what was merged, in words
        ) STRICT;
        """

    private static let addIsGone = """
        -- Whether somebody deleted the zone elsewhere: it is not made again by itself.
        ALTER TABLE zone ADD COLUMN is_gone INTEGER NOT NULL DEFAULT 0;
        """

    private static let addBatchTokens = """
        -- The name of the batch in which the edit was sent; NULL: it was not, or nobody knows that batch.
        ALTER TABLE outbox ADD COLUMN sent_token BLOB;

        -- What may have arrived, few of many.
        CREATE INDEX outbox_in_doubt ON outbox (zone) WHERE sent_token IS NOT NULL;

        -- The last batch of this device that the server is known to have taken; NULL: none.
        ALTER TABLE zone ADD COLUMN taken_token BLOB;
        """

    private static let addEncryptedFields = """
        -- Fields that were encrypted in a record of the type: they stay so, whatever the server says later.
        CREATE TABLE encrypted_field (
            type TEXT NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (type, name)
        ) WITHOUT ROWID, STRICT;

        INSERT OR IGNORE INTO encrypted_field (type, name)
        SELECT record.type, field.key
        FROM record
        JOIN json_each(
            CASE WHEN json_valid(CAST(fields AS TEXT)) THEN CAST(fields AS TEXT) ELSE '{}' END
        ) AS field
        WHERE field.type = 'object'
            AND (
                json_extract(field.value, '$.isEncrypted') = 1
                OR json_extract(field.value, '$.type') LIKE 'ENCRYPTED%'
            );
        """

    private static let addUnfetched = """
        -- Changed records for which a page of the feed had an error: they are fetched by name.
        CREATE TABLE unfetched (
            zone INTEGER NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (zone, name)
        ) WITHOUT ROWID, STRICT;
        """

    private static let addOwners = """
        -- The scope of the database whose records these are; NULL: nobody has synced yet.
        ALTER TABLE replica ADD COLUMN scope TEXT;
        UPDATE replica SET scope = 'private' WHERE account IS NOT NULL;

        ALTER TABLE conflict ADD COLUMN owner TEXT NOT NULL DEFAULT '';

        -- Two owners may have zones of the same name. The constraint of a column cannot change, so the table
        -- is made again.
        CREATE TABLE owned_zone (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            owner TEXT NOT NULL DEFAULT '',     -- the owner's record name; empty: the person of the replica
            token BLOB,                         -- where its feed goes on; NULL: at its beginning
            taken_token BLOB,                   -- the last batch that the server is known to have taken
            is_made INTEGER NOT NULL,           -- whether the server is known to have it
            is_stale INTEGER NOT NULL,          -- whether the server may know more than this device
            is_purged INTEGER NOT NULL,         -- whether the person removed the app's data
            is_gone INTEGER NOT NULL DEFAULT 0, -- whether it was deleted elsewhere, or is not shared any more
            is_subscribed INTEGER NOT NULL,     -- whether the server tells of changes in it
            is_sweeping INTEGER NOT NULL,       -- whether it is being fetched again from its beginning
            UNIQUE (name, owner)
        ) STRICT;
        INSERT INTO owned_zone
            (id, name, token, taken_token, is_made, is_stale, is_purged, is_gone, is_subscribed, is_sweeping)
        SELECT id, name, token, taken_token, is_made, is_stale, is_purged, is_gone, is_subscribed, is_sweeping
        FROM zone;
        DROP TABLE zone;
        ALTER TABLE owned_zone RENAME TO zone;
        """
}
