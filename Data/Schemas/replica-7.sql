CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);

CREATE TABLE conflict (
    id INTEGER PRIMARY KEY,
    time INTEGER NOT NULL,              -- milliseconds since 1970, by this device's clock
    zone TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    what TEXT NOT NULL,                 -- the row of the merge table that applied
    fields TEXT NOT NULL                -- what was merged, in words
, owner TEXT NOT NULL DEFAULT '') STRICT;

CREATE TABLE encrypted_field (
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (type, name)
) WITHOUT ROWID, STRICT;

CREATE TABLE outbox (
    id INTEGER PRIMARY KEY,
    zone INTEGER NOT NULL,
    name TEXT NOT NULL,
    change INTEGER NOT NULL,            -- counts the edits of this record
    sent INTEGER,                       -- the edit that was sent last; NULL: none
    sent_fields BLOB,                   -- its fields, by which one's own save is recognised
    refusal TEXT, sent_token BLOB,                       -- why the server does not want it; NULL: it was not refused
    UNIQUE (zone, name)
) STRICT;

CREATE INDEX outbox_in_doubt ON outbox (zone) WHERE sent_token IS NOT NULL;

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

CREATE TABLE replica (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    account TEXT,                       -- the person; NULL: nobody has synced yet
    token BLOB,                         -- where the feed of zones goes on; NULL: at its beginning
    is_subscribed INTEGER NOT NULL      -- whether the server tells of new zones
, scope TEXT) STRICT;

CREATE TABLE unfetched (
    zone INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (zone, name)
) WITHOUT ROWID, STRICT;

CREATE TABLE unseen (
    zone INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (zone, name)
) WITHOUT ROWID, STRICT;

CREATE TABLE "zone" (
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

INSERT INTO grdb_migrations (identifier) VALUES ('1: replica, zones, records, outbox');

INSERT INTO grdb_migrations (identifier) VALUES ('2: what conflicts came to');

INSERT INTO grdb_migrations (identifier) VALUES ('3: zones that were deleted elsewhere');

INSERT INTO grdb_migrations (identifier) VALUES ('4: batches by name');

INSERT INTO grdb_migrations (identifier) VALUES ('5: records that the server could not give');

INSERT INTO grdb_migrations (identifier) VALUES ('6: encrypted fields');

INSERT INTO grdb_migrations (identifier) VALUES ('7: zones of other owners');

INSERT INTO replica (id, is_subscribed) VALUES (1, 0);
