CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);

CREATE TABLE asset_owner (
    checksum TEXT NOT NULL,
    record INTEGER NOT NULL REFERENCES record (id),
    PRIMARY KEY (checksum, record)
) WITHOUT ROWID, STRICT;

CREATE TABLE binding (
    zone INTEGER NOT NULL,
    target TEXT NOT NULL,
    kind INTEGER NOT NULL,              -- 1 delete-self, 2 validate, 3 parent
    source INTEGER NOT NULL REFERENCES record (id),
    PRIMARY KEY (zone, target, kind, source)
) WITHOUT ROWID, STRICT;

CREATE TABLE client_batch (
    zone INTEGER NOT NULL,
    person TEXT NOT NULL,
    device TEXT NOT NULL,
    sequence INTEGER NOT NULL,          -- the zone's last change then: the order of the batches
    token BLOB NOT NULL,                -- the name
    exceptions TEXT,                    -- JSON: records of it that were not changed; NULL: none
    PRIMARY KEY (zone, person, device)
) WITHOUT ROWID, STRICT;

CREATE TABLE deleted_zone (
    name TEXT PRIMARY KEY,
    sequence INTEGER NOT NULL,          -- the number of the deletion
    reason INTEGER NOT NULL,            -- 1 deleted, 2 purged, 3 encrypted data reset
    time INTEGER NOT NULL               -- milliseconds since 1970
) WITHOUT ROWID, STRICT;

CREATE TABLE notification (
    id INTEGER PRIMARY KEY,             -- in the order of their making, never used again
    owner TEXT NOT NULL,
    name TEXT,                          -- its identifier; NULL: tells that another was read
    is_read INTEGER NOT NULL,
    time INTEGER NOT NULL,              -- milliseconds since 1970
    content BLOB NOT NULL
) STRICT;

CREATE TABLE notification_owner (
    owner TEXT PRIMARY KEY,             -- one who had too many
    horizon INTEGER NOT NULL            -- the number of the owner's last forgotten notification
) WITHOUT ROWID, STRICT;

CREATE TABLE person_usage (
    person TEXT NOT NULL,
    zone INTEGER NOT NULL,
    record_bytes INTEGER NOT NULL,
    asset_bytes INTEGER NOT NULL, record_count INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (person, zone)
) WITHOUT ROWID, STRICT;

