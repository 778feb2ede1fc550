import PostgreSQLSupport
import RecordStore
import Records

extension PostgresTransaction {
    var table: PostgresShareTable { PostgresShareTable(session: session, zone: zone) }

    func share(covering name: String) throws -> (id: Int64, name: String)? {
        try table.share(covering: name)
    }

    func isBelow(_ name: String, _ top: String, levels: Int) throws -> Bool? {
        let rows = try session.rows(
            """
            WITH RECURSIVE line (name) AS (
                SELECT $3::text COLLATE "C"
                UNION
                SELECT r.parent
                FROM line l
                JOIN record r ON r.database = $1 AND r.zone = $2 AND r.name = l.name
                WHERE l.name <> $4 AND r.parent IS NOT NULL AND NOT EXISTS (
                    SELECT 1
                    FROM share s
                    WHERE s.database = $1 AND s.zone = $2 AND s.root = l.name AND s.end_sequence IS NULL
                )
            )
            SELECT bool_or(name = $4), count(*) FROM (SELECT name FROM line LIMIT $5) l
            """,
            .integer(zone), .text(name), .text(top), .count(levels))
        guard let row = rows.first else { return false }
        if row.bool(0) { return true }
        return row.integer(1) < levels ? false : nil
    }

    func root(below name: String, except share: Int64?) throws -> String? {
        try session.rows(
            """
            \(Self.subtree)
            SELECT r.name
            FROM subtree t
            JOIN binding b ON b.database = $1 AND b.zone = $2 AND b.target = t.name AND b.kind = 3
            JOIN record r ON r.database = $1 AND r.id = b.source
            JOIN share s ON s.database = $1 AND s.zone = $2 AND s.root = r.name AND s.end_sequence IS NULL
            WHERE r.name <> $3 AND s.id IS DISTINCT FROM $4
            ORDER BY r.id
            LIMIT 1
            """,
            .integer(zone), .text(name), .optional(share)
        ).first?.text(0)
    }

    func subtreeCount(of name: String) throws -> Int {
        let rows = try session.rows(
            "\(Self.subtree) SELECT count(*) FROM subtree", .integer(zone), .text(name))
        return Int(rows.first?.integer(0) ?? 0)
    }

    func count(coveredBy share: Int64) throws -> Int {
        let rows = try session.rows(
            "SELECT count(*) FROM share_feed WHERE database = $1 AND share = $2 AND gone_at IS NULL",
            .integer(share))
        return Int(rows.first?.integer(0) ?? 0)
    }

    mutating func open(_ share: Int64, named name: String, root: String?) throws {
        try session.run(
            "INSERT INTO share (database, id, zone, name, root) VALUES ($1, $2, $3, $4, $5)",
            .integer(share), .integer(zone), .text(name), .optional(root))
        shares = root == nil ? .zone(share) : .records
    }

    mutating func close(_ share: Int64) throws {
        let rows = Int64(
            try session.count(
                """
                UPDATE share_feed
                SET sequence = $3 + n.number, gone_at = $4
                FROM (
                    SELECT name, ROW_NUMBER() OVER (ORDER BY sequence) AS number
                    FROM share_feed
                    WHERE database = $1 AND share = $2 AND gone_at IS NULL
                ) n
                WHERE share_feed.database = $1 AND share_feed.share = $2 AND share_feed.name = n.name
                """,
                .integer(share), .integer(state.sequence), .integer(state.time.milliseconds)))
        state.sequence += rows
        let members = try session.count(
            "UPDATE share_member SET ended = COALESCE(ended, $3) WHERE database = $1 AND share = $2",
            .integer(share), .integer(state.sequence))
        state.leavings += rows + 1 + Int64(members)
        try session.run(
            "UPDATE share SET end_sequence = $3, end_time = $4 WHERE database = $1 AND id = $2",
            .integer(share), .integer(state.sequence), .integer(state.time.milliseconds))
        shares = try PostgresShareTable.kind(table.askKind())
    }

    mutating func cover(_ name: String, by share: Int64, sequence: Int64) throws {
        try session.run(
            """
            WITH gone AS (
                SELECT entered, sequence
                FROM share_feed
                WHERE database = $1 AND share = $4 AND zone = $2 AND name = $3 AND gone_at IS NOT NULL
            )
            \(Self.expireLeft)
            """,
            .integer(zone), .text(name), .integer(share))
        try session.run(
            """
            INSERT INTO share_feed AS f (database, share, zone, name, sequence, entered)
            VALUES ($1, $2, $3, $4, $5, $5)
            \(Self.again)
            """,
            .integer(share), .integer(zone), .text(name), .integer(sequence))
    }

    /// The end of a statement that adds rows to `share_feed f`: a record that was there before enters anew.
    private static let again = """
        ON CONFLICT (database, share, name) DO UPDATE
        SET sequence = excluded.sequence, gone_at = NULL,
            entered = CASE WHEN f.gone_at IS NULL THEN f.entered ELSE excluded.entered END
        """

    /// The end of a statement that runs before one with `again`. The statement begins by naming as `gone
    /// (entered, sequence)` the rows of the share `$4` that the other statement will renew. A renewed row no
    /// longer shows that the record was in the share earlier. People who saw it then, and have left the share
    /// since, would not learn that it went, so their tokens from before they left expire.
    private static let expireLeft = """
        UPDATE share_member m
        SET horizon = m.ended
        WHERE m.database = $1 AND m.share = $4 AND m.ended > m.horizon AND EXISTS (
            SELECT 1 FROM gone WHERE gone.entered <= m.ended AND gone.sequence >= m.joined
        )
        """

