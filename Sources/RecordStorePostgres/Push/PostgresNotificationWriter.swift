import PostgreSQLSupport
import RecordStore
import Records

/// Writes notifications, in the transaction of the change that causes them.
struct PostgresNotificationWriter {
    let session: PostgresSession
    let codec: any FieldCodec
    /// The number of this process.
    let process: Int64
    let subscribers: PostgresSubscriptionCache
    let limits: NotificationLimits

    /// A notification to store.
    private struct Draft {
        var number: Int64
        var owner: String
        var notification: PushNotification
        var content: [UInt8]
    }

    /// Stores the notifications of a commit. Removes the subscriptions that fire only once and have fired
    /// now.
    func keep(_ drafts: [PushDraft], _ state: inout PostgresWriteState) throws {
        // An earlier write of the same transaction may have removed a subscription.
        let gone = state.removedSubscriptions
        let drafts = drafts.filter { !gone.contains($0.subscription) }
        if drafts.isEmpty { return }
        try PostgresSubscriptionTable.remove(drafts.filter(\.isLast).map(\.subscription), in: session, &state)
        try keep(drafts.map { ($0.owner, $0.notification) }, &state)
    }

    /// Stores the notice that a notification was read.
    func notifyOfReading(
        _ read: [PushNotification], _ id: String, by owner: String, _ stamp: Stamp,
        _ state: inout PostgresWriteState
    ) throws {
        try keep([(owner, .reading(of: read, id: id, by: stamp))], &state)
    }

    /// Deletes the oldest read notifications of a person who has too many of them. Nobody reads them again,
    /// so this expires no token.
    func forgetSurplusRead(of owner: String) throws {
        let read = try notifications(of: owner, areRead: true)
        let kept = limits.kept(of: read.map(\.bytes))
        guard kept < read.count else { return }
        try session.run(
            "DELETE FROM notification WHERE database = $1 AND owner = $2 AND is_read = 1 AND id <= $3",
            .text(owner), .integer(read[kept].number))
    }

    /// Stores the notifications about the creation or deletion of a zone, which has the current sequence
    /// number.
    ///
    /// - Parameter members: the members of the zone's shares.
    func notify(
        ofZone name: String, members: [String] = [], _ stamp: Stamp, _ state: inout PostgresWriteState
    ) throws {
        let pushes = subscribers.pushes(
            ofZone: name, members: members, identity: state.identity, stamp: stamp, notBefore: state.time,
            sequence: state.sequence)
        for drafts in pushes { try keep(drafts, &state) }
    }

    private func keep(
        _ notifications: [(owner: String, notification: PushNotification)], _ state: inout PostgresWriteState
    ) throws {
        var drafts: [Draft] = []
        for (owner, notification) in notifications {
            state.lastNotification += 1
            drafts.append(
                Draft(
                    number: state.lastNotification, owner: owner, notification: notification,
                    content: codec.encode(notification)))
        }
        // The identifier is empty for a notice of reading, and stored as NULL.
        try session.run(
            """
            INSERT INTO notification (database, id, owner, name, is_read, time, content, writer)
            SELECT $1, n.id, n.owner, NULLIF(n.name, ''), 0, n.time, n.content, $7
            FROM unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bytea[])
                AS n (id, owner, name, time, content)
            """,
            .integers(drafts.map(\.number)), .texts(drafts.map(\.owner)),
            .texts(drafts.map { $0.notification.cause == .read ? "" : $0.notification.id }),
            .integers(drafts.map(\.notification.origin.at.milliseconds)),
            .byteStrings(drafts.map(\.content)), .integer(process))
        for (owner, own) in Dictionary(grouping: drafts, by: \.owner) { try count(own, of: owner) }
    }

    /// Adds to the upper bound of a person's unread notifications, and counts them if it exceeds a limit.
    private func count(_ new: [Draft], of owner: String) throws {
        let bounds = try session.rows(
            """
            INSERT INTO notification_owner AS o (database, owner, horizon, most, most_bytes)
            VALUES ($1, $2, 0, $3, $4)
            ON CONFLICT (database, owner) DO UPDATE
            SET most = o.most + excluded.most, most_bytes = o.most_bytes + excluded.most_bytes
            RETURNING most, most_bytes
            """,
            .text(owner), .count(new.count), .count(new.reduce(0) { $0 + $1.content.count }))
        guard let bound = bounds.first,
            limits.areExceeded(byCount: Int(bound.integer(0)), bytes: Int(bound.integer(1)))
        else { return }
        try forgetSurplus(of: owner, after: new)
    }

    /// Forgets a person's oldest notifications as if the new ones came one after the other, and stores the
    /// exact count and size of the remaining ones.
    private func forgetSurplus(of owner: String, after new: [Draft]) throws {
        let all = try notifications(of: owner, areRead: false)
        // The newest first, beginning with those from before this commit.
        var unread = Array(all.dropFirst(new.count))
        var horizon: Int64 = 0
        for item in all.prefix(new.count).reversed() {
            unread.insert(item, at: 0)
            let sizes = unread.map(\.bytes)
            guard limits.areExceeded(byCount: sizes.count, bytes: sizes.reduce(0, +)) else { continue }
            let kept = limits.kept(of: sizes)
            guard kept < unread.count else { continue }
            horizon = unread[kept].number
            unread.removeLast(unread.count - kept)
        }
        try session.run(
            """
            UPDATE notification_owner
            SET horizon = GREATEST(horizon, $3), most = $4, most_bytes = $5
            WHERE database = $1 AND owner = $2
            """,
            .text(owner), .integer(horizon), .count(unread.count),
            .count(unread.reduce(0) { $0 + $1.bytes }))
        if horizon == 0 { return }
        try session.run(
            "DELETE FROM notification WHERE database = $1 AND owner = $2 AND id <= $3",
            .text(owner), .integer(horizon))
    }

    /// Returns the numbers and sizes of a person's read or unread notifications, the newest first.
    private func notifications(
        of owner: String, areRead: Bool
    ) throws -> [(number: Int64, bytes: Int)] {
        try session.rows(
            """
            SELECT id, octet_length(content)
            FROM notification
            WHERE database = $1 AND owner = $2 AND is_read = \(areRead ? 1 : 0)
            ORDER BY id DESC
            """,
            .text(owner)
        ).map { (number: $0.integer(0), bytes: Int($0.integer(1))) }
    }
}
