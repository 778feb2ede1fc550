import GRDB
import RecordStore
import Records

extension SQLiteTransaction {
    var shares: ZoneShares { state.shares[zone] ?? ZoneShares.none }

    func share(covering name: String) throws -> (id: Int64, name: String)? {
        try ShareTable(database: database, zone: zone).share(covering: name)
    }

    func isBelow(_ name: String, _ top: String, levels: Int) throws -> Bool? {
        var row = try SQL(
            database,
            """
            WITH RECURSIVE line (name) AS (
                SELECT ?2
                UNION
                SELECT r.parent
                FROM line l
                CROSS JOIN record r ON r.zone = ?1 AND r.name = l.name
                WHERE l.name <> ?3 AND r.parent IS NOT NULL AND NOT EXISTS (
                    SELECT 1 FROM share s WHERE s.zone = ?1 AND s.root = l.name AND s.end_sequence IS NULL
                )
                LIMIT ?4
            )
            SELECT MAX(name = ?3), COUNT(*) FROM line
            """
        )
        row.bind(zone)
        row.bind(name)
        row.bind(top)
        row.bind(Int64(levels))
        defer { row.reset() }
        guard try row.step() else { return false }
        if row.integer(0) == 1 { return true }
        return row.integer(1) < levels ? false : nil
    }

    func root(below name: String, except share: Int64?) throws -> String? {
        var row = try SQL(
            database,
            """
            \(Self.subtree)
            SELECT r.name
            FROM subtree t
            CROSS JOIN binding b ON b.zone = ?1 AND b.target = t.name AND b.kind = 3
            CROSS JOIN record r ON r.id = b.source
            CROSS JOIN share s ON s.zone = ?1 AND s.root = r.name AND s.end_sequence IS NULL
            WHERE r.name <> ?2 AND s.id IS NOT ?3
            ORDER BY r.id
            LIMIT 1
            """
        )
        row.bind(zone)
        row.bind(name)
        if let share { row.bind(share) } else { row.bindNull() }
        defer { row.reset() }
        return try row.step() ? row.text(0) : nil
    }

    func subtreeCount(of name: String) throws -> Int {
        var row = try SQL(database, "\(Self.subtree) SELECT COUNT(*) FROM subtree")
        row.bind(zone)
        row.bind(name)
        defer { row.reset() }
        return try row.step() ? Int(row.integer(0)) : 0
    }

    func count(coveredBy share: Int64) throws -> Int {
        var row = try SQL(
            database, "SELECT COUNT(*) FROM share_feed WHERE share = ? AND gone_at IS NULL")
        row.bind(share)
        defer { row.reset() }
        return try row.step() ? Int(row.integer(0)) : 0
    }

    mutating func open(_ share: Int64, named name: String, root: String?) throws {
        var row = try SQL(database, "INSERT INTO share (id, zone, name, root) VALUES (?, ?, ?, ?)")
        row.bind(share)
        row.bind(zone)
        row.bind(name)
        row.bind(root)
        try row.run()
        state.shares[zone] = root == nil ? .zone(share) : .records
    }

    mutating func close(_ share: Int64) throws {
        var rows = try SQL(
            database,
            """
            UPDATE share_feed
            SET sequence = ?2 + n.number, gone_at = ?3
            FROM (
                SELECT name, ROW_NUMBER() OVER (ORDER BY sequence) AS number
                FROM share_feed
                WHERE share = ?1 AND gone_at IS NULL
            ) n
            WHERE share_feed.share = ?1 AND share_feed.name = n.name
            """
        )
        rows.bind(share)
        rows.bind(state.sequence)
        rows.bind(state.time.milliseconds)
        try rows.run()
        state.sequence += Int64(database.changesCount)
        state.leavings += database.changesCount
        var members = try SQL(
            database, "UPDATE share_member SET ended = COALESCE(ended, ?) WHERE share = ?")
        members.bind(state.sequence)
        members.bind(share)
        try members.run()
        state.leavings += 1 + database.changesCount
        var end = try SQL(database, "UPDATE share SET end_sequence = ?, end_time = ? WHERE id = ?")
        end.bind(state.sequence)
        end.bind(state.time.milliseconds)
        end.bind(share)
        try end.run()
        state.shares[zone] = try ShareTable(database: database, zone: zone).kind
    }

