import GRDB
import RecordStore
import Records

/// Writes notifications, in the transaction of the change that causes them.
struct NotificationWriter {
    let database: Database
    let codec: any FieldCodec
    let subscribers: SubscriptionCache

    /// Stores the notifications of a commit. Removes the subscriptions that fire only once and have fired
    /// now.
    func keep(_ drafts: [PushDraft], _ state: inout WriterState) throws {
        if drafts.isEmpty { return }
        for draft in drafts {
            guard try stands(draft.subscription) else { continue }
            if draft.isLast {
                var row = try SQL(database, "DELETE FROM subscription WHERE id = ?")
                row.bind(draft.subscription)
                try row.run()
                state.subscriptionChanges.append(.remove(draft.subscription))
            }
            try keep(draft.notification, for: draft.owner, &state)
        }
        try noteLast(state)
    }

    /// Stores the notice that a notification was read.
    func notifyOfReading(
        _ read: [PushNotification], _ id: String, by owner: String, _ stamp: Stamp,
        _ state: inout WriterState
    ) throws {
        try keep(.reading(of: read, id: id, by: stamp), for: owner, &state)
        try noteLast(state)
    }

    /// Stores the notifications about the creation or deletion of a zone, which has the current sequence
    /// number.
    ///
    /// - Parameter members: the members of the zone's shares.
    func notify(
        ofZone name: String, members: [String] = [], _ stamp: Stamp, _ state: inout WriterState
    ) throws {
        let pushes = subscribers.pushes(
            ofZone: name, members: members, identity: state.identity, stamp: stamp, notBefore: state.time,
            sequence: state.sequence)
        for drafts in pushes { try keep(drafts, &state) }
    }

    private func stands(_ subscription: Int64) throws -> Bool {
        var row = try SQL(database, "SELECT 1 FROM subscription WHERE id = ?")
        row.bind(subscription)
        defer { row.reset() }
        return try row.step()
    }

    private func keep(
        _ notification: PushNotification, for owner: String, _ state: inout WriterState
    ) throws {
        state.lastNotification += 1
        var row = try SQL(
            database,
            "INSERT INTO notification (id, owner, name, is_read, time, content) VALUES (?, ?, ?, 0, ?, ?)"
        )
        row.bind(state.lastNotification)
        row.bind(owner)
        row.bind(notification.cause == .read ? nil : notification.id)
        row.bind(notification.origin.at.milliseconds)
        let content = codec.encode(notification)
        row.bind(content)
        try row.run()
        let areTooMany = try subscribers.counts.areTooMany(afterOneMoreOf: owner, bytes: content.count) {
            let sizes = try notifications(of: owner, areRead: false).map(\.bytes)
            return (sizes.count, sizes.reduce(0, +))
        }
        if areTooMany { try forgetOldest(of: owner) }
    }

    /// Deletes the oldest read notifications of a person who has too many of them. Nobody reads them again,
    /// so this expires no token.
    func forgetSurplusRead(of owner: String) throws {
        let read = try notifications(of: owner, areRead: true)
        let kept = subscribers.counts.limits.kept(of: read.map(\.bytes))
        guard kept < read.count else { return }
        var rows = try SQL(
            database, "DELETE FROM notification WHERE owner = ? AND is_read = 1 AND id <= ?")
        rows.bind(owner)
        rows.bind(read[kept].number)
        try rows.run()
    }

    /// Returns the numbers and sizes of a person's read or unread notifications, the newest first. SQLite
    /// knows the length of a blob without reading it.
    private func notifications(
        of owner: String, areRead: Bool
    ) throws -> [(number: Int64, bytes: Int)] {
        var rows = try SQL(
            database,
            """
            SELECT id, LENGTH(content)
            FROM notification
            WHERE owner = ? AND is_read = \(areRead ? 1 : 0)
            ORDER BY id DESC
            """
        )
        rows.bind(owner)
        defer { rows.reset() }
        var found: [(number: Int64, bytes: Int)] = []
        while try rows.step() { found.append((rows.integer(0), Int(rows.integer(1)))) }
        return found
    }

    /// Deletes the oldest notifications of a person who has too many, and the read ones among them.
    private func forgetOldest(of owner: String) throws {
        let unread = try notifications(of: owner, areRead: false)
        let kept = subscribers.counts.limits.kept(of: unread.map(\.bytes))
        guard kept < unread.count else { return }
        let horizon = unread[kept].number
        // Two statements, because each can use its own partial index.
        for condition in ["is_read = 0", "is_read = 1"] {
            var rows = try SQL(
                database, "DELETE FROM notification WHERE owner = ? AND \(condition) AND id <= ?")
            rows.bind(owner)
            rows.bind(horizon)
            try rows.run()
        }
        var note = try SQL(
            database,
            """
            INSERT INTO notification_owner (owner, horizon)
            VALUES (?, ?)
            ON CONFLICT DO UPDATE SET horizon = excluded.horizon
            """
        )
        note.bind(owner)
        note.bind(horizon)
        try note.run()
    }

    private func noteLast(_ state: WriterState) throws {
        var row = try SQL(database, "UPDATE store SET last_notification = ?")
        row.bind(state.lastNotification)
        try row.run()
    }
}
