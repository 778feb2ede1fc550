import GRDB
import RecordStore
import Records

/// Reads the shares of a zone, their feeds and their members.
struct ShareTable: ShareReader {
    let database: Database
    let zone: Int64

    /// Which shares each zone of the file has. Zones without shares are missing.
    static func kinds(_ database: Database) throws -> [Int64: ZoneShares] {
        let rows = try Row.fetchAll(
            database, sql: "SELECT id, zone, root IS NULL FROM share WHERE end_sequence IS NULL")
        var kinds: [Int64: ZoneShares] = [:]
        for row in rows {
            let (id, zone, isWide): (Int64, Int64, Bool) = (row[0], row[1], row[2])
            kinds[zone] = isWide ? ZoneShares.zone(id) : ZoneShares.records
        }
        return kinds
    }

    /// Which shares the zone has; nil for none.
    var kind: ZoneShares? {
        get throws {
            let row = try Row.fetchOne(
                database,
                sql: "SELECT id, root IS NULL FROM share WHERE zone = ? AND end_sequence IS NULL LIMIT 1",
                arguments: [zone])
            guard let row else { return nil }
            let (id, isWide): (Int64, Bool) = (row[0], row[1])
            return isWide ? ZoneShares.zone(id) : ZoneShares.records
        }
    }

    func share(covering name: String) throws -> (id: Int64, name: String)? {
        var row = try SQL(
            database,
            """
            SELECT s.id, s.name
            FROM share_feed f
            JOIN share s ON s.id = f.share
            WHERE f.zone = ? AND f.name = ? AND f.gone_at IS NULL
            """
        )
        row.bind(zone)
        row.bind(name)
        defer { row.reset() }
        return try row.step() ? (row.integer(0), row.text(1)) : nil
    }

    /// Whether a record refers to a file, and a share in which the person takes part covers it. `CROSS JOIN`
    /// keeps the order of the joins: the records of the file are looked up, not those of a share.
    func shows(_ fileChecksum: String, to person: String) throws -> Bool {
        var row = try SQL(
            database,
            """
            SELECT 1
            FROM asset_owner a
            CROSS JOIN record r ON r.id = a.record AND r.zone = ?1
            CROSS JOIN share s ON s.zone = ?1 AND s.end_sequence IS NULL
                AND s.id IN (SELECT share FROM share_member WHERE person = ?2 AND ended IS NULL)
            WHERE a.checksum = ?3 AND (s.root IS NULL OR EXISTS (
                SELECT 1 FROM share_feed f WHERE f.share = s.id AND f.name = r.name AND f.gone_at IS NULL
            ))
            LIMIT 1
            """
        )
        row.bind(zone)
        row.bind(person)
        row.bind(fileChecksum)
        defer { row.reset() }
        return try row.step()
    }

    // MARK: Feeds

    /// The rows of a share after a number, in ascending order.
    func rows(of share: ShareMembership, after number: Int64, limit: Int) throws -> [SharedRow] {
        var rows = try SQL(
            database,
            share.isZoneWide
                ? """
                SELECT name, sequence, 0, fields IS NULL
                FROM record
                WHERE zone = ? AND sequence > ?
                ORDER BY sequence
                LIMIT ?
                """
                : """
                SELECT name, sequence, entered, gone_at IS NOT NULL
                FROM share_feed
                WHERE share = ? AND sequence > ?
                ORDER BY sequence
                LIMIT ?
                """
        )
        rows.bind(share.isZoneWide ? zone : share.share)
        rows.bind(number)
        rows.bind(Int64(limit))
        var found: [SharedRow] = []
        while try rows.step() { found.append(Self.sharedRow(rows)) }
        return found
    }

    /// The row of a record in a share; nil if it was never under the share.
    func row(of share: ShareMembership, named name: String) throws -> SharedRow? {
        var row = try SQL(
            database,
            share.isZoneWide
                ? "SELECT name, sequence, 0, fields IS NULL FROM record WHERE zone = ? AND name = ?"
                : """
                SELECT name, sequence, entered, gone_at IS NOT NULL
                FROM share_feed
                WHERE share = ? AND name = ?
                """
        )
        row.bind(share.isZoneWide ? zone : share.share)
        row.bind(name)
        defer { row.reset() }
        return try row.step() ? Self.sharedRow(row) : nil
    }

    func hasRecord(_ name: String) throws -> Bool {
        var row = try SQL(
            database, "SELECT 1 FROM record WHERE zone = ? AND name = ? AND fields IS NOT NULL")
        row.bind(zone)
        row.bind(name)
        defer { row.reset() }
        return try row.step()
    }

    private static func sharedRow(_ row: SQL) -> SharedRow {
        SharedRow(
            name: row.text(0), sequence: row.integer(1), entered: row.integer(2),
            isGone: row.integer(3) == 1)
    }

    // MARK: Members

