import PostgreSQLSupport
import RecordStore
import Records

/// The notification collections of all people.
struct PostgresNotificationTable {
    let session: PostgresSession
    let codec: any FieldCodec
    /// The number of this process.
    let process: Int64

    /// The rows that are read at once: a page may end early because of its bytes.
    private static let chunk = 100

    /// Returns the notifications of all people after a number, in ascending order, until the page is full.
    func notifications(after number: Int64, limit: Int, bytes: Int) throws -> [NumberedNotification] {
        try page(after: number, PageGauge(limit: limit, bytes: bytes)) { number, count in
            try session.rows(
                """
                SELECT id, owner, content, writer
                FROM notification
                WHERE database = $1 AND id > $2
                ORDER BY id
                LIMIT $3
                """,
                .integer(number), .count(count))
        }.found
    }

    /// Returns a page of a person's unread notifications. Throws `changeTokenExpired` if a notification after
    /// `number` was forgotten.
    func page(
        of owner: String, after number: Int64, limit: Int, bytes: Int
    ) throws -> NotificationsPage {
        let (last, horizon) = try extent(of: owner)
        if number > 0, number < horizon || number > last { throw NotificationsPage.expired }
        let (found, isMore) = try page(after: number, PageGauge(limit: limit, bytes: bytes)) {
            number, count in
            try session.rows(
                """
                SELECT id, owner, content, writer
                FROM notification
                WHERE database = $1 AND owner = $2 AND id > $3 AND is_read = 0
                ORDER BY id
                LIMIT $4
                """,
                .text(owner), .integer(number), .count(count))
        }
        return NotificationsPage(
            notifications: found, end: isMore ? found.last?.number ?? number : max(number, last),
            moreComing: isMore)
    }

    /// Returns a person's latest unread notification; nil if there is none.
    func latest(of owner: String) throws -> NumberedNotification? {
        try session.rows(
            """
            SELECT id, owner, content, writer
            FROM notification
            WHERE database = $1 AND owner = $2 AND is_read = 0
            ORDER BY id DESC
            LIMIT 1
            """,
            .text(owner)
        ).first.map(notification)
    }

    private func notification(_ row: PostgresRow) throws -> NumberedNotification {
        let content = row.bytes(2)
        return NumberedNotification(
            number: row.integer(0), owner: row.text(1), notification: try codec.notification(content),
            bytes: content.count, isForeign: row.integer(3) != process)
    }

    /// Returns the notifications of rows until the page is full, and whether there are more. `rows` reads at
    /// most a number of rows after a number.
    private func page(
        after number: Int64, _ gauge: PageGauge, _ rows: (Int64, Int) throws -> PostgresRows
    ) throws -> (found: [NumberedNotification], isMore: Bool) {
        var (found, gauge) = ([NumberedNotification](), gauge)
        while true {
            let read = try rows(found.last?.number ?? number, Self.chunk)
            for row in read {
                if gauge.isFull { return (found, true) }
                let item = try notification(row)
                gauge.take(bytes: item.bytes)
                found.append(item)
            }
            if read.count < Self.chunk { return (found, false) }
        }
    }

    /// Returns the number of the last notification of all people, and that of the last one of this person
    /// that was forgotten.
    private func extent(of owner: String) throws -> (last: Int64, horizon: Int64) {
        let rows = try session.rows(
            """
            SELECT last_notification, GREATEST(notification_horizon, (
                SELECT horizon FROM notification_owner WHERE database = $1 AND owner = $2
            ))
            FROM database
            WHERE id = $1
            """,
            .text(owner))
        return rows.first.map { ($0.integer(0), $0.integer(1)) } ?? (0, 0)
    }

    // MARK: Reading and forgetting

    /// Marks the person's notifications with one identifier as read, and returns those that were unread.
    func markRead(_ id: String, of owner: String) throws -> [PushNotification] {
        try session.rows(
            """
            UPDATE notification
            SET is_read = 1
            WHERE database = $1 AND owner = $2 AND name = $3 AND is_read = 0
            RETURNING content
            """,
            .text(owner), .text(id)
        ).map { try codec.notification($0.bytes(0)) }
    }

    func has(_ id: String, of owner: String) throws -> Bool {
        try !session.rows(
            "SELECT 1 FROM notification WHERE database = $1 AND owner = $2 AND name = $3 LIMIT 1",
            .text(owner), .text(id)
        ).isEmpty
    }

    /// Deletes all notifications of a person, and the person's horizon.
    func remove(of owner: String) throws {
        for table in ["notification", "notification_owner"] {
            try session.run("DELETE FROM \(table) WHERE database = $1 AND owner = $2", .text(owner))
        }
    }

    /// Deletes notifications from before a time, read or not.
    func forget(before time: Timestamp, _ state: inout PostgresWriteState) throws {
        let gone = try session.rows(
            "DELETE FROM notification WHERE database = $1 AND time < $2 RETURNING id",
            .integer(time.milliseconds))
        state.notificationHorizon = max(state.notificationHorizon, gone.map { $0.integer(0) }.max() ?? 0)
    }
}
