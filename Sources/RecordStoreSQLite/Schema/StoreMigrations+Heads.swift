extension StoreMigrations {
    static let heads = """
        CREATE TABLE record_with_head (
            id INTEGER PRIMARY KEY,             -- the number of its creation, and so its place in that order
            zone INTEGER NOT NULL REFERENCES zone (id),
            type INTEGER NOT NULL REFERENCES record_type (id),
            sequence INTEGER NOT NULL,          -- the number of its last change, and so its change tag
            name TEXT NOT NULL,
            head BLOB NOT NULL,                 -- stamps, parent, asset slots; empty in a tombstone
            created_at INTEGER NOT NULL,        -- milliseconds since 1970; grows with id
            modified_at INTEGER NOT NULL,       -- milliseconds since 1970; grows with sequence
            parent TEXT,                        -- NULL: no parent
            fields BLOB,                        -- the bytes of an answer; NULL: a tombstone
            UNIQUE (zone, name)
        ) STRICT;

        INSERT INTO record_with_head
            SELECT id, zone, type, sequence, name,
                CASE WHEN fields IS NULL THEN X'' ELSE record_head(
                    created_at, created_by, created_on, modified_at, modified_by, modified_on, parent,
                    asset_slots
                ) END,
                created_at, modified_at, parent, fields
            FROM record
            ORDER BY id;

        DROP TABLE record;
        ALTER TABLE record_with_head RENAME TO record;

        -- The feed of a zone's changes is a walk along this index.
        CREATE UNIQUE INDEX record_by_change ON record (zone, sequence);

        -- Deletions, to be forgotten in their time.
        CREATE INDEX tombstone ON record (zone, sequence) WHERE fields IS NULL;
        """
}
