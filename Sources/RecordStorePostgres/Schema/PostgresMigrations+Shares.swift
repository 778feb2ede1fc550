extension PostgresMigrations {
    static let shareTables = ["share", "share_feed", "share_member", "short_guid"]

    static let shares = """
        -- Shares, ended ones included until that is forgotten. Their terms are in the heads of their records.
        CREATE TABLE share (
            database bigint NOT NULL,
            id bigint NOT NULL,                 -- the id of the share's record
            zone bigint NOT NULL,
            name text COLLATE "C" NOT NULL,     -- the name of the share's record
            root text COLLATE "C",              -- the name of the root; NULL: the share covers its zone
            end_sequence bigint,                -- the number of its end; NULL: it goes on
            end_time bigint,                    -- milliseconds since 1970; NULL: it goes on
            PRIMARY KEY (database, id)
        );

        -- Whether a record is the root of a share.
        CREATE INDEX share_by_root ON share (database, zone, root) WHERE end_sequence IS NULL;

        -- One row for each record that a share of records covers or covered.
        CREATE TABLE share_feed (
            database bigint NOT NULL,
            share bigint NOT NULL,
            zone bigint NOT NULL,
            name text COLLATE "C" NOT NULL,
            sequence bigint NOT NULL,           -- the number of its last change, entering or leaving
            entered bigint NOT NULL,            -- the number at which it first came under the share
            gone_at bigint,                     -- milliseconds since 1970; NULL: the share covers it
            PRIMARY KEY (database, share, name)
        );

        -- The feed of a share is a walk along this index.
        CREATE INDEX share_feed_by_change ON share_feed (database, share, sequence);

        -- Which share covers a record. A record is covered by one share.
        CREATE UNIQUE INDEX share_feed_by_record ON share_feed (database, zone, name) WHERE gone_at IS NULL;

        -- To be forgotten in their time.
        CREATE INDEX share_feed_gone ON share_feed (database, zone, gone_at) WHERE gone_at IS NOT NULL;

        -- People who joined a share.
        CREATE TABLE share_member (
            database bigint NOT NULL,
            share bigint NOT NULL,
            person text COLLATE "C" NOT NULL,
            joined bigint NOT NULL,             -- the number at which the person joined
            ended bigint,                       -- the number at which it ended for them; NULL: not yet
            horizon bigint NOT NULL,            -- tokens from before it are expired for the person
            PRIMARY KEY (database, share, person)
        );

        -- What is shared with a person.
        CREATE INDEX share_member_by_person ON share_member (database, person);

        -- The short GUIDs of roots, and of zones under the name cloudkit.zoneshare.
        CREATE TABLE short_guid (
            database bigint NOT NULL,
            guid text COLLATE "C" NOT NULL,
            zone bigint NOT NULL,
            name text COLLATE "C" NOT NULL,
            PRIMARY KEY (database, guid),
            UNIQUE (database, zone, name)
        );

        """
}
