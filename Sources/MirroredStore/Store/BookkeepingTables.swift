import GRDB

/// The tables of a mirrored store besides those of its entities. They are in the database of the replica, so
/// an object, its record, and the record's entry in the outbox change in one transaction.
enum BookkeepingTables {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("mirrored 1: history, import, events") { database in
            try database.execute(sql: createTables)
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
}