CREATE TABLE "record" (
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

CREATE TABLE record_field (
    id INTEGER PRIMARY KEY,             -- names the columns and tables of its indexes
    type INTEGER NOT NULL REFERENCES record_type (id),
    name TEXT NOT NULL,
    kind INTEGER NOT NULL,              -- the scalar type's number, plus 100 for a list of it
    indexes INTEGER NOT NULL,           -- the bits of queryable, sortable, searchable
    UNIQUE (type, name)
) STRICT;

CREATE TABLE record_type (
    id INTEGER PRIMARY KEY,             -- names the table type_<id>
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE released_asset (
    checksum TEXT PRIMARY KEY
) WITHOUT ROWID, STRICT;

CREATE TABLE share (
    id INTEGER PRIMARY KEY,             -- the id of the share's record
    zone INTEGER NOT NULL,
    name TEXT NOT NULL,                 -- the name of the share's record
    root TEXT,                          -- the name of the root; NULL: the share covers its zone
    end_sequence INTEGER,               -- the number of its end; NULL: it goes on
    end_time INTEGER                    -- milliseconds since 1970; NULL: it goes on
) STRICT;

CREATE TABLE share_feed (
    share INTEGER NOT NULL,
    zone INTEGER NOT NULL,
    name TEXT NOT NULL,
    sequence INTEGER NOT NULL,          -- the number of its last change, entering or leaving
    entered INTEGER NOT NULL,           -- the number at which it first came under the share
    gone_at INTEGER,                    -- milliseconds since 1970; NULL: the share covers it
    PRIMARY KEY (share, name)
) WITHOUT ROWID, STRICT;

CREATE TABLE share_member (
    share INTEGER NOT NULL,
    person TEXT NOT NULL,
    joined INTEGER NOT NULL,            -- the number at which the person joined
    ended INTEGER,                      -- the number at which it ended for them; NULL: not yet
    horizon INTEGER NOT NULL,           -- the number at which an earlier membership ended, or 0
    PRIMARY KEY (share, person)
) WITHOUT ROWID, STRICT;

CREATE TABLE short_guid (
    guid TEXT PRIMARY KEY,
    zone INTEGER NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (zone, name)
) WITHOUT ROWID, STRICT;

CREATE TABLE store (
    identity INTEGER NOT NULL,          -- random; tokens of another database do not fit
    sequence INTEGER NOT NULL,          -- the number of the last change
    time INTEGER NOT NULL,              -- the latest stamp in milliseconds; never goes back
    horizon INTEGER NOT NULL            -- the number of the last forgotten deletion of a zone
, last_notification INTEGER NOT NULL DEFAULT 0, notification_horizon INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE "subscription" (
    id INTEGER PRIMARY KEY,             -- in the order of their making
    owner TEXT NOT NULL,                -- the user record name of whoever is told
    is_shared INTEGER NOT NULL,         -- 1: to the owner's shared database
    name TEXT NOT NULL,
    definition BLOB NOT NULL,           -- as it is answered
    UNIQUE (owner, is_shared, name)
) STRICT;

CREATE TABLE time_mark (
    time INTEGER NOT NULL,              -- milliseconds since 1970
    sequence INTEGER NOT NULL,          -- the number of a change that was made then
    PRIMARY KEY (time, sequence)
) WITHOUT ROWID, STRICT;

CREATE TABLE zone (
    id INTEGER PRIMARY KEY,             -- never used again, so a re-created zone is another zone
    name TEXT NOT NULL UNIQUE,
    sequence INTEGER NOT NULL,          -- the number of the zone's last change
    horizon INTEGER NOT NULL            -- the number of the last deletion that was forgotten
, record_bytes INTEGER, asset_bytes INTEGER, share_horizon INTEGER NOT NULL DEFAULT 0, record_count INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX notification_by_name ON notification (name, owner) WHERE name IS NOT NULL;

CREATE INDEX notification_by_owner ON notification (owner, id) WHERE is_read = 0;

CREATE INDEX notification_by_time ON notification (time);

CREATE INDEX notification_read ON notification (owner, id) WHERE is_read = 1;

CREATE INDEX person_usage_by_size ON person_usage (zone, record_bytes + asset_bytes DESC, person);

CREATE UNIQUE INDEX record_by_change ON record (zone, sequence);

CREATE INDEX share_by_root ON share (zone, root) WHERE end_sequence IS NULL;

CREATE INDEX share_feed_by_change ON share_feed (share, sequence);

CREATE UNIQUE INDEX share_feed_by_record ON share_feed (zone, name) WHERE gone_at IS NULL;

CREATE INDEX share_feed_gone ON share_feed (gone_at) WHERE gone_at IS NOT NULL;

CREATE INDEX share_member_by_person ON share_member (person);

CREATE INDEX tombstone ON record (zone, sequence) WHERE fields IS NULL;

INSERT INTO grdb_migrations (identifier) VALUES ('1: zones, records, bindings, assets');

INSERT INTO grdb_migrations (identifier) VALUES ('2: what records take up');

INSERT INTO grdb_migrations (identifier) VALUES ('3: what the planner is told');

INSERT INTO grdb_migrations (identifier) VALUES ('4: subscriptions and notifications');

INSERT INTO grdb_migrations (identifier) VALUES ('5: people with too many notifications');

INSERT INTO grdb_migrations (identifier) VALUES ('6: what is beside the fields in one piece');

INSERT INTO grdb_migrations (identifier) VALUES ('7: the last batches of devices');

INSERT INTO grdb_migrations (identifier) VALUES ('8: notifications that stand together');

INSERT INTO grdb_migrations (identifier) VALUES ('9: which changes were made when');

INSERT INTO grdb_migrations (identifier) VALUES ('10: what the records of people take up');

INSERT INTO grdb_migrations (identifier) VALUES ('11: shares');

INSERT INTO grdb_migrations (identifier) VALUES ('12: subscriptions to shared databases');

INSERT INTO grdb_migrations (identifier) VALUES ('13: horizons of members');

INSERT INTO grdb_migrations (identifier) VALUES ('14: what records take up besides their fields');

INSERT INTO grdb_migrations (identifier) VALUES ('15: how many records people have, and who has most');
