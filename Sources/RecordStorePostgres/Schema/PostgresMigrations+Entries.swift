extension PostgresMigrations {
    /// Entries of the indexes on fields: a row for each value, list element and word.
    static var entries: String {
        """
        -- Whole numbers and times. Under the number of a list, negated, the count of its elements; under that
        -- of another field, negated, 0 for each record that lacks the field.
        CREATE TABLE entry_integer (
            database bigint NOT NULL,
            zone bigint NOT NULL,
            field bigint NOT NULL,
            record bigint NOT NULL,
            value bigint NOT NULL,
            PRIMARY KEY (database, zone, field, value, record)
        ) PARTITION BY HASH (database);
        \(createPartitions(of: "entry_integer"))

        CREATE TABLE entry_real (
            database bigint NOT NULL,
            zone bigint NOT NULL,
            field bigint NOT NULL,
            record bigint NOT NULL,
            value double precision NOT NULL,
            PRIMARY KEY (database, zone, field, value, record)
        ) PARTITION BY HASH (database);
        \(createPartitions(of: "entry_real"))

        -- Texts by their UTF-8 bytes, bytes, references by their keys, and under the number of a searchable
        -- text, negated, its words. An index key is limited in size, so it has only the head of a value.
        CREATE TABLE entry_bytes (
            database bigint NOT NULL,
            zone bigint NOT NULL,
            field bigint NOT NULL,
            record bigint NOT NULL,
            head bytea NOT NULL,                -- at most 512 bytes
            rest bytea NOT NULL                 -- the bytes after these
        ) PARTITION BY HASH (database);
        \(createPartitions(of: "entry_bytes"))

        CREATE INDEX entry_bytes_by_value ON entry_bytes (database, zone, field, head, record);

        -- PostgreSQL does not use a GiST index on points here: the operator `<@` is not marked as leakproof,
        -- so it must not see rows before row level security has.
        CREATE TABLE entry_place (
            database bigint NOT NULL,
            zone bigint NOT NULL,
            field bigint NOT NULL,
            record bigint NOT NULL,
            latitude double precision NOT NULL,
            longitude double precision NOT NULL,
            PRIMARY KEY (database, record, field)
        ) PARTITION BY HASH (database);
        \(createPartitions(of: "entry_place"))

        -- A range of latitudes; the longitudes are compared inside the index.
        CREATE INDEX entry_place_by_place ON entry_place
            (database, zone, field, latitude, longitude, record);

        -- The entries of a record, to be read as sort values and removed.
        CREATE INDEX entry_integer_by_record ON entry_integer (database, record, field);
        CREATE INDEX entry_real_by_record ON entry_real (database, record, field);
        CREATE INDEX entry_bytes_by_record ON entry_bytes (database, record, field);

        -- The distance of two places in metres, computed as `Location.distance(to:)` does.
        CREATE FUNCTION place_distance(
            latitude double precision, longitude double precision,
            other_latitude double precision, other_longitude double precision
        ) RETURNS double precision
            LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
            AS $$
                SELECT 2 * 6371008.8 * asin(least(1, sqrt(
                    sin((other_latitude - latitude) * (pi() / 180) / 2)
                        * sin((other_latitude - latitude) * (pi() / 180) / 2)
                    + cos(latitude * (pi() / 180)) * cos(other_latitude * (pi() / 180))
                        * sin((other_longitude - longitude) * (pi() / 180) / 2)
                        * sin((other_longitude - longitude) * (pi() / 180) / 2)
                )))
            $$;

        """
    }
}
