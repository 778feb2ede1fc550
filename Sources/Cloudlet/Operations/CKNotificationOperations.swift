import Foundation

/// Fetches the notifications since a token: every push, whether it arrived or not (API sheet 15; talk 2,
/// "Notification collection").
// Sendable because properties are set before the operation starts, and what it finds lies behind a lock.
@available(*, deprecated, message: "Use CKFetchDatabaseChangesOperation where records are what you want.")
open class CKFetchNotificationChangesOperation: CKOperation, @unchecked Sendable {
    /// The token of the last fetch; nil: from the beginning.
    open var previousServerChangeToken: CKServerChangeToken?
    /// At most so many notifications; 0 leaves it to the server.
    open var resultsLimit: Int = 0
    /// Hears of each notification, the oldest first.
    open var notificationChangedBlock: ((CKNotification) -> Void)?
    /// Hears of the end.
    open var fetchNotificationChangesCompletionBlock: ((CKServerChangeToken?, (any Error)?) -> Void)?

    private let hasMore = Locked(false)

    /// An operation that fetches from the beginning.
    public override init() {
        super.init()
    }

    /// Fetches what was told since that token.
    public convenience init(previousServerChangeToken: CKServerChangeToken?) {
        self.init()
        self.previousServerChangeToken = previousServerChangeToken
    }

    /// Whether there are more; known when the completion block is called.
    open var moreComing: Bool { hasMore.current }

    override func perform() async {
        do {
            try Task.checkCancellation()
            let page = try await containerClient.pushes.notifications(
                since: previousServerChangeToken, limit: resultsLimit)
            hasMore.withLock { $0 = page.moreComing }
            await call {
                for notification in page.notifications { self.notificationChangedBlock?(notification) }
                self.fetchNotificationChangesCompletionBlock?(page.token, nil)
            }
        } catch {
            let failure = CKError(failure: error)
            await call { self.fetchNotificationChangesCompletionBlock?(nil, failure) }
        }
    }
}

/// Marks notifications as read, which the person's other devices are told.
// Sendable because properties are set before the operation starts.
@available(*, deprecated, message: "Keep in a record what the person has seen.")
open class CKMarkNotificationsReadOperation: CKOperation, @unchecked Sendable {
    /// The notifications to mark.
    open var notificationIDs: [CKNotification.ID]?
    /// Hears of the end, with the notifications that were marked.
    open var markNotificationsReadCompletionBlock: (([CKNotification.ID]?, (any Error)?) -> Void)?

    /// An operation with nothing to do yet.
    public override init() {
        super.init()
    }

    /// Marks these notifications.
    public convenience init(notificationIDsToMarkRead notificationIDs: [CKNotification.ID]) {
        self.init()
        self.notificationIDs = notificationIDs
    }

    override func perform() async {
        do {
            try Task.checkCancellation()
            let marked = try await containerClient.pushes.markRead(notificationIDs ?? [])
            await call { self.markNotificationsReadCompletionBlock?(marked, nil) }
        } catch {
            let failure = CKError(failure: error)
            await call { self.markNotificationsReadCompletionBlock?(nil, failure) }
        }
    }
}

/// Sets the number that the app's icon shows, from which the next push counts on.
// Sendable because properties are set before the operation starts.
@available(*, deprecated, message: "Set the badge on the device.")
open class CKModifyBadgeOperation: CKOperation, @unchecked Sendable {
    /// The number; 0: none.
    open var badgeValue: Int = 0
    /// Hears of the end.
    open var modifyBadgeCompletionBlock: (((any Error)?) -> Void)?

    /// An operation that clears the badge.
    public override init() {
        super.init()
    }

    /// Sets the badge to that number.
    public convenience init(badgeValue: Int) {
        self.init()
        self.badgeValue = badgeValue
    }

    override func perform() async {
        var failure: CKError?
        do {
            try Task.checkCancellation()
            try await containerClient.pushes.setBadge(badgeValue)
        } catch {
            failure = CKError(failure: error)
        }
        await call { [failure] in self.modifyBadgeCompletionBlock?(failure) }
    }
}