    mutating func renew(_ name: String, sequence: Int64) throws {
        try session.run(
            """
            UPDATE share_feed
            SET sequence = $4
            WHERE database = $1 AND zone = $2 AND name = $3 AND gone_at IS NULL
            """,
            .integer(zone), .text(name), .integer(sequence))
    }

    mutating func uncover(_ name: String, sequence: Int64) throws {
        state.leavings += Int64(
            try session.count(
                """
                UPDATE share_feed
                SET sequence = $4, gone_at = $5
                WHERE database = $1 AND zone = $2 AND name = $3 AND gone_at IS NULL
                """,
                .integer(zone), .text(name), .integer(sequence), .integer(state.time.milliseconds)))
    }

    mutating func moveSubtree(of name: String, from old: Int64?, to new: Int64?) throws {
        if let old {
            let gone = Int64(
                try session.count(
                    """
                    \(Self.subtree)
                    UPDATE share_feed
                    SET sequence = $5 + n.number, gone_at = $6
                    FROM (SELECT name, ROW_NUMBER() OVER (ORDER BY id) AS number FROM subtree) n
                    WHERE share_feed.database = $1 AND share_feed.share = $4 AND share_feed.name = n.name
                        AND share_feed.gone_at IS NULL
                    """,
                    .integer(zone), .text(name), .integer(old), .integer(state.sequence),
                    .integer(state.time.milliseconds)))
            state.sequence += gone
            state.leavings += gone
        }
        guard let new else { return }
        try session.run(
            """
            \(Self.subtree),
            gone AS MATERIALIZED (
                SELECT f.entered, f.sequence
                FROM subtree t
                JOIN share_feed f ON f.database = $1 AND f.share = $4 AND f.name = t.name
                WHERE f.gone_at IS NOT NULL
            )
            \(Self.expireLeft)
            """,
            .integer(zone), .text(name), .integer(new))
        state.sequence += Int64(
            try session.count(
                """
                \(Self.subtree)
                INSERT INTO share_feed AS f (database, share, zone, name, sequence, entered)
                    SELECT $1, $4, $2, name, $5 + ROW_NUMBER() OVER (ORDER BY id),
                        $5 + ROW_NUMBER() OVER (ORDER BY id)
                    FROM subtree
                \(Self.again)
                """,
                .integer(zone), .text(name), .integer(new), .integer(state.sequence)))
    }

    /// The rows `subtree (id, name)`: the record `$3` of the zone `$2`, and all records below it by `parent`,
    /// down to the roots of shares, which are not part of it. `UNION` drops repeated rows, so a cycle ends.
    private static let subtree = """
        WITH RECURSIVE subtree (id, name) AS (
            SELECT id, name FROM \(PostgresRecordReader.one)
            UNION
            SELECT r.id, r.name
            FROM subtree t
            JOIN binding b ON b.database = $1 AND b.zone = $2 AND b.target = t.name AND b.kind = 3
            JOIN record r ON r.database = $1 AND r.id = b.source
            WHERE NOT EXISTS (
                SELECT 1
                FROM share s
                WHERE s.database = $1 AND s.zone = $2 AND s.root = r.name AND s.end_sequence IS NULL
            )
        )
        """

    mutating func join(_ person: String, _ share: Int64, sequence: Int64) throws {
        try session.run(
            """
            INSERT INTO share_member AS m (database, share, person, joined, horizon)
            VALUES ($1, $2, $3, $4, CASE
                WHEN EXISTS (
                    SELECT 1
                    FROM share_member o
                    JOIN share s ON s.database = $1 AND s.id = o.share
                    WHERE o.database = $1 AND o.person = $3 AND s.zone = $5 AND o.ended IS NULL
                ) THEN 0
                ELSE (SELECT share_horizon FROM zone WHERE database = $1 AND id = $5)
            END)
            ON CONFLICT (database, share, person) DO UPDATE
            SET joined = excluded.joined, ended = NULL,
                horizon = GREATEST(COALESCE(m.ended, 0), excluded.horizon)
            """,
            .integer(share), .text(person), .integer(sequence), .integer(zone))
    }

    mutating func leave(_ person: String, _ share: Int64, sequence: Int64) throws {
        try session.run(
            """
            UPDATE share_member
            SET ended = $4
            WHERE database = $1 AND share = $2 AND person = $3 AND ended IS NULL
            """,
            .integer(share), .text(person), .integer(sequence))
    }

    func members(of share: Int64) throws -> [String] { try table.members(of: share) }

    mutating func rewrite(_ head: StoredRecord, _ ordinal: Int64) throws {
        known[head.id.name] = nil
        try session.run(
            "UPDATE record SET head = $3 WHERE database = $1 AND id = $2",
            .integer(ordinal), .bytes(RecordHead.bytes(of: head)))
    }

    func shortGUID(of name: String) throws -> String? {
        try session.rows(
            "SELECT guid FROM short_guid WHERE database = $1 AND zone = $2 AND name = $3",
            .integer(zone), .text(name)
        ).first?.text(0)
    }

    mutating func setShortGUID(_ guid: String?, of name: String) throws {
        try session.run(
            "DELETE FROM short_guid WHERE database = $1 AND zone = $2 AND name = $3",
            .integer(zone), .text(name))
        guard let guid else { return }
        try session.run(
            "INSERT INTO short_guid (database, guid, zone, name) VALUES ($1, $2, $3, $4)",
            .text(guid), .integer(zone), .text(name))
    }
}
