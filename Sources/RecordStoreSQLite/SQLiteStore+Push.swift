import GRDB
package import RecordStore
package import Records

extension SQLiteStore {
    package var hasSubscriptions: Bool { !writer.subscriptions.isEmpty }

    package func subscriptions(of owner: String) async throws -> [Subscription] {
        let codec = codec
        return try read { try Self.subscriptions(of: owner, $0, codec).map(\.subscription) }
    }

    package func modifySubscriptions(
        _ operations: [SubscriptionOperation], of owner: String, limits: Limits
    ) async throws -> [SubscriptionResult] {
        let (codec, rules) = (codec, SubscriptionRules(limits: limits))
        return try await write(for: owner) { database, state in
            var known = try Self.subscriptions(of: owner, database, codec)
            var results: [SubscriptionResult] = []
            for operation in operations {
                let verdict: SubscriptionRules.Verdict
                do throws(RecordError) {
                    verdict = try rules.verdict(operation, among: known.map(\.subscription))
                } catch {
                    results.append(.failure(operation.id, error))
                    continue
                }
                let index = known.firstIndex { $0.subscription.id == operation.id }
                let old = index.map { known[$0] }
                let (result, new) = try Self.apply(
                    verdict, to: old, id: operation.id, of: owner, database, codec, &state)
                results.append(result)
                switch (index, new) {
                case (let index?, let new?): known[index] = new
                case (let index?, nil): known.remove(at: index)
                case (nil, let new?): known.append(new)
                case (nil, nil): break
                }
            }
            return (true, results)
        }
    }

    /// Carries a verdict out. Answers its result and the subscription that there is now.
    private static func apply(
        _ verdict: SubscriptionRules.Verdict, to old: SubscriptionEntry?, id: String, of owner: String,
        _ database: Database, _ codec: any FieldCodec, _ state: inout WriterState
    ) throws -> (SubscriptionResult, SubscriptionEntry?) {
        switch verdict {
        case .keep(let subscription): return (.subscription(subscription), old)
        case .add(let subscription):
            var row = try SQL(
                database, "INSERT INTO subscription (owner, name, definition) VALUES (?, ?, ?)")
            row.bind(owner)
            row.bind(id)
            row.bind(codec.encode(subscription))
            try row.run()
            let entry = SubscriptionEntry(
                number: database.lastInsertedRowID, owner: owner, subscription: subscription)
            state.subscriptionChanges.append(.add(entry))
            return (.subscription(subscription), entry)
        case .replace(let subscription):
            guard var entry = old else { throw SubscriptionRules.missing(id) }
            var row = try SQL(database, "UPDATE subscription SET definition = ? WHERE id = ?")
            row.bind(codec.encode(subscription))
            row.bind(entry.number)
            try row.run()
            entry.subscription = subscription
            state.subscriptionChanges += [.remove(entry.number), .add(entry)]
            return (.subscription(subscription), entry)
        case .remove:
            guard let old else { throw SubscriptionRules.missing(id) }
            var row = try SQL(database, "DELETE FROM subscription WHERE id = ?")
            row.bind(old.number)
            try row.run()
            state.subscriptionChanges.append(.remove(old.number))
            return (.deleted(id), nil)
        }
    }

    private static func subscriptions(
        of owner: String, _ database: Database, _ codec: any FieldCodec
    ) throws -> [SubscriptionEntry] {
        var rows = try SQL(
            database, "SELECT id, definition FROM subscription WHERE owner = ? ORDER BY id")
        rows.bind(owner)
        defer { rows.reset() }
        var entries: [SubscriptionEntry] = []
        while try rows.step() {
            let subscription = try codec.subscription(rows.bytes(1))
            entries.append(
                SubscriptionEntry(number: rows.integer(0), owner: owner, subscription: subscription))
        }
        return entries
    }
}

// MARK: - The notification collection

extension SQLiteStore {
    package var lastNotification: Int64 { writer.lastNotification }

