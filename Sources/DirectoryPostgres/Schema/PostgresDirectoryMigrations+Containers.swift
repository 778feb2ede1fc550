extension PostgresDirectoryMigrations {
    static let containers = """
        CREATE TABLE container (
            name text COLLATE "C" PRIMARY KEY,
            created_at bigint NOT NULL,         -- milliseconds since 1970
            fallback_url text COLLATE "C"       -- NULL: the server's
        );

        CREATE TABLE secret (
            name text COLLATE "C" PRIMARY KEY,
            bytes bytea NOT NULL
        );

        CREATE TABLE api_token (
            hash bytea PRIMARY KEY,             -- SHA-256 of the token; the token itself is nowhere
            id text COLLATE "C" NOT NULL UNIQUE, -- names it to the operator
            container text COLLATE "C" NOT NULL,
            environment text COLLATE "C" NOT NULL,
            label text COLLATE "C" NOT NULL,
            origins text COLLATE "C" NOT NULL,  -- separated by spaces; empty: any
            callback text COLLATE "C",          -- the address to lead to; NULL: a message to the page
            created_at bigint NOT NULL,         -- milliseconds since 1970
            revoked_at bigint                   -- NULL: in force
        );

        -- To list those of a container.
        CREATE INDEX api_token_by_container ON api_token (container);

        CREATE TABLE server_key (
            id text COLLATE "C" PRIMARY KEY,    -- 64 hexadecimal digits
            container text COLLATE "C" NOT NULL,
            environment text COLLATE "C" NOT NULL,
            label text COLLATE "C" NOT NULL,
            public_key bytea NOT NULL,          -- a point on P-256 in the form of X9.63
            owner text COLLATE "C" NOT NULL,    -- the user record name of whoever runs the container
            created_at bigint NOT NULL,         -- milliseconds since 1970
            revoked_at bigint                   -- NULL: in force
        );

        -- To list those of a container.
        CREATE INDEX server_key_by_container ON server_key (container);

        """

    static let schemas = """
        CREATE TABLE schema_type (
            container text COLLATE "C" NOT NULL,
            environment text COLLATE "C" NOT NULL,
            type text COLLATE "C" NOT NULL,
            PRIMARY KEY (container, environment, type)
        );

        -- Fields, and with their ___names the system fields that are indexed.
        CREATE TABLE schema_field (
            container text COLLATE "C" NOT NULL,
            environment text COLLATE "C" NOT NULL,
            type text COLLATE "C" NOT NULL,
            field text COLLATE "C" NOT NULL,
            kind bigint NOT NULL,               -- the scalar type's number, plus 100 for a list of it
            is_encrypted bigint NOT NULL,
            indexes bigint NOT NULL,            -- the bits of queryable, sortable, searchable
            number bigint,                      -- 1 unsettled, 2 preferred; NULL: the type was known
            PRIMARY KEY (container, environment, type, field),
            FOREIGN KEY (container, environment, type) REFERENCES schema_type
        );

        CREATE TABLE schema_grant (
            container text COLLATE "C" NOT NULL,
            environment text COLLATE "C" NOT NULL,
            type text COLLATE "C" NOT NULL,
            role text COLLATE "C" NOT NULL,
            permissions bigint NOT NULL,        -- the bits of read, create, write
            PRIMARY KEY (container, environment, type, role),
            FOREIGN KEY (container, environment, type) REFERENCES schema_type
        );

        CREATE TABLE schema_role (
            container text COLLATE "C" NOT NULL,
            environment text COLLATE "C" NOT NULL,
            role text COLLATE "C" NOT NULL,
            PRIMARY KEY (container, environment, role)
        );

        CREATE TABLE role_member (
            container text COLLATE "C" NOT NULL,
            environment text COLLATE "C" NOT NULL,
            role text COLLATE "C" NOT NULL,
            user_record_name text COLLATE "C" NOT NULL,
            PRIMARY KEY (container, environment, role, user_record_name),
            FOREIGN KEY (container, environment, role) REFERENCES schema_role ON DELETE CASCADE,
            FOREIGN KEY (container, user_record_name)
                REFERENCES container_user (container, user_record_name) ON DELETE CASCADE
        );

        -- Whoever leaves, leaves all roles.
        CREATE INDEX role_member_by_user ON role_member (container, user_record_name);

        """
}
