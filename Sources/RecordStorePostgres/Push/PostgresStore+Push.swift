package import RecordStore
package import Records

/// Subscriptions and notifications. They are refused until they are kept in tables.
extension PostgresStore {
    private static var refusal: RecordError { .missing("subscriptions and notifications") }

    package var hasSubscriptions: Bool { false }

    package var lastNotification: Int64 { 0 }

    package func subscriptions(
        of owner: String, in scope: SubscriptionScope
    ) async throws -> [Subscription] { [] }

    package func modifySubscriptions(
        _ operations: [SubscriptionOperation], of owner: String, in scope: SubscriptionScope, limits: Limits
    ) async throws -> [SubscriptionResult] {
        operations.map { .failure($0.id, Self.refusal) }
    }

    package func setSharedSubscriptions(_ all: [Subscription], of person: String) async throws {
        if !all.isEmpty { throw Self.refusal }
    }

    package func notifications(
        after number: Int64, limit: Int, bytes: Int
    ) async throws -> [NumberedNotification] { [] }

    package func notifications(
        of owner: String, after number: Int64, limit: Int, bytes: Int
    ) async throws -> NotificationsPage { throw Self.refusal }

    package func markNotificationsRead(
        _ ids: [String], of owner: String, by stamp: Stamp
    ) async throws -> [String] { [] }

    package func latestNotification(of owner: String) async throws -> NumberedNotification? { nil }

    package func forgetNotifications(before time: Timestamp) async throws {}

    package func forgetPushes(of owner: String) async throws {}
}
