import GRDB

/// The tables of a mirrored store besides those of its entities. They are in the database of the replica, so
/// an object, its record, and the record's entry in the outbox change in one transaction.
enum BookkeepingTables {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("mirrored 1: history, import, events") { database in
            try database.execute(sql: createTables)
        }
        migrator.registerMigration("mirrored 2: zones of shares") { database in
            try database.execute(sql: addPlaces)
        }
        migrator.registerMigration("mirrored 3: transactions of several stores") { database in
            try database.execute(sql: addJointCommits)
        }
        migrator.registerMigration("mirrored 4: the order of intents") { database in
            try database.execute(
                sql: "ALTER TABLE mirrored_intent ADD COLUMN number INTEGER NOT NULL DEFAULT 0")
        }
        migrator.registerMigration("mirrored 5: the layout") { database in
            try database.execute(
                sql: """
                    -- The layout with which the store was opened last: one row, none before the first time.
                    CREATE TABLE mirrored_layout (
                        fingerprint TEXT NOT NULL
                    ) STRICT
                    """)
        }
        migrator.registerMigration("mirrored 6: pages that are imported at once") { database in
            try database.execute(sql: addImporting)
        }
    }

    private static let createTables = """
        -- The columns of the entities' tables as they were created last: one row for each.
        CREATE TABLE mirrored_column (
            entity TEXT NOT NULL,               -- the root entity
            name TEXT NOT NULL,                 -- the column
            kind TEXT NOT NULL,                 -- the attribute's type, or "relationship"
            PRIMARY KEY (entity, name)
        ) WITHOUT ROWID, STRICT;

        -- The pairs of all relationships with many objects on both sides. The order is that of the record.
        CREATE TABLE mirrored_pair (
            record TEXT PRIMARY KEY,            -- the name of the pair's record
            kind TEXT NOT NULL,                 -- entities and relationships, as the record names them
            first TEXT NOT NULL,                -- the record name of one object
            second TEXT NOT NULL                -- the record name of the other one
        ) WITHOUT ROWID, STRICT;

        -- Find the pairs of an object from each side.
        CREATE INDEX mirrored_pair_by_first ON mirrored_pair (first, kind);
        CREATE INDEX mirrored_pair_by_second ON mirrored_pair (second, kind);

        CREATE TABLE mirrored_transaction (
            token INTEGER PRIMARY KEY AUTOINCREMENT,
            author TEXT NOT NULL,
            time INTEGER NOT NULL               -- milliseconds since 1970, by this device's clock
        ) STRICT;

        CREATE TABLE mirrored_change (
            token INTEGER NOT NULL REFERENCES mirrored_transaction (token),
            entity TEXT NOT NULL,
            name TEXT NOT NULL,                 -- the record name of the object
            kind TEXT NOT NULL,                 -- insert, update, delete
            properties TEXT NOT NULL,           -- the changed attributes and relationships, joined by commas
            PRIMARY KEY (token, name)
        ) WITHOUT ROWID, STRICT;

        -- Records that have changed and are to be imported. Triggers fill the table.
        CREATE TABLE mirrored_queue (
            zone INTEGER NOT NULL,
            name TEXT NOT NULL,
            type TEXT NOT NULL,                 -- the record type before the change
            lacks_file INTEGER NOT NULL DEFAULT 0, -- whether only the file of a long value is missing
            PRIMARY KEY (zone, name)
        ) WITHOUT ROWID, STRICT;

        CREATE TRIGGER mirrored_record_inserted AFTER INSERT ON record
        WHEN new.fields IS NOT NULL
        BEGIN
            INSERT INTO mirrored_queue (zone, name, type) VALUES (new.zone, new.name, new.type)
            ON CONFLICT DO UPDATE SET lacks_file = 0;
        END;

        CREATE TRIGGER mirrored_record_updated AFTER UPDATE OF fields ON record
        WHEN new.fields IS NOT old.fields
        BEGIN
            INSERT INTO mirrored_queue (zone, name, type) VALUES (new.zone, new.name, old.type)
            ON CONFLICT DO UPDATE SET lacks_file = 0;
        END;

        CREATE TRIGGER mirrored_record_deleted AFTER DELETE ON record
        WHEN old.fields IS NOT NULL
        BEGIN
            INSERT INTO mirrored_queue (zone, name, type) VALUES (old.zone, old.name, old.type)
            ON CONFLICT DO UPDATE SET lacks_file = 0;
        END;

        -- Objects that were deleted. A relationship to one of them does not wait for its arrival.
        CREATE TABLE mirrored_deleted (
            name TEXT PRIMARY KEY
        ) WITHOUT ROWID, STRICT;

        -- Records that break the rules of the model. They stay in the replica; the object is as it was.
        CREATE TABLE mirrored_refusal (
            name TEXT PRIMARY KEY,
            type TEXT NOT NULL,
            time INTEGER NOT NULL,              -- milliseconds since 1970, by this device's clock
            culprit TEXT NOT NULL,
            reason TEXT NOT NULL
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE mirrored_event (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            identifier TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,                 -- setup, import, export
            began INTEGER NOT NULL,             -- milliseconds since 1970, by this device's clock
            ended INTEGER NOT NULL,
            error TEXT                          -- NULL: it succeeded
        ) STRICT;
        """

    private static let addPlaces = """
        -- The objects and pairs whose records are in zones of shares.
        CREATE TABLE mirrored_place (
            name TEXT PRIMARY KEY,              -- the record's name
            zone TEXT NOT NULL,
            owner TEXT NOT NULL                 -- the owner's record name; empty: the person of the store
        ) WITHOUT ROWID, STRICT;

        -- Finds the objects of a share.
        CREATE INDEX mirrored_place_by_zone ON mirrored_place (zone, owner);

        -- Records to delete when the server has the record that replaces them in another zone.
        CREATE TABLE mirrored_leaving (
            name TEXT NOT NULL,
            zone TEXT NOT NULL,
            PRIMARY KEY (name, zone)
        ) WITHOUT ROWID, STRICT;

        -- Whether a deletion waits until all zones have been fetched once more, because the record may have
        -- moved to a zone of a share. 0: no; 1: yes; greater: the number of the fetch that is going on.
        ALTER TABLE mirrored_queue ADD COLUMN is_held INTEGER NOT NULL DEFAULT 0;

        -- Finds the deletions that wait: few of many.
        CREATE INDEX mirrored_queue_held ON mirrored_queue (is_held) WHERE is_held > 0;

        -- Up to which change the records of the public database have been fetched, by type.
        CREATE TABLE mirrored_public (
            type TEXT PRIMARY KEY,
            since INTEGER NOT NULL              -- milliseconds since 1970, by the server's clock
        ) WITHOUT ROWID, STRICT;

        -- Events that go on are kept, too. A column's constraint cannot change, so the table is made again.
        CREATE TABLE event_with_beginning (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            identifier TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,                 -- setup, import, export
            began INTEGER NOT NULL,             -- milliseconds since 1970, by this device's clock
            ended INTEGER,                      -- NULL: it goes on, or the process ended meanwhile
            error TEXT                          -- NULL: it has no error
        ) STRICT;
        INSERT INTO event_with_beginning SELECT * FROM mirrored_event;
        DROP TABLE mirrored_event;
        ALTER TABLE event_with_beginning RENAME TO mirrored_event;

        DROP TRIGGER mirrored_record_inserted;
        DROP TRIGGER mirrored_record_updated;
        DROP TRIGGER mirrored_record_deleted;

        CREATE TRIGGER mirrored_record_inserted AFTER INSERT ON record
        WHEN new.fields IS NOT NULL
        BEGIN
            INSERT INTO mirrored_queue (zone, name, type) VALUES (new.zone, new.name, new.type)
            ON CONFLICT DO UPDATE SET lacks_file = 0, is_held = 0;
        END;

        CREATE TRIGGER mirrored_record_updated AFTER UPDATE OF fields ON record
        WHEN new.fields IS NOT old.fields
        BEGIN
            INSERT INTO mirrored_queue (zone, name, type) VALUES (new.zone, new.name, old.type)
            ON CONFLICT DO UPDATE SET lacks_file = 0, is_held = 0;
        END;

        CREATE TRIGGER mirrored_record_deleted AFTER DELETE ON record
        WHEN old.fields IS NOT NULL
        BEGIN
            INSERT INTO mirrored_queue (zone, name, type, is_held)
            VALUES (old.zone, old.name, old.type, 1)
            ON CONFLICT DO UPDATE SET lacks_file = 0, is_held = 1;
        END;
        """

    private static let addImporting = """
        -- One row while a page is applied whose new records are imported in the same transaction; otherwise
        -- none. They need not be queued.
        CREATE TABLE mirrored_importing (
            id INTEGER PRIMARY KEY CHECK (id = 1)
        ) STRICT;

        DROP TRIGGER mirrored_record_inserted;

        CREATE TRIGGER mirrored_record_inserted AFTER INSERT ON record
        WHEN new.fields IS NOT NULL AND NOT EXISTS (SELECT 1 FROM mirrored_importing)
        BEGIN
            INSERT INTO mirrored_queue (zone, name, type) VALUES (new.zone, new.name, new.type)
            ON CONFLICT DO UPDATE SET lacks_file = 0, is_held = 0;
        END;
        """

    private static let addJointCommits = """
        -- What a transaction that this store has committed changes in other stores. They may not have it yet.
        CREATE TABLE mirrored_intent (
            id TEXT NOT NULL,                   -- the transaction
            store TEXT NOT NULL,                -- the name of the other store
            changes BLOB NOT NULL,              -- JSON
            PRIMARY KEY (id, store)
        ) WITHOUT ROWID, STRICT;

        -- The transactions of several stores that this store has committed, as long as another store has an
        -- intent of them.
        CREATE TABLE mirrored_joint (
            id TEXT PRIMARY KEY
        ) WITHOUT ROWID, STRICT;
        """
}
