extension PostgresDirectoryMigrations {
    static let people = """
        CREATE TABLE account (
            id text COLLATE "C" PRIMARY KEY,
            name text COLLATE "C" NOT NULL UNIQUE, -- the name to sign in with
            email text COLLATE "C",             -- in lower case; NULL: none
            phone text COLLATE "C",             -- + and digits; NULL: none
            given_name text COLLATE "C",        -- NULL: not told
            family_name text COLLATE "C",       -- NULL: not told
            password text COLLATE "C",          -- a hash with its parameters; NULL: none
            status text COLLATE "C" NOT NULL,
            created_at bigint NOT NULL,         -- milliseconds since 1970
            quota_bytes bigint,                 -- NULL: the server's
            email_hash bytea,                   -- NULL: no address, or nobody may find the person
            phone_hash bytea                    -- likewise
        );

        -- By an address or number a person is found, and it is one person's.
        CREATE UNIQUE INDEX account_by_email ON account (email) WHERE email IS NOT NULL;
        CREATE UNIQUE INDEX account_by_phone ON account (phone) WHERE phone IS NOT NULL;

        -- By these, devices look for people without telling their addresses.
        CREATE INDEX account_by_email_hash ON account (email_hash) WHERE email_hash IS NOT NULL;
        CREATE INDEX account_by_phone_hash ON account (phone_hash) WHERE phone_hash IS NOT NULL;

        CREATE TABLE session (
            hash bytea PRIMARY KEY,             -- SHA-256 of the token; the token itself is nowhere
            account text COLLATE "C" NOT NULL REFERENCES account (id),
            container text COLLATE "C",         -- NULL: valid in every container
            environment text COLLATE "C",       -- NULL: valid in every environment
            lifetime bigint,                    -- seconds; NULL: without an end
            seen_at bigint NOT NULL,            -- milliseconds since 1970
            created_at bigint NOT NULL,         -- milliseconds since 1970
            is_open bigint NOT NULL             -- 1: begun by an open server, without proof of identity
        );

        -- To end all sessions of a person.
        CREATE INDEX session_by_account ON session (account);

        CREATE TABLE container_user (
            container text COLLATE "C" NOT NULL,
            account text COLLATE "C" NOT NULL REFERENCES account (id),
            user_record_name text COLLATE "C" NOT NULL, -- random, so it says nothing in another container
            discoverable bigint,                -- 0 or 1; NULL: never asked
            PRIMARY KEY (container, account),
            UNIQUE (container, user_record_name)
        );

        -- The containers of a person.
        CREATE INDEX container_user_by_account ON container_user (account);

        -- The link of a share names its owner, but not the container.
        CREATE INDEX container_user_by_name ON container_user (user_record_name);

        CREATE TABLE linked_address (
            address text COLLATE "C" PRIMARY KEY, -- mailto: or tel:, then the address
            account text COLLATE "C" NOT NULL REFERENCES account (id)
        );

        -- To find and remove those of a person.
        CREATE INDEX linked_address_by_account ON linked_address (account);

        """

    static let push = """
        CREATE TABLE push_token (
            container text COLLATE "C" NOT NULL,
            environment text COLLATE "C" NOT NULL,
            token text COLLATE "C" NOT NULL,
            service text COLLATE "C" NOT NULL,  -- which push service: development or production
            user_record_name text COLLATE "C" NOT NULL,
            client text COLLATE "C",            -- NULL: it does not say its name
            created_at bigint NOT NULL,         -- milliseconds since 1970
            session bytea,                      -- the session's hash; NULL: registered without a session
            PRIMARY KEY (container, environment, token)
        );

        -- Who shows a token names no container.
        CREATE INDEX push_token_by_text ON push_token (token);

        -- To end with a session.
        CREATE INDEX push_token_by_session ON push_token (session) WHERE session IS NOT NULL;

        -- To end with all sessions of a person.
        CREATE INDEX push_token_by_user ON push_token (container, user_record_name);

        CREATE TABLE badge (
            container text COLLATE "C" NOT NULL,
            environment text COLLATE "C" NOT NULL,
            user_record_name text COLLATE "C" NOT NULL,
            value bigint NOT NULL,
            PRIMARY KEY (container, environment, user_record_name)
        );

        CREATE TABLE shared_zone (
            number bigint PRIMARY KEY,          -- in the order of the acceptances, never used again
            container text COLLATE "C" NOT NULL,
            environment text COLLATE "C" NOT NULL,
            user_record_name text COLLATE "C" NOT NULL, -- the person who accepted
            owner text COLLATE "C" NOT NULL,    -- the record name of the zone's owner
            zone text COLLATE "C" NOT NULL,
            ended_at bigint,                    -- milliseconds since 1970; NULL: not yet
            UNIQUE (container, environment, user_record_name, owner, zone)
        );

        """
}
