import PostgreSQLSupport
package import RecordStore
package import Records

extension PostgresStore {
    /// As of the last write of this process; another process may have added subscriptions since.
    package var hasSubscriptions: Bool { !subscriptions.isEmpty }

    package func subscriptions(
        of owner: String, in scope: SubscriptionScope
    ) async throws -> [Subscription] {
        let codec = codec
        return try await read {
            try PostgresSubscriptionTable(session: $0, codec: codec, scope: scope).subscriptions(of: owner)
                .map(\.subscription)
        }
    }

    package func modifySubscriptions(
        _ operations: [SubscriptionOperation], of owner: String, in scope: SubscriptionScope, limits: Limits
    ) async throws -> [SubscriptionResult] {
        let (codec, rules) = (codec, SubscriptionRules(limits: limits))
        return try await write(for: owner) { session, state in
            let table = PostgresSubscriptionTable(session: session, codec: codec, scope: scope)
            return (true, try table.modify(operations, of: owner, rules, &state))
        }
    }

    package func setSharedSubscriptions(_ all: [Subscription], of person: String) async throws {
        if try await subscriptions(of: person, in: .shared) == all { return }
        let codec = codec
        try await write(for: person) { session, state in
            let table = PostgresSubscriptionTable(session: session, codec: codec, scope: .shared)
            try table.remove(of: person, &state)
            for subscription in all { _ = try table.add(subscription, of: person, &state) }
            return (true, ())
        }
    }

    // MARK: The notification collection

    func notificationTable(_ session: PostgresSession) -> PostgresNotificationTable {
        PostgresNotificationTable(session: session, codec: codec, process: process)
    }

    func notificationWriter(_ session: PostgresSession) -> PostgresNotificationWriter {
        PostgresNotificationWriter(
            session: session, codec: codec, process: process, subscribers: subscriptions,
            limits: notificationLimits)
    }

    /// As of the last write of this process.
    package var lastNotification: Int64 { subscriptions.lastNotification }

    package func notifications(
        after number: Int64, limit: Int, bytes: Int
    ) async throws -> [NumberedNotification] {
        try await read { [self] in
            try notificationTable($0)
                .notifications(after: number, limit: limit, bytes: bytes)
        }
    }

    package func notifications(
        of owner: String, after number: Int64, limit: Int, bytes: Int
    ) async throws -> NotificationsPage {
        try await read { [self] in
            try notificationTable($0)
                .page(of: owner, after: number, limit: limit, bytes: bytes)
        }
    }

    package func markNotificationsRead(
        _ ids: [String], of owner: String, by stamp: Stamp
    ) async throws -> [String] {
        try await write(for: owner) { [self] session, state in
            let table = notificationTable(session)
            let writer = notificationWriter(session)
            var known: [String] = []
            for id in ids {
                let read = try table.markRead(id, of: owner)
                if !read.isEmpty { try writer.notifyOfReading(read, id, by: owner, stamp, &state) }
                if try table.has(id, of: owner) { known.append(id) }
            }
            try writer.forgetSurplusRead(of: owner)
            return (true, known)
        }
    }

    package func latestNotification(of owner: String) async throws -> NumberedNotification? {
        try await read { [self] in try notificationTable($0).latest(of: owner) }
    }

    package func forgetPushes(of owner: String) async throws {
        let codec = codec
        try await write { [self] session, state in
            for scope in [SubscriptionScope.own, .shared] {
                try PostgresSubscriptionTable(session: session, codec: codec, scope: scope)
                    .remove(of: owner, &state)
            }
            try notificationTable(session).remove(of: owner)
            return (true, ())
        }
    }

    package func forgetNotifications(before time: Timestamp) async throws {
        try await write { [self] session, state in
            try notificationTable(session).forget(before: time, &state)
            return (true, ())
        }
    }
}