    package func notifications(
        after number: Int64, limit: Int, bytes: Int
    ) async throws -> [NumberedNotification] {
        let codec = codec
        return try read { database in
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
            return try Self.notifications(&rows, codec, PageGauge(limit: limit, bytes: bytes)).found
        }
    }

    package func notifications(
        of owner: String, after number: Int64, limit: Int, bytes: Int
    ) async throws -> NotificationsPage {
        let codec = codec
        return try read { database in
            let (last, horizon) = try Self.notificationExtent(of: owner, database)
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
            let (page, isMore) = try Self.notifications(
                &rows, codec, PageGauge(limit: limit, bytes: bytes))
            return NotificationsPage(
                notifications: page, end: isMore ? page.last?.number ?? number : max(number, last),
                moreComing: isMore
            )
        }
    }

    /// The notifications of rows until the page is full, and whether there are more.
    private static func notifications(
        _ rows: inout SQL, _ codec: any FieldCodec, _ gauge: PageGauge
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

    private static func notificationExtent(
        of owner: String, _ database: Database
    ) throws -> (last: Int64, horizon: Int64) {
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

    package func markNotificationsRead(
        _ ids: [String], of owner: String, by stamp: Stamp
    ) async throws -> [String] {
        let (codec, book) = (codec, writer.subscriptions)
        return try await write { database, state in
            let writer = NotificationWriter(database: database, codec: codec, book: book)
            var known: [String] = []
            for id in ids {
                let read = try Self.unread(id, of: owner, database, codec)
                if !read.isEmpty {
                    var row = try SQL(
                        database, "UPDATE notification SET is_read = 1 WHERE owner = ? AND name = ?")
                    row.bind(owner)
                    row.bind(id)
                    try row.run()
                    try writer.tellOfReading(read, id, by: owner, stamp, &state)
                }
                var found = try SQL(database, "SELECT 1 FROM notification WHERE owner = ? AND name = ?")
                found.bind(owner)
                found.bind(id)
                defer { found.reset() }
                if try found.step() { known.append(id) }
            }
            return (true, known)
        }
    }

    private static func unread(
        _ id: String, of owner: String, _ database: Database, _ codec: any FieldCodec
    ) throws -> [PushNotification] {
        var rows = try SQL(
            database, "SELECT content FROM notification WHERE owner = ? AND name = ? AND is_read = 0")
        rows.bind(owner)
        rows.bind(id)
        defer { rows.reset() }
        var found: [PushNotification] = []
        while try rows.step() { found.append(try codec.notification(rows.bytes(0))) }
        return found
    }

    package func latestNotification(of owner: String) async throws -> NumberedNotification? {
        let codec = codec
        return try read { database in
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
            return try Self.notifications(&rows, codec, PageGauge(limit: 1, bytes: .max)).found.first
        }
    }

    package func forgetPushes(of owner: String) async throws {
        let codec = codec
        try await write { database, state in
            for entry in try Self.subscriptions(of: owner, database, codec) {
                state.subscriptionChanges.append(.remove(entry.number))
            }
            for rows in [
                "subscription WHERE owner = ?", "notification WHERE owner = ? AND is_read = 0",
                "notification WHERE owner = ? AND is_read = 1", "notification_owner WHERE owner = ?",
            ] {
                var row = try SQL(database, "DELETE FROM \(rows)")
                row.bind(owner)
                try row.run()
            }
            return (true, ())
        }
    }

    package func forgetNotifications(before time: Timestamp) async throws {
        try await write { database, _ in
            var oldest = try SQL(database, "SELECT MAX(id) FROM notification WHERE time < ?")
            oldest.bind(time.milliseconds)
            let last = try oldest.step() && !oldest.isNull(0) ? oldest.integer(0) : 0
            oldest.reset()
            if last == 0 { return (true, ()) }
            var rows = try SQL(database, "DELETE FROM notification WHERE time < ?")
            rows.bind(time.milliseconds)
            try rows.run()
            var row = try SQL(
                database, "UPDATE store SET notification_horizon = MAX(notification_horizon, ?)")
            row.bind(last)
            try row.run()
            return (true, ())
        }
    }
}
