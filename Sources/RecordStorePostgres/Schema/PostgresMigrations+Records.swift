extension PostgresMigrations {
    static var first: String { databases + types + records + accounts }

    private static let databases = """
        -- The database that the transaction names; NULL: none. Names and texts have the collation C in all
        -- tables, so that they are compared by their bytes.
        CREATE FUNCTION named_database() RETURNS bigint
            LANGUAGE sql STABLE PARALLEL SAFE
            AS $$ SELECT NULLIF(current_setting('cloudlet.database', TRUE), '')::bigint $$;

        -- One row for each record database. A writer locks it first.
        CREATE TABLE database (
            id bigint PRIMARY KEY,
            identity bigint NOT NULL,           -- random; tokens of another database do not fit
            sequence bigint NOT NULL,           -- the number of the last change
            time bigint NOT NULL,               -- the latest stamp in milliseconds; never goes back
            horizon bigint NOT NULL,            -- the number of the last forgotten deletion of a zone
            deletions bigint NOT NULL,          -- deletions of records since the tombstones were counted
            leavings bigint NOT NULL,           -- leavings of shares since their traces were counted
            catalog bigint NOT NULL,            -- the number of changes of record_type and record_field
            subscriptions bigint NOT NULL,      -- the number of changes of subscription
            last_notification bigint NOT NULL,  -- the number of the last notification
            notification_horizon bigint NOT NULL -- the number of the last forgotten notification
        );

        CREATE TABLE zone (
            database bigint NOT NULL,
            id bigint NOT NULL,                 -- never used again, so a re-created zone is another zone
            name text COLLATE "C" NOT NULL,
            sequence bigint NOT NULL,           -- the number of the zone's last change
            horizon bigint NOT NULL,            -- the number of the last deletion that was forgotten
            share_horizon bigint NOT NULL,      -- the number of the last forgotten row of share_feed
            record_bytes bigint NOT NULL,
            asset_bytes bigint NOT NULL,
            PRIMARY KEY (database, id),
            UNIQUE (database, name)
        );

        -- Zones that are gone, until that is forgotten or the name is used again.
        CREATE TABLE deleted_zone (
            database bigint NOT NULL,
            name text COLLATE "C" NOT NULL,
            sequence bigint NOT NULL,           -- the number of the deletion
            reason bigint NOT NULL,             -- 1 deleted, 2 purged, 3 encrypted data reset
            time bigint NOT NULL,               -- milliseconds since 1970
            PRIMARY KEY (database, name)
        );

        """

    private static let types = """
        CREATE TABLE record_type (
            database bigint NOT NULL,
            id bigint NOT NULL,
            name text COLLATE "C" NOT NULL,
            PRIMARY KEY (database, id),
            UNIQUE (database, name)
        );

        -- The fields that records have, or that have indexes.
        CREATE TABLE record_field (
            database bigint NOT NULL,
            id bigint NOT NULL,                 -- names the entries of its indexes
            type bigint NOT NULL,
            name text COLLATE "C" NOT NULL,
            kind bigint NOT NULL,               -- the scalar type's number, plus 100 for a list of it
            indexes bigint NOT NULL,            -- the bits of queryable, sortable, searchable; 0: no entries
            PRIMARY KEY (database, id),
            UNIQUE (database, type, name)
        );

        """

    private static var records: String {
        """
        -- Live records and tombstones.
        CREATE TABLE record (
            database bigint NOT NULL,
            id bigint NOT NULL,                 -- the number of its creation, and so its place in that order
            zone bigint NOT NULL,
            type bigint NOT NULL,
            sequence bigint NOT NULL,           -- the number of its last change, and so its change tag
            created_at bigint NOT NULL,         -- milliseconds since 1970; grows with id
            modified_at bigint NOT NULL,        -- milliseconds since 1970; grows with sequence
            name text COLLATE "C" NOT NULL,
            created_by text COLLATE "C" NOT NULL,
            modified_by text COLLATE "C" NOT NULL,
            parent text COLLATE "C",            -- NULL: no parent
            head bytea NOT NULL,                -- stamps, parent, asset slots; empty in a tombstone
            fields bytea,                       -- the bytes of an answer; NULL: a tombstone
            PRIMARY KEY (database, id),
            UNIQUE (database, zone, name)
        ) PARTITION BY HASH (database);
        \(createPartitions(of: "record"))

        -- The feed of a zone's changes is a walk along this index.
        CREATE UNIQUE INDEX record_by_change ON record (database, zone, sequence);

        -- All records of a type, in the order of their creation.
        CREATE INDEX record_by_type ON record (database, zone, type, id) WHERE fields IS NOT NULL;

        -- Deletions, to be forgotten in their time.
        CREATE INDEX tombstone ON record (database, zone, sequence) WHERE fields IS NULL;

        -- References that bind the life of records, found from their target.
        CREATE TABLE binding (
            database bigint NOT NULL,
            zone bigint NOT NULL,
            target text COLLATE "C" NOT NULL,
            kind bigint NOT NULL,               -- 1 delete-self, 2 validate, 3 parent, 4 and 5 loose ones
            source bigint NOT NULL,
            PRIMARY KEY (database, zone, target, kind, source)
        ) PARTITION BY HASH (database);
        \(createPartitions(of: "binding"))

        -- Which record refers to which file.
        CREATE TABLE asset_owner (
            database bigint NOT NULL,
            checksum text COLLATE "C" NOT NULL,
            record bigint NOT NULL,
            PRIMARY KEY (database, checksum, record)
        ) PARTITION BY HASH (database);
        \(createPartitions(of: "asset_owner"))

        -- The files of a record, when its zone is deleted.
        CREATE INDEX asset_owner_by_record ON asset_owner (database, record);

        -- Files that lost their last owner and are not yet collected.
        CREATE TABLE released_asset (
            database bigint NOT NULL,
            checksum text COLLATE "C" NOT NULL,
            PRIMARY KEY (database, checksum)
        );

        """
    }

    private static let accounts = """
        -- What the records that a person created take up in a zone; no row: there are none.
        CREATE TABLE person_usage (
            database bigint NOT NULL,
            person text COLLATE "C" NOT NULL,
            zone bigint NOT NULL,
            record_bytes bigint NOT NULL,
            asset_bytes bigint NOT NULL,
            PRIMARY KEY (database, person, zone)
        );

        -- The last batch in a zone that a device gave a name, and of which something was done.
        CREATE TABLE client_batch (
            database bigint NOT NULL,
            zone bigint NOT NULL,
            person text COLLATE "C" NOT NULL,
            device text COLLATE "C" NOT NULL,
            sequence bigint NOT NULL,           -- the zone's last change then: the order of the batches
            token bytea NOT NULL,               -- the name
            exceptions text[] COLLATE "C" NOT NULL, -- records of it that were not changed
            PRIMARY KEY (database, zone, person, device)
        );

        """
}