    mutating func cover(_ name: String, by share: Int64, sequence: Int64) throws {
        var members = try SQL(
            database,
            """
            WITH gone (entered, sequence) AS (
                SELECT entered, sequence
                FROM share_feed
                WHERE share = ?3 AND zone = ?1 AND name = ?2 AND gone_at IS NOT NULL
            )
            \(Self.expireLeft)
            """
        )
        members.bind(zone)
        members.bind(name)
        members.bind(share)
        try members.run()
        var row = try SQL(
            database,
            """
            INSERT INTO share_feed (share, zone, name, sequence, entered) VALUES (?1, ?2, ?3, ?4, ?4)
            \(Self.again)
            """
        )
        row.bind(share)
        row.bind(zone)
        row.bind(name)
        row.bind(sequence)
        try row.run()
    }

    /// The end of a statement that adds rows to `share_feed`: a record that was there before enters anew.
    private static let again = """
        ON CONFLICT (share, name) DO UPDATE
        SET sequence = excluded.sequence, gone_at = NULL,
            entered = CASE WHEN gone_at IS NULL THEN entered ELSE excluded.entered END
        """

    /// The end of a statement that runs before one with `again`. The statement begins by naming as `gone
    /// (entered, sequence)` the rows of the share ?3 that the other statement will renew. A renewed row no
    /// longer shows that the record was in the share earlier. People who saw it then, and have left the share
    /// since, would not learn that it went, so their tokens from before they left expire.
    private static let expireLeft = """
        UPDATE share_member
        SET horizon = ended
        WHERE share = ?3 AND ended > horizon AND EXISTS (
            SELECT 1
            FROM gone
            WHERE gone.entered <= share_member.ended AND gone.sequence >= share_member.joined
        )
        """

    mutating func renew(_ name: String, sequence: Int64) throws {
        var row = try SQL(
            database, "UPDATE share_feed SET sequence = ? WHERE zone = ? AND name = ? AND gone_at IS NULL")
        row.bind(sequence)
        row.bind(zone)
        row.bind(name)
        try row.run()
    }

    mutating func uncover(_ name: String, sequence: Int64) throws {
        var row = try SQL(
            database,
            """
            UPDATE share_feed
            SET sequence = ?, gone_at = ?
            WHERE zone = ? AND name = ? AND gone_at IS NULL
            """
        )
        row.bind(sequence)
        row.bind(state.time.milliseconds)
        row.bind(zone)
        row.bind(name)
        try row.run()
        state.leavings += database.changesCount
    }

    mutating func moveSubtree(of name: String, from old: Int64?, to new: Int64?) throws {
        if let old { try takeSubtree(of: name, from: old) }
        if let new { try putSubtree(of: name, under: new) }
    }

    private mutating func takeSubtree(of name: String, from share: Int64) throws {
        var row = try SQL(
            database,
            """
            \(Self.subtree)
            UPDATE share_feed
            SET sequence = ?4 + n.number, gone_at = ?5
            FROM (SELECT name, ROW_NUMBER() OVER (ORDER BY id) AS number FROM subtree) n
            WHERE share_feed.share = ?3 AND share_feed.name = n.name AND share_feed.gone_at IS NULL
            """
        )
        row.bind(zone)
        row.bind(name)
        row.bind(share)
        row.bind(state.sequence)
        row.bind(state.time.milliseconds)
        try row.run()
        state.sequence += Int64(database.changesCount)
        state.leavings += database.changesCount
    }

