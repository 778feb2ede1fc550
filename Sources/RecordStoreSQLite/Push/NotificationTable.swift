import GRDB
import RecordStore
import Records

/// The notification collections of all people.
struct NotificationTable {
    let database: Database
    let codec: any FieldCodec

    /// Returns the notifications of all people after a number, in ascending order, until the page is full.
    func notifications(after number: Int64, limit: Int, bytes: Int) throws -> [NumberedNotification] {
        var rows = try SQL(
            database,
            """
            SELECT id, owner, content
            FROM notification
            WHERE id > ?
            ORDER BY id
            LIMIT ?
            """
        )
        rows.bind(number)
        rows.bind(Int64(limit))
        return try page(&rows, PageGauge(limit: limit, bytes: bytes)).found
    }

    /// Returns a page of a person's unread notifications. Throws `changeTokenExpired` if a notification after
    /// `number` was forgotten.
    func page(
        of owner: String, after number: Int64, limit: Int, bytes: Int
    ) throws -> NotificationsPage {
        let (last, horizon) = try extent(of: owner)
        if number > 0, number < horizon || number > last { throw NotificationsPage.expired }
        var rows = try SQL(
            database,
            """
            SELECT id, owner, content
            FROM notification
            WHERE owner = ? AND id > ? AND is_read = 0
            ORDER BY id
            LIMIT ?
            """
        )
        rows.bind(owner)
        rows.bind(number)
        rows.bind(Int64(limit) + 1)
        let (found, isMore) = try page(&rows, PageGauge(limit: limit, bytes: bytes))
        return NotificationsPage(
            notifications: found, end: isMore ? found.last?.number ?? number : max(number, last),
            moreComing: isMore
        )
    }

    /// Returns a person's latest unread notification; nil if there is none.
    func latest(of owner: String) throws -> NumberedNotification? {
        var rows = try SQL(
            database,
            """
            SELECT id, owner, content
            FROM notification
            WHERE owner = ? AND is_read = 0
            ORDER BY id DESC
            LIMIT 1
            """
        )
        rows.bind(owner)
        return try page(&rows, PageGauge(limit: 1, bytes: .max)).found.first
    }

    /// Returns the notifications of rows until the page is full, and whether there are more.
    private func page(
        _ rows: inout SQL, _ gauge: PageGauge
    ) throws -> (found: [NumberedNotification], isMore: Bool) {
        defer { rows.reset() }
        var (found, gauge) = ([NumberedNotification](), gauge)
        while try rows.step() {
            if gauge.isFull { return (found, true) }
            let content = rows.bytes(2)
            gauge.take(bytes: content.count)
            found.append(
                NumberedNotification(
                    number: rows.integer(0), owner: rows.text(1),
                    notification: try codec.notification(content), bytes: content.count))
        }
        return (found, false)
    }

    /// Returns the number of the last notification of all people, and that of the last one of this person
    /// that was forgotten.
    private func extent(of owner: String) throws -> (last: Int64, horizon: Int64) {
        var row = try SQL(
            database,
            """
            SELECT last_notification, MAX(notification_horizon, COALESCE(
                (SELECT horizon FROM notification_owner WHERE owner = ?), 0
            ))
            FROM store
            """
        )
        row.bind(owner)
        defer { row.reset() }
        return try row.step() ? (row.integer(0), row.integer(1)) : (0, 0)
    }

    // MARK: Reading and forgetting

    /// Marks the person's notifications with one identifier as read, and returns those that were unread.
    func markRead(_ id: String, of owner: String) throws -> [PushNotification] {
        let read = try unread(id, of: owner)
        if read.isEmpty { return [] }
        var row = try SQL(database, "UPDATE notification SET is_read = 1 WHERE owner = ? AND name = ?")
        row.bind(owner)
        row.bind(id)
        try row.run()
        return read
    }

    func has(_ id: String, of owner: String) throws -> Bool {
        var found = try SQL(database, "SELECT 1 FROM notification WHERE owner = ? AND name = ?")
        found.bind(owner)
        found.bind(id)
        defer { found.reset() }
        return try found.step()
    }

    private func unread(_ id: String, of owner: String) throws -> [PushNotification] {
        var rows = try SQL(
            database, "SELECT content FROM notification WHERE owner = ? AND name = ? AND is_read = 0")
        rows.bind(owner)
        rows.bind(id)
        defer { rows.reset() }
        var found: [PushNotification] = []
        while try rows.step() { found.append(try codec.notification(rows.bytes(0))) }
        return found
    }

    /// Deletes all notifications of a person, and the person's horizon.
    func remove(of owner: String) throws {
        for rows in [
            "notification WHERE owner = ? AND is_read = 0", "notification WHERE owner = ? AND is_read = 1",
            "notification_owner WHERE owner = ?",
        ] {
            var row = try SQL(database, "DELETE FROM \(rows)")
            row.bind(owner)
            try row.run()
        }
    }

    /// Deletes notifications from before a time, read or not.
    func forget(before time: Timestamp) throws {
        var oldest = try SQL(database, "SELECT MAX(id) FROM notification WHERE time < ?")
        oldest.bind(time.milliseconds)
        let last = try oldest.step() && !oldest.isNull(0) ? oldest.integer(0) : 0
        oldest.reset()
        if last == 0 { return }
        var rows = try SQL(database, "DELETE FROM notification WHERE time < ?")
        rows.bind(time.milliseconds)
        try rows.run()
        var row = try SQL(database, "UPDATE store SET notification_horizon = MAX(notification_horizon, ?)")
        row.bind(last)
        try row.run()
    }
}
