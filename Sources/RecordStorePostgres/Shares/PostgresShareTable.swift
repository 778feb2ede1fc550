import PostgreSQLSupport
import RecordStore
import Records

/// Reads the shares of a zone, their feeds and their members.
struct PostgresShareTable: ShareReader {
    let session: PostgresSession
    let zone: Int64

    /// Asks which shares the zone has. The answer is for `kind(_:)`.
    func askKind() throws -> PostgresAnswer {
        try session.ask(
            """
            SELECT id, root IS NULL
            FROM share
            WHERE database = $1 AND zone = $2 AND end_sequence IS NULL
            LIMIT 1
            """,
            .integer(zone))
    }

    static func kind(_ answer: PostgresAnswer) throws -> ZoneShares {
        guard let row = try answer.rows().first else { return .none }
        return row.bool(1) ? .zone(row.integer(0)) : .records
    }

    func share(covering name: String) throws -> (id: Int64, name: String)? {
        let rows = try session.rows(
            """
            SELECT s.id, s.name
            FROM share_feed f
            JOIN share s ON s.database = $1 AND s.id = f.share
            WHERE f.database = $1 AND f.zone = $2 AND f.name = $3 AND f.gone_at IS NULL
            """,
            .integer(zone), .text(name))
        return rows.first.map { ($0.integer(0), $0.text(1)) }
    }

    /// Whether a record refers to a file, and a share in which the person takes part covers it.
    func shows(_ fileChecksum: String, to person: String) throws -> Bool {
        try !session.rows(
            """
            SELECT 1
            FROM asset_owner a
            JOIN record r ON r.database = $1 AND r.id = a.record AND r.zone = $2
            JOIN share s ON s.database = $1 AND s.zone = $2 AND s.end_sequence IS NULL
            JOIN share_member m ON m.database = $1 AND m.share = s.id AND m.person = $3 AND m.ended IS NULL
            WHERE a.database = $1 AND a.checksum = $4 AND (s.root IS NULL OR EXISTS (
                SELECT 1
                FROM share_feed f
                WHERE f.database = $1 AND f.share = s.id AND f.name = r.name AND f.gone_at IS NULL
            ))
            LIMIT 1
            """,
            .integer(zone), .text(person), .text(fileChecksum)
        ).isEmpty
    }

    // MARK: Feeds

    /// The rows of a share after a number, in ascending order.
    func rows(of share: ShareMembership, after number: Int64, limit: Int) throws -> [SharedRow] {
        let sql =
            share.isZoneWide
            ? """
            SELECT name, sequence, 0::bigint, fields IS NULL
            FROM record
            WHERE database = $1 AND zone = $2 AND sequence > $3
            ORDER BY sequence
            LIMIT $4
            """
            : """
            SELECT name, sequence, entered, gone_at IS NOT NULL
            FROM share_feed
            WHERE database = $1 AND share = $2 AND sequence > $3
            ORDER BY sequence
            LIMIT $4
            """
        return try session.rows(
            sql, .integer(share.isZoneWide ? zone : share.share), .integer(number), .count(limit)
        )
        .map(Self.sharedRow)
    }

    /// The row of a record in a share; nil if it was never under the share.
    func row(of share: ShareMembership, named name: String) throws -> SharedRow? {
        let sql =
            share.isZoneWide
            ? """
            SELECT name, sequence, 0::bigint, fields IS NULL
            FROM \(PostgresRecordReader.one)
            """
            : """
            SELECT name, sequence, entered, gone_at IS NOT NULL
            FROM share_feed
            WHERE database = $1 AND share = $2 AND name = $3
            """
        return try session.rows(sql, .integer(share.isZoneWide ? zone : share.share), .text(name))
            .first.map(Self.sharedRow)
    }

    func hasRecord(_ name: String) throws -> Bool {
        try !session.rows(
            "SELECT 1 FROM \(PostgresRecordReader.one) WHERE fields IS NOT NULL",
            .integer(zone), .text(name)
        ).isEmpty
    }

    private static func sharedRow(_ row: PostgresRow) -> SharedRow {
        SharedRow(name: row.text(0), sequence: row.integer(1), entered: row.integer(2), isGone: row.bool(3))
    }

    // MARK: Members

    /// The names of a zone's shares in which a person takes part, in the order of the shares.
    static func shares(
        of person: String, in zone: String, _ session: PostgresSession
    ) throws -> [String] {
        try session.rows(
            """
            SELECT s.name
            FROM zone z
            JOIN share s ON s.database = $1 AND s.zone = z.id
            JOIN share_member m ON m.database = $1 AND m.share = s.id
            WHERE z.database = $1 AND z.name = $2 AND m.person = $3 AND m.ended IS NULL
            ORDER BY s.id
            """,
            .text(zone), .text(person)
        ).map { $0.text(0) }
    }

