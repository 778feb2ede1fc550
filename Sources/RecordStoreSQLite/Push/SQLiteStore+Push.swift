package import RecordStore
package import Records

extension SQLiteStore {
    package var hasSubscriptions: Bool { !writer.subscriptions.isEmpty }

    package func subscriptions(
        of owner: String, in scope: SubscriptionScope
    ) async throws -> [Subscription] {
        try read {
            try SubscriptionTable(database: $0, codec: codec, scope: scope).subscriptions(of: owner)
                .map(\.subscription)
        }
    }

    package func modifySubscriptions(
        _ operations: [SubscriptionOperation], of owner: String, in scope: SubscriptionScope, limits: Limits
    ) async throws -> [SubscriptionResult] {
        let (codec, rules) = (codec, SubscriptionRules(limits: limits))
        return try await write(for: owner) { database, state in
            let subscriptions = SubscriptionTable(database: database, codec: codec, scope: scope)
            return (true, try subscriptions.modify(operations, of: owner, rules, &state))
        }
    }

    package func setSharedSubscriptions(_ all: [Subscription], of person: String) async throws {
        if try await subscriptions(of: person, in: .shared) == all { return }
        let codec = codec
        try await write(for: person) { database, state in
            let subscriptions = SubscriptionTable(database: database, codec: codec, scope: .shared)
            try subscriptions.remove(of: person, &state)
            for subscription in all { _ = try subscriptions.add(subscription, of: person, &state) }
            return (true, ())
        }
    }

    // MARK: The notification collection

    package var lastNotification: Int64 { writer.lastNotification }

    package func notifications(
        after number: Int64, limit: Int, bytes: Int
    ) async throws -> [NumberedNotification] {
        try read {
            try NotificationTable(database: $0, codec: codec)
                .notifications(after: number, limit: limit, bytes: bytes)
        }
    }

    package func notifications(
        of owner: String, after number: Int64, limit: Int, bytes: Int
    ) async throws -> NotificationsPage {
        try read {
            try NotificationTable(database: $0, codec: codec)
                .page(of: owner, after: number, limit: limit, bytes: bytes)
        }
    }

    package func markNotificationsRead(
        _ ids: [String], of owner: String, by stamp: Stamp
    ) async throws -> [String] {
        let (codec, subscribers) = (codec, writer.subscriptions)
        return try await write(for: owner) { database, state in
            let notifications = NotificationTable(database: database, codec: codec)
            let writer = NotificationWriter(database: database, codec: codec, subscribers: subscribers)
            var known: [String] = []
            for id in ids {
                let read = try notifications.markRead(id, of: owner)
                if !read.isEmpty { try writer.notifyOfReading(read, id, by: owner, stamp, &state) }
                if try notifications.has(id, of: owner) { known.append(id) }
            }
            try writer.forgetSurplusRead(of: owner)
            return (true, known)
        }
    }

    package func latestNotification(of owner: String) async throws -> NumberedNotification? {
        try read { try NotificationTable(database: $0, codec: codec).latest(of: owner) }
    }

    package func forgetPushes(of owner: String) async throws {
        let codec = codec
        try await write { database, state in
            for scope in [SubscriptionScope.own, .shared] {
                let subscriptions = SubscriptionTable(database: database, codec: codec, scope: scope)
                try subscriptions.remove(of: owner, &state)
            }
            try NotificationTable(database: database, codec: codec).remove(of: owner)
            return (true, ())
        }
    }

    package func forgetNotifications(before time: Timestamp) async throws {
        let codec = codec
        try await write { database, _ in
            try NotificationTable(database: database, codec: codec).forget(before: time)
            return (true, ())
        }
    }
}