    private mutating func putSubtree(of name: String, under share: Int64) throws {
        var members = try SQL(
            database,
            """
            \(Self.subtree),
            gone (entered, sequence) AS MATERIALIZED (
                SELECT f.entered, f.sequence
                FROM subtree t
                CROSS JOIN share_feed f ON f.share = ?3 AND f.name = t.name AND f.gone_at IS NOT NULL
            )
            \(Self.expireLeft)
            """
        )
        members.bind(zone)
        members.bind(name)
        members.bind(share)
        try members.run()
        var row = try SQL(
            database,
            """
            \(Self.subtree)
            INSERT INTO share_feed (share, zone, name, sequence, entered)
                SELECT ?3, ?1, name, ?4 + ROW_NUMBER() OVER (ORDER BY id),
                    ?4 + ROW_NUMBER() OVER (ORDER BY id)
                FROM subtree
                WHERE TRUE
            \(Self.again)
            """
        )
        row.bind(zone)
        row.bind(name)
        row.bind(share)
        row.bind(state.sequence)
        try row.run()
        state.sequence += Int64(database.changesCount)
    }

    /// The rows `subtree (id, name)`: the record ?2 of the zone ?1, and all records below it by `parent`,
    /// down to the roots of shares, which are not part of it. `UNION` drops repeated rows, so a cycle ends.
    /// `CROSS JOIN` keeps the order of the joins: each step looks up the children of one record.
    private static let subtree = """
        WITH RECURSIVE subtree (id, name) AS (
            SELECT id, name FROM record WHERE zone = ?1 AND name = ?2
            UNION
            SELECT r.id, r.name
            FROM subtree t
            CROSS JOIN binding b ON b.zone = ?1 AND b.target = t.name AND b.kind = 3
            CROSS JOIN record r ON r.id = b.source
            WHERE NOT EXISTS (
                SELECT 1 FROM share s WHERE s.zone = ?1 AND s.root = r.name AND s.end_sequence IS NULL
            )
        )
        """

    mutating func join(_ person: String, _ share: Int64, sequence: Int64) throws {
        var row = try SQL(
            database,
            """
            INSERT INTO share_member (share, person, joined, horizon)
            VALUES (?1, ?2, ?3, CASE
                WHEN EXISTS (
                    SELECT 1
                    FROM share_member m
                    JOIN share s ON s.id = m.share
                    WHERE m.person = ?2 AND s.zone = ?4 AND m.ended IS NULL
                ) THEN 0
                ELSE (SELECT share_horizon FROM zone WHERE id = ?4)
            END)
            ON CONFLICT (share, person) DO UPDATE
            SET joined = excluded.joined, ended = NULL,
                horizon = MAX(COALESCE(ended, 0), excluded.horizon)
            """
        )
        row.bind(share)
        row.bind(person)
        row.bind(sequence)
        row.bind(zone)
        try row.run()
    }

    mutating func leave(_ person: String, _ share: Int64, sequence: Int64) throws {
        var row = try SQL(
            database,
            "UPDATE share_member SET ended = ? WHERE share = ? AND person = ? AND ended IS NULL")
        row.bind(sequence)
        row.bind(share)
        row.bind(person)
        try row.run()
    }

    func members(of share: Int64) throws -> [String] {
        try ShareTable(database: database, zone: zone).members(of: share)
    }

    mutating func rewrite(_ head: StoredRecord, _ ordinal: Int64) throws {
        var row = try SQL(database, "UPDATE record SET head = ? WHERE id = ?")
        row.bind(RecordHead.bytes(of: head))
        row.bind(ordinal)
        try row.run()
    }

    func shortGUID(of name: String) throws -> String? {
        var row = try SQL(database, "SELECT guid FROM short_guid WHERE zone = ? AND name = ?")
        row.bind(zone)
        row.bind(name)
        defer { row.reset() }
        return try row.step() ? row.text(0) : nil
    }

    mutating func setShortGUID(_ guid: String?, of name: String) throws {
        var old = try SQL(database, "DELETE FROM short_guid WHERE zone = ? AND name = ?")
        old.bind(zone)
        old.bind(name)
        try old.run()
        guard let guid else { return }
        var row = try SQL(database, "INSERT INTO short_guid (guid, zone, name) VALUES (?, ?, ?)")
        row.bind(guid)
        row.bind(zone)
        row.bind(name)
        try row.run()
    }
}
