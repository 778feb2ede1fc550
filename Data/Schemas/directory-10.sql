CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);

CREATE TABLE account (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE           -- the name to sign in with
, email TEXT, phone TEXT, given_name TEXT, family_name TEXT, password TEXT, status TEXT NOT NULL DEFAULT 'available', created_at INTEGER NOT NULL DEFAULT 0, email_hash BLOB, phone_hash BLOB, quota_bytes INTEGER) WITHOUT ROWID, STRICT;

CREATE TABLE api_token (
    hash BLOB PRIMARY KEY,              -- SHA-256 of the token; the token itself is nowhere
    id TEXT NOT NULL UNIQUE,            -- names it to the operator
    container TEXT NOT NULL,
    environment TEXT NOT NULL,
    label TEXT NOT NULL,
    origins TEXT NOT NULL,              -- separated by spaces; empty: any
    callback TEXT,                      -- the address to lead to; NULL: a message to the page
    created_at INTEGER NOT NULL,        -- milliseconds since 1970
    revoked_at INTEGER                  -- NULL: in force
) WITHOUT ROWID, STRICT;

CREATE TABLE audit_entry (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,                -- milliseconds since 1970
    operator TEXT NOT NULL,             -- the name; the operator may be gone
    container_name TEXT,                -- NULL: the whole server; the container may be gone
    environment TEXT,                   -- NULL: both
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    before TEXT,                        -- NULL: it was not there
    after TEXT                          -- NULL: it is gone
) STRICT;

CREATE TABLE audit_share (
    operator TEXT NOT NULL,
    action TEXT NOT NULL,
    entries INTEGER NOT NULL,
    PRIMARY KEY (operator, action)
) WITHOUT ROWID, STRICT;

CREATE TABLE badge (
    container TEXT NOT NULL,
    environment TEXT NOT NULL,
    user_record_name TEXT NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (container, environment, user_record_name)
) WITHOUT ROWID, STRICT;

CREATE TABLE container (
    name TEXT PRIMARY KEY,
    created_at INTEGER NOT NULL         -- milliseconds since 1970; 0: before it was noted
, fallback_url TEXT) WITHOUT ROWID, STRICT;

CREATE TABLE container_user (
    container TEXT NOT NULL,
    account TEXT NOT NULL REFERENCES account (id),
    user_record_name TEXT NOT NULL, discoverable INTEGER,     -- random, so that it says nothing in another container
    PRIMARY KEY (container, account),
    UNIQUE (container, user_record_name)
) WITHOUT ROWID, STRICT;

CREATE TABLE linked_address (
    address TEXT PRIMARY KEY,           -- mailto: or tel:, then the address
    account TEXT NOT NULL REFERENCES account (id)
) WITHOUT ROWID, STRICT;

CREATE TABLE operator (
    name TEXT PRIMARY KEY,
    role TEXT,                          -- NULL: roles in single containers only
    password TEXT NOT NULL,             -- its hash
    created_at INTEGER NOT NULL         -- milliseconds since 1970
) WITHOUT ROWID, STRICT;

CREATE TABLE operator_container (
    operator TEXT NOT NULL REFERENCES operator (name),
    container TEXT NOT NULL,
    role TEXT NOT NULL,
    PRIMARY KEY (operator, container)
) WITHOUT ROWID, STRICT;

CREATE TABLE push_token (
    container TEXT NOT NULL,
    environment TEXT NOT NULL,
    token TEXT NOT NULL,
    service TEXT NOT NULL,              -- which push service: development or production
    user_record_name TEXT NOT NULL,
    client TEXT,                        -- NULL: it does not say its name
    created_at INTEGER NOT NULL, session BLOB,        -- milliseconds since 1970
    PRIMARY KEY (container, environment, token)
) WITHOUT ROWID, STRICT;

CREATE TABLE role_member (
    container TEXT NOT NULL,
    environment TEXT NOT NULL,
    role TEXT NOT NULL,
    user_record_name TEXT NOT NULL,
    PRIMARY KEY (container, environment, role, user_record_name),
    FOREIGN KEY (container, environment, role) REFERENCES schema_role ON DELETE CASCADE,
    FOREIGN KEY (container, user_record_name)
        REFERENCES container_user (container, user_record_name) ON DELETE CASCADE
) WITHOUT ROWID, STRICT;

CREATE TABLE schema_field (
    container TEXT NOT NULL,
    environment TEXT NOT NULL,
    type TEXT NOT NULL,
    field TEXT NOT NULL,
    kind INTEGER NOT NULL,              -- the scalar type's number, plus 100 for a list of it
    is_encrypted INTEGER NOT NULL,
    indexes INTEGER NOT NULL, number INTEGER,           -- the bits of queryable, sortable, searchable
    PRIMARY KEY (container, environment, type, field),
    FOREIGN KEY (container, environment, type) REFERENCES schema_type
) WITHOUT ROWID, STRICT;