    /// The memberships of a person in a zone, or in all zones, in the order of the shares.
    static func memberships(
        of person: String, in zone: Int64? = nil, _ session: PostgresSession
    ) throws -> [ShareMembership] {
        try session.rows(
            """
            SELECT z.name, s.id, s.name, s.root IS NULL, m.joined, m.ended, m.horizon,
                CASE WHEN s.root IS NULL
                    THEN (SELECT MAX(r.sequence) FROM record r WHERE r.database = $1 AND r.zone = s.zone)
                    ELSE (SELECT MAX(f.sequence) FROM share_feed f WHERE f.database = $1 AND f.share = s.id)
                END
            FROM share_member m
            JOIN share s ON s.database = $1 AND s.id = m.share
            JOIN zone z ON z.database = $1 AND z.id = s.zone
            WHERE m.database = $1 AND m.person = $2 AND ($3::bigint IS NULL OR s.zone = $3)
            ORDER BY s.id
            """,
            .text(person), .optional(zone)
        )
        .map { row in
            ShareMembership(
                zone: row.text(0), share: row.integer(1), name: row.text(2), isZoneWide: row.bool(3),
                joined: row.integer(4), left: row.optionalInteger(5), horizon: row.integer(6),
                lastChange: row.integer(7))
        }
    }

    /// The members of a share.
    func members(of share: Int64) throws -> [String] {
        try session.rows(
            """
            SELECT person
            FROM share_member
            WHERE database = $1 AND share = $2 AND ended IS NULL
            ORDER BY person
            """,
            .integer(share)
        ).map { $0.text(0) }
    }

    /// The members of all shares of the zone.
    func members() throws -> [String] {
        try session.rows(
            """
            SELECT DISTINCT m.person
            FROM share s
            JOIN share_member m ON m.database = $1 AND m.share = s.id AND m.ended IS NULL
            WHERE s.database = $1 AND s.zone = $2
            ORDER BY m.person
            """,
            .integer(zone)
        ).map { $0.text(0) }
    }

    // MARK: Forgetting

    /// Forgets the rows of records that left a share, and ended shares. Raises the horizons of the people who
    /// could have read them, and no others. The conditions are SQL about `$3`.
    func forget(rows: String, shares: String, _ argument: Int64) throws {
        let ended = """
            SELECT id FROM share
            WHERE database = $1 AND zone = $2 AND end_sequence IS NOT NULL AND \(shares)
            """
        let gone = "database = $1 AND zone = $2 AND gone_at IS NOT NULL AND \(rows)"
        let statements = [
            """
            UPDATE share_member
            SET horizon = GREATEST(horizon, LEAST(g.sequence, COALESCE(ended, g.sequence)))
            FROM (SELECT share, MAX(sequence) AS sequence FROM share_feed WHERE \(gone) GROUP BY share) g
            WHERE share_member.database = $1 AND share_member.share = g.share
            """,
            """
            UPDATE share_member
            SET horizon = GREATEST(horizon, e.sequence)
            FROM (
                SELECT person, MAX(ended) AS sequence
                FROM share_member
                WHERE database = $1 AND share IN (\(ended))
                GROUP BY person
            ) e
            WHERE share_member.database = $1 AND share_member.person = e.person
                AND share_member.share IN (SELECT id FROM share WHERE database = $1 AND zone = $2)
            """,
            """
            UPDATE zone
            SET share_horizon = GREATEST(
                share_horizon,
                COALESCE((SELECT MAX(sequence) FROM share_feed WHERE \(gone)), 0),
                COALESCE((SELECT MAX(end_sequence) FROM share WHERE database = $1 AND id IN (\(ended))), 0)
            )
            WHERE database = $1 AND id = $2
            """,
            "DELETE FROM share_feed WHERE \(gone)",
            "DELETE FROM share_feed WHERE database = $1 AND share IN (\(ended))",
            "DELETE FROM share_member WHERE database = $1 AND share IN (\(ended))",
            "DELETE FROM share WHERE database = $1 AND id IN (\(ended))",
        ]
        for sql in statements { try session.run(sql, .integer(zone), .integer(argument)) }
    }

    /// Removes all shares of the zone, which is deleted.
    func clear() throws {
        try session.run(
            """
            DELETE FROM share_member
            WHERE database = $1 AND share IN (SELECT id FROM share WHERE database = $1 AND zone = $2)
            """,
            .integer(zone))
        for table in ["share_feed", "share", "short_guid"] {
            try session.run("DELETE FROM \(table) WHERE database = $1 AND zone = $2", .integer(zone))
        }
    }
}
