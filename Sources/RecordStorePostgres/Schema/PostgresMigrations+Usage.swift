extension PostgresMigrations {
    /// Under the policies, a transaction that names no database sees no rows. So they are off for the owner
    /// of the tables while the records of all databases are counted.
    static let recordCounts = """
        ALTER TABLE zone ADD COLUMN record_count bigint NOT NULL DEFAULT 0;
        ALTER TABLE person_usage ADD COLUMN record_count bigint NOT NULL DEFAULT 0;

        ALTER TABLE zone NO FORCE ROW LEVEL SECURITY;
        ALTER TABLE person_usage NO FORCE ROW LEVEL SECURITY;
        ALTER TABLE record NO FORCE ROW LEVEL SECURITY;
        UPDATE person_usage u
        SET record_count = c.records
        FROM (
            SELECT database, zone, created_by, COUNT(*) AS records
            FROM record
            WHERE fields IS NOT NULL
            GROUP BY database, zone, created_by
        ) c
        WHERE u.database = c.database AND u.zone = c.zone AND u.person = c.created_by;
        UPDATE zone z
        SET record_count = c.records
        FROM (
            SELECT database, zone, SUM(record_count) AS records
            FROM person_usage
            GROUP BY database, zone
        ) c
        WHERE z.database = c.database AND z.id = c.zone;
        ALTER TABLE zone FORCE ROW LEVEL SECURITY;
        ALTER TABLE person_usage FORCE ROW LEVEL SECURITY;
        ALTER TABLE record FORCE ROW LEVEL SECURITY;

        -- To list those whose records take up most. The sum of two bigints may be no bigint.
        CREATE INDEX person_usage_by_size ON person_usage (
            database, zone, (record_bytes::numeric + asset_bytes) DESC, person
        );

        """
}
