import GRDB

/// The migrations from any released version of a file to the current one. A migration never changes once
/// released.
enum StoreMigrations {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: zones, records, bindings, assets") { database in
            try database.execute(sql: first)
        }
        migrator.registerMigration("2: what records take up") { database in
            try database.execute(
                sql: """
                    -- NULL: not counted yet.
                    ALTER TABLE zone ADD COLUMN record_bytes INTEGER;
                    ALTER TABLE zone ADD COLUMN asset_bytes INTEGER;
                    """
            )
        }
        migrator.registerMigration("3: what the planner is told") { database in
            try database.execute(sql: third)
        }
        migrator.registerMigration("4: subscriptions and notifications") { database in
            try database.execute(sql: pushTables)
        }
        migrator.registerMigration("5: people with too many notifications") { database in
            try database.execute(sql: horizonTable)
        }
        migrator.registerMigration("6: what is beside the fields in one piece") { database in
            try database.execute(sql: heads)
        }
        migrator.registerMigration("7: the last batches of devices") { database in
            try database.execute(sql: clientTable)
        }
        migrator.registerMigration("8: notifications that stand together") { database in
            try database.execute(sql: readIndex)
        }
        migrator.registerMigration("9: which changes were made when") { database in
            try database.execute(sql: timeMarks)
        }
        migrator.registerMigration("10: what the records of people take up") { database in
            try database.execute(sql: personUsage)
        }
        migrator.registerMigration("11: shares") { database in
            try database.execute(sql: shareTables)
        }
        migrator.registerMigration("12: subscriptions to shared databases") { database in
            try database.execute(sql: sharedSubscriptions)
        }
        migrator.registerMigration("13: horizons of members", migrate: settleMembers)
        migrator.registerMigration("14: what records take up besides their fields") { database in
            // Every zone is counted again when the file is opened.
            try database.execute(sql: "UPDATE zone SET record_bytes = NULL, asset_bytes = NULL")
        }
        migrator.registerMigration("15: how many records people have, and who has most") { database in
            try database.execute(sql: recordCounts)
        }
        return migrator
    }

    private static let first = """
        -- One row: what the whole database shares.
        CREATE TABLE store (
            identity INTEGER NOT NULL,          -- random; tokens of another database do not fit
            sequence INTEGER NOT NULL,          -- the number of the last change
            time INTEGER NOT NULL,              -- the latest stamp in milliseconds; never goes back
            horizon INTEGER NOT NULL            -- the number of the last forgotten deletion of a zone
        ) STRICT;

        CREATE TABLE zone (
            id INTEGER PRIMARY KEY,             -- never used again, so a re-created zone is another zone
            name TEXT NOT NULL UNIQUE,
            sequence INTEGER NOT NULL,          -- the number of the zone's last change
            horizon INTEGER NOT NULL            -- the number of the last deletion that was forgotten
        ) STRICT;

        -- Zones that are gone, until that is forgotten or the name is used again.
        CREATE TABLE deleted_zone (
            name TEXT PRIMARY KEY,
            sequence INTEGER NOT NULL,          -- the number of the deletion
            reason INTEGER NOT NULL,            -- 1 deleted, 2 purged, 3 encrypted data reset
            time INTEGER NOT NULL               -- milliseconds since 1970
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE record_type (
            id INTEGER PRIMARY KEY,             -- names the table type_<id>
            name TEXT NOT NULL UNIQUE
        ) STRICT;

        CREATE TABLE record_field (
            id INTEGER PRIMARY KEY,             -- names the columns and tables of its indexes
            type INTEGER NOT NULL REFERENCES record_type (id),
            name TEXT NOT NULL,
            kind INTEGER NOT NULL,              -- the scalar type's number, plus 100 for a list of it
            indexes INTEGER NOT NULL,           -- the bits of queryable, sortable, searchable
            UNIQUE (type, name)
        ) STRICT;

        -- Live records and tombstones.
        CREATE TABLE record (
            id INTEGER PRIMARY KEY,             -- the number of its creation, and so its place in that order
            zone INTEGER NOT NULL REFERENCES zone (id),
            name TEXT NOT NULL,
            type INTEGER NOT NULL REFERENCES record_type (id),
            sequence INTEGER NOT NULL,          -- the number of its last change, and so its change tag
            created_at INTEGER NOT NULL,        -- milliseconds since 1970; grows with id
            created_by TEXT NOT NULL,
            created_on TEXT,                    -- NULL: no device was named
            modified_at INTEGER NOT NULL,       -- milliseconds since 1970; grows with sequence
            modified_by TEXT NOT NULL,
            modified_on TEXT,                   -- NULL: no device was named
            parent TEXT,                        -- NULL: no parent
            fields BLOB,                        -- the bytes of an answer; NULL: a tombstone
            asset_slots TEXT,                   -- NULL: no assets
            UNIQUE (zone, name)
        ) STRICT;

        -- The feed of a zone's changes is a walk along this index.
        CREATE UNIQUE INDEX record_by_change ON record (zone, sequence);

        -- Deletions, to be forgotten in their time.
        CREATE INDEX tombstone ON record (zone, sequence) WHERE fields IS NULL;

        -- References that bind the life of records, found from their target.
        CREATE TABLE binding (
            zone INTEGER NOT NULL,
            target TEXT NOT NULL,
            kind INTEGER NOT NULL,              -- 1 delete-self, 2 validate, 3 parent
            source INTEGER NOT NULL REFERENCES record (id),
            PRIMARY KEY (zone, target, kind, source)
        ) WITHOUT ROWID, STRICT;

        -- Which record refers to which file.
        CREATE TABLE asset_owner (
            checksum TEXT NOT NULL,
            record INTEGER NOT NULL REFERENCES record (id),
            PRIMARY KEY (checksum, record)
        ) WITHOUT ROWID, STRICT;

        -- Files that lost their last owner and are not yet collected.
        CREATE TABLE released_asset (
            checksum TEXT PRIMARY KEY
        ) WITHOUT ROWID, STRICT;
        """

    private static let clientTable = """
        -- The last batch in a zone that a device gave a name, and of which something was done.
        CREATE TABLE client_batch (
            zone INTEGER NOT NULL,
            person TEXT NOT NULL,
            device TEXT NOT NULL,
            sequence INTEGER NOT NULL,          -- the zone's last change then: the order of the batches
            token BLOB NOT NULL,                -- the name
            exceptions TEXT,                    -- JSON: records of it that were not changed; NULL: none
            PRIMARY KEY (zone, person, device)
        ) WITHOUT ROWID, STRICT;
        """

    private static let personUsage = """
        -- What the records that a person created take up in a zone; no row: there are none.
        CREATE TABLE person_usage (
            person TEXT NOT NULL,
            zone INTEGER NOT NULL,
            record_bytes INTEGER NOT NULL,
            asset_bytes INTEGER NOT NULL,
            PRIMARY KEY (person, zone)
        ) WITHOUT ROWID, STRICT;

        -- Every zone is counted again, and its people with it, when the file is opened.
        UPDATE zone SET record_bytes = NULL, asset_bytes = NULL;
        """

    private static let recordCounts = """
        ALTER TABLE zone ADD COLUMN record_count INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE person_usage ADD COLUMN record_count INTEGER NOT NULL DEFAULT 0;

        -- To list those whose records take up most.
        CREATE INDEX person_usage_by_size ON person_usage (zone, record_bytes + asset_bytes DESC, person);

        -- Every zone is counted again, and its people with it, when the file is opened.
        UPDATE zone SET record_bytes = NULL, asset_bytes = NULL;
        """

    /// Creates SQLite's statistics table, and fills it for the types that exist.
    private static let third = """
        ANALYZE sqlite_schema;
        INSERT INTO sqlite_stat1 (tbl, idx, stat)
            SELECT name, name, '1000000 1000000 1' FROM sqlite_schema
            WHERE type = 'table' AND name GLOB 'type_[0-9]*';
        INSERT INTO sqlite_stat1 (tbl, idx, stat)
            SELECT name, name, '1000000 1000000 10 1' FROM sqlite_schema
            WHERE type = 'table' AND name GLOB 'element_[0-9]*';
        INSERT INTO sqlite_stat1 (tbl, idx, stat)
            SELECT tbl_name, name, '1000000 1000000 ' || CASE
                WHEN name GLOB '*_sequence' THEN '1' WHEN name GLOB '*_by' THEN '1000' ELSE '10' END
            FROM sqlite_schema WHERE type = 'index' AND name GLOB 'type_[0-9]*_*';
        ANALYZE sqlite_schema;
        """
}