CREATE TABLE schema_grant (
    container TEXT NOT NULL,
    environment TEXT NOT NULL,
    type TEXT NOT NULL,
    role TEXT NOT NULL,
    permissions INTEGER NOT NULL,       -- the bits of read, create, write
    PRIMARY KEY (container, environment, type, role),
    FOREIGN KEY (container, environment, type) REFERENCES schema_type
) WITHOUT ROWID, STRICT;

CREATE TABLE schema_role (
    container TEXT NOT NULL,
    environment TEXT NOT NULL,
    role TEXT NOT NULL,
    PRIMARY KEY (container, environment, role)
) WITHOUT ROWID, STRICT;

CREATE TABLE schema_type (
    container TEXT NOT NULL,
    environment TEXT NOT NULL,
    type TEXT NOT NULL,
    PRIMARY KEY (container, environment, type)
) WITHOUT ROWID, STRICT;

CREATE TABLE secret (
    name TEXT PRIMARY KEY,
    bytes BLOB NOT NULL
) WITHOUT ROWID, STRICT;

CREATE TABLE server_key (
    id TEXT PRIMARY KEY,                -- 64 hexadecimal digits
    container TEXT NOT NULL,
    environment TEXT NOT NULL,
    label TEXT NOT NULL,
    public_key BLOB NOT NULL,           -- a point on P-256 in the form of X9.63
    owner TEXT NOT NULL,                -- the user record name of whoever runs the container
    created_at INTEGER NOT NULL,        -- milliseconds since 1970
    revoked_at INTEGER                  -- NULL: in force
) WITHOUT ROWID, STRICT;

CREATE TABLE session (
    hash BLOB PRIMARY KEY,              -- SHA-256 of the token; the token itself is nowhere
    account TEXT NOT NULL REFERENCES account (id),
    created_at INTEGER NOT NULL         -- milliseconds since 1970
, container TEXT, environment TEXT, lifetime INTEGER, seen_at INTEGER NOT NULL DEFAULT 0, is_open INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID, STRICT;

CREATE TABLE shared_zone (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    container TEXT NOT NULL,
    environment TEXT NOT NULL,
    user_record_name TEXT NOT NULL,     -- the person who accepted
    owner TEXT NOT NULL,                -- the record name of the zone's owner
    zone TEXT NOT NULL, ended_at INTEGER,
    UNIQUE (container, environment, user_record_name, owner, zone)
) STRICT;

CREATE UNIQUE INDEX account_by_email ON account (email) WHERE email IS NOT NULL;

CREATE INDEX account_by_email_hash ON account (email_hash) WHERE email_hash IS NOT NULL;

CREATE UNIQUE INDEX account_by_phone ON account (phone) WHERE phone IS NOT NULL;

CREATE INDEX account_by_phone_hash ON account (phone_hash) WHERE phone_hash IS NOT NULL;

CREATE INDEX audit_entry_by_container ON audit_entry (container_name, number);

CREATE INDEX audit_entry_by_operator ON audit_entry (operator, action, number);

CREATE INDEX container_user_by_name ON container_user (user_record_name);

CREATE INDEX linked_address_by_account ON linked_address (account);

CREATE INDEX push_token_by_session ON push_token (session) WHERE session IS NOT NULL;

CREATE INDEX push_token_by_text ON push_token (token);

CREATE INDEX role_member_by_user ON role_member (container, user_record_name);

CREATE INDEX session_by_account ON session (account);

INSERT INTO grdb_migrations (identifier) VALUES ('1: accounts, sessions, container users, schemas');

INSERT INTO grdb_migrations (identifier) VALUES ('containers');

INSERT INTO grdb_migrations (identifier) VALUES ('2: people, sessions with an end, tokens, keys');

INSERT INTO grdb_migrations (identifier) VALUES ('roles: grants, members, notation of numbers');

INSERT INTO grdb_migrations (identifier) VALUES ('discovery: permissions, hashes of addresses');

INSERT INTO grdb_migrations (identifier) VALUES ('push: devices, badges');

INSERT INTO grdb_migrations (identifier) VALUES ('sessions of open servers, devices of sessions');

INSERT INTO grdb_migrations (identifier) VALUES ('quotas of persons');

INSERT INTO grdb_migrations (identifier) VALUES ('zones that others share');

INSERT INTO grdb_migrations (identifier) VALUES ('addresses that people proved to own, web pages of apps');

INSERT INTO grdb_migrations (identifier) VALUES ('operators of the console, audit log');

INSERT INTO grdb_migrations (identifier) VALUES ('ends of zones that others share');

INSERT INTO grdb_migrations (identifier) VALUES ('shares of the audit log');