    /// The names of the zone's shares in which a person takes part, in the order of the shares.
    func shares(of person: String) throws -> [String] {
        var rows = try SQL(
            database,
            """
            SELECT s.name
            FROM share_member m
            JOIN share s ON s.id = m.share
            WHERE m.person = ? AND m.ended IS NULL AND s.zone = ?
            ORDER BY s.id
            """)
        rows.bind(person)
        rows.bind(zone)
        defer { rows.reset() }
        var names: [String] = []
        while try rows.step() { names.append(rows.text(0)) }
        return names
    }

    /// The memberships of a person in the zone, in the order of the shares.
    func memberships(of person: String, zoneName: String) throws -> [ShareMembership] {
        try Self.memberships(of: person, condition: "s.zone = \(zone)", database) { _ in zoneName }
    }

    /// The memberships of a person in all zones, in the order of the shares.
    static func memberships(
        of person: String, condition: String = "TRUE", _ database: Database,
        zoneName: (Int64) throws -> String
    ) throws -> [ShareMembership] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT s.zone, s.id, s.name, s.root IS NULL, m.joined, m.ended, m.horizon,
                    CASE WHEN s.root IS NULL
                        THEN (SELECT MAX(r.sequence) FROM record r WHERE r.zone = s.zone)
                        ELSE (SELECT MAX(f.sequence) FROM share_feed f WHERE f.share = s.id)
                    END
                FROM share_member m
                JOIN share s ON s.id = m.share
                WHERE m.person = ? AND \(condition)
                ORDER BY s.id
                """,
            arguments: [person])
        return try rows.map { row in
            let lastChange: Int64? = row[7]
            return ShareMembership(
                zone: try zoneName(row[0]), share: row[1], name: row[2], isZoneWide: row[3], joined: row[4],
                left: row[5], horizon: row[6], lastChange: lastChange ?? 0)
        }
    }

    /// The members of a share, or of all shares of the zone.
    func members(of share: Int64? = nil) throws -> [String] {
        try String.fetchAll(
            database,
            sql: """
                SELECT DISTINCT m.person
                FROM share s
                JOIN share_member m ON m.share = s.id
                WHERE \(share == nil ? "s.zone" : "s.id") = ? AND m.ended IS NULL
                ORDER BY m.person
                """,
            arguments: [share ?? zone])
    }

    // MARK: Forgetting

    /// Forgets, in all zones of the file, the rows of records that left a share, and ended shares. Raises the
    /// horizons of the people who could have read them, and no others. The conditions are SQL about `?1`.
    ///
    /// No statement runs once for each zone: a file may have very many zones, and few of them have something
    /// to forget.
    static func forget(rows: String, shares: String, _ argument: Int64, _ database: Database) throws {
        let gone = "gone_at IS NOT NULL AND \(rows)"
        let isOver = "end_sequence IS NOT NULL AND \(shares)"
        let ended = "SELECT id FROM share WHERE \(isOver)"
        let statements = [
            """
            UPDATE share_member
            SET horizon = MAX(horizon, MIN(g.sequence, COALESCE(ended, g.sequence)))
            FROM (SELECT share, MAX(sequence) AS sequence FROM share_feed WHERE \(gone) GROUP BY share) g
            WHERE share_member.share = g.share
            """,
            """
            UPDATE share_member
            SET horizon = MAX(horizon, e.sequence)
            FROM (
                SELECT s.zone, m.person, MAX(m.ended) AS sequence
                FROM share s
                JOIN share_member m ON m.share = s.id
                WHERE \(isOver)
                GROUP BY s.zone, m.person
            ) e
            WHERE share_member.person = e.person AND EXISTS (
                SELECT 1 FROM share o WHERE o.id = share_member.share AND o.zone = e.zone
            )
            """,
            """
            UPDATE zone
            SET share_horizon = MAX(share_horizon, g.last)
            FROM (
                SELECT zone, MAX(sequence) AS last
                FROM (
                    SELECT zone, sequence FROM share_feed WHERE \(gone)
                    UNION ALL
                    SELECT zone, end_sequence FROM share WHERE \(isOver)
                )
                GROUP BY zone
            ) g
            WHERE zone.id = g.zone
            """,
            "DELETE FROM share_feed WHERE \(gone)",
            "DELETE FROM share_feed WHERE share IN (\(ended))",
            "DELETE FROM share_member WHERE share IN (\(ended))",
            "DELETE FROM share WHERE \(isOver)",
        ]
        for sql in statements { try database.execute(sql: sql, arguments: [argument]) }
    }

    /// Removes all shares of the zone, which is deleted.
    func clear() throws {
        let members = "DELETE FROM share_member WHERE share IN (SELECT id FROM share WHERE zone = ?)"
        try database.execute(sql: members, arguments: [zone])
        for table in ["share_feed", "share", "short_guid"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE zone = ?", arguments: [zone])
        }
    }
}
