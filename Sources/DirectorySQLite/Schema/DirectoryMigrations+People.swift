extension DirectoryMigrations {
    static let people = """
        ALTER TABLE account ADD COLUMN email TEXT;       -- in lower case; NULL: none
        ALTER TABLE account ADD COLUMN phone TEXT;       -- + and digits; NULL: none
        ALTER TABLE account ADD COLUMN given_name TEXT;  -- NULL: not told
        ALTER TABLE account ADD COLUMN family_name TEXT; -- NULL: not told
        ALTER TABLE account ADD COLUMN password TEXT;    -- a hash with its parameters; NULL: none
        ALTER TABLE account ADD COLUMN status TEXT NOT NULL DEFAULT 'available';
        ALTER TABLE account ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;

        -- By an address or number a person is found, and it is one person's.
        CREATE UNIQUE INDEX account_by_email ON account (email) WHERE email IS NOT NULL;
        CREATE UNIQUE INDEX account_by_phone ON account (phone) WHERE phone IS NOT NULL;

        ALTER TABLE session ADD COLUMN container TEXT;   -- NULL: good for every container
        ALTER TABLE session ADD COLUMN environment TEXT; -- NULL: good for every environment
        ALTER TABLE session ADD COLUMN lifetime INTEGER; -- seconds; NULL: without an end
        ALTER TABLE session ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0; -- milliseconds since 1970

        -- To end all sessions of a person.
        CREATE INDEX session_by_account ON session (account);

        CREATE TABLE secret (
            name TEXT PRIMARY KEY,
            bytes BLOB NOT NULL
        ) WITHOUT ROWID, STRICT;

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
        """

    /// The setting is NULL for existing users, because nobody was asked before this migration.
    static let discovery = """
        ALTER TABLE container_user ADD COLUMN discoverable INTEGER; -- 0 or 1; NULL: never asked
        ALTER TABLE account ADD COLUMN email_hash BLOB;  -- NULL: no address, or nobody may find the person
        ALTER TABLE account ADD COLUMN phone_hash BLOB;  -- likewise

        -- By these, devices look for people without telling their addresses.
        CREATE INDEX account_by_email_hash ON account (email_hash) WHERE email_hash IS NOT NULL;
        CREATE INDEX account_by_phone_hash ON account (phone_hash) WHERE phone_hash IS NOT NULL;
        """

    static let quotas = """
        ALTER TABLE account ADD COLUMN quota_bytes INTEGER; -- NULL: as much as everybody
        """

    static let sessionEnds = """
        -- 1: made by an open server for somebody who proved nothing.
        ALTER TABLE session ADD COLUMN is_open INTEGER NOT NULL DEFAULT 0;

        -- Only open servers made sessions without an end: they get one of two weeks.
        UPDATE session SET is_open = 1, lifetime = 1209600 WHERE lifetime IS NULL;

        -- The session's hash; NULL: registered before it was noted.
        ALTER TABLE push_token ADD COLUMN session BLOB;

        -- To end with a session.
        CREATE INDEX push_token_by_session ON push_token (session) WHERE session IS NOT NULL;
        """
}
