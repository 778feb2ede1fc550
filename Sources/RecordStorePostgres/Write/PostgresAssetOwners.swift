import PostgreSQLSupport
import Records

/// Reads and writes which records refer to which files, and which files lost their last reference.
struct PostgresAssetOwners {
    let session: PostgresSession

    func own(_ checksums: Set<String>, by record: Int64) throws {
        if checksums.isEmpty { return }
        try session.run(
            "INSERT INTO asset_owner (database, record, checksum) SELECT $1, $2, unnest($3::text[])",
            .integer(record), .texts(Array(checksums)))
    }

    func release(_ checksums: Set<String>, from record: Int64) throws {
        if checksums.isEmpty { return }
        try session.run(
            "DELETE FROM asset_owner WHERE database = $1 AND record = $2 AND checksum = ANY ($3)",
            .integer(record), .texts(Array(checksums)))
        try noteReleased(Array(checksums))
    }

    /// Removes the references of all records of a zone to files.
    func release(allOf zone: Int64) throws {
        let rows = try session.rows(
            """
            WITH lost AS (
                DELETE FROM asset_owner
                USING record r
                WHERE asset_owner.database = $1 AND r.database = $1 AND r.id = asset_owner.record
                    AND r.zone = $2
                RETURNING asset_owner.checksum
            )
            SELECT DISTINCT checksum FROM lost
            """,
            .integer(zone))
        try noteReleased(rows.map { $0.text(0) })
    }

    /// Stores which of these files no record refers to any more, in `released_asset`.
    private func noteReleased(_ checksums: [String]) throws {
        try session.run(
            """
            INSERT INTO released_asset (database, checksum)
            SELECT $1, c.checksum
            FROM unnest($2::text[]) AS c (checksum)
            WHERE NOT EXISTS (
                SELECT 1 FROM asset_owner o WHERE o.database = $1 AND o.checksum = c.checksum
            )
            ON CONFLICT DO NOTHING
            """,
            .texts(checksums))
    }

    // MARK: Reading

    /// Whether any record refers to the file with this checksum.
    func own(_ checksum: String) throws -> Bool {
        try !session.rows(
            "SELECT 1 FROM asset_owner WHERE database = $1 AND checksum = $2 LIMIT 1", .text(checksum)
        ).isEmpty
    }

    /// Those of the files to which records refer that this person created.
    func owned(_ checksums: Set<String>, createdBy person: String) throws -> Set<String> {
        let rows = try session.rows(
            """
            SELECT DISTINCT o.checksum
            FROM asset_owner o
            JOIN record r ON r.database = $1 AND r.id = o.record
            WHERE o.database = $1 AND o.checksum = ANY ($2) AND r.created_by = $3
            """,
            .texts(Array(checksums)), .text(person))
        return Set(rows.map { $0.text(0) })
    }

    /// Those of the files to which the records of a zone refer. The checksums are keyed by record name.
    func owned(_ checksums: [String: Set<String>], in zone: Int64) throws -> [String: Set<String>] {
        let pairs = checksums.flatMap { name, checksums in checksums.map { (name, $0) } }
        // Two look-ups for each pair, whatever plan the engine would choose for a join.
        let rows = try session.rows(
            """
            SELECT w.name, w.checksum
            FROM unnest($3::text[], $4::text[]) AS w (name, checksum)
            CROSS JOIN LATERAL (
                SELECT id
                FROM record
                WHERE database = $1 AND zone = $2 AND name >= w.name AND name <= w.name
                ORDER BY name
                LIMIT 1
            ) AS r
            CROSS JOIN LATERAL (
                SELECT 1
                FROM asset_owner
                WHERE database = $1 AND checksum = w.checksum AND record = r.id
                LIMIT 1
            ) AS o
            """,
            .integer(zone), .texts(pairs.map(\.0)), .texts(pairs.map(\.1)))
        return rows.reduce(into: [:]) { $0[$1.text(0), default: []].insert($1.text(1)) }
    }

    func released(limit: Int) throws -> [String] {
        try session.rows(
            "SELECT checksum FROM released_asset WHERE database = $1 ORDER BY checksum LIMIT $2",
            .count(limit)
        ).map { $0.text(0) }
    }

    func forgetReleased(_ checksums: [String], thatAreOwned: Bool) throws {
        for checksum in checksums where try own(checksum) == thatAreOwned {
            try session.run(
                "DELETE FROM released_asset WHERE database = $1 AND checksum = $2", .text(checksum))
        }
    }
}
