import Foundation

/// Fetches the notifications since a token. They include pushes that did not reach the device.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckfetchnotificationchangesoperation>.
// Sendable because properties are set before the operation starts, and the results are behind a lock.
@available(*, deprecated, message: "Use CKFetchDatabaseChangesOperation to fetch changes of records.")
open class CKFetchNotificationChangesOperation: CKOperation, @unchecked Sendable {
    /// The token of the previous fetch; nil fetches from the beginning.
    open var previousServerChangeToken: CKServerChangeToken?
    /// The maximum number of notifications; 0 lets the server decide.
    open var resultsLimit: Int = 0
    /// Called for each notification, oldest first.
    open var notificationChangedBlock: ((CKNotification) -> Void)?
    /// Called once, when the operation ends.
    open var fetchNotificationChangesCompletionBlock: ((CKServerChangeToken?, (any Error)?) -> Void)?

    private let hasMore = Locked(false)

    /// Creates an operation that fetches from the beginning.
    public override init() {
        super.init()
    }

    /// Creates an operation that fetches the notifications since the token.
    public convenience init(previousServerChangeToken: CKServerChangeToken?) {
        self.init()
        self.previousServerChangeToken = previousServerChangeToken
    }

    /// Whether there are more notifications. It has its value when the completion block is called.
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

/// Marks notifications as read, and notifies the person's other devices.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckmarknotificationsreadoperation>.
// Sendable because properties are set before the operation starts.
@available(*, deprecated, message: "Keep in a record what the person has seen.")
open class CKMarkNotificationsReadOperation: CKOperation, @unchecked Sendable {
    /// The notifications to mark.
    open var notificationIDs: [CKNotification.ID]?
    /// Called once, when the operation ends, with the notifications that were marked.
    open var markNotificationsReadCompletionBlock: (([CKNotification.ID]?, (any Error)?) -> Void)?

    /// Creates an operation without input: set its properties before you add it to a database or container.
    public override init() {
        super.init()
    }

    /// Creates an operation that marks these notifications as read.
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

/// Sets the number on the app's icon. Later pushes that increment the badge start from this number.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckmodifybadgeoperation>.
// Sendable because properties are set before the operation starts.
@available(*, deprecated, message: "Set the badge on the device.")
open class CKModifyBadgeOperation: CKOperation, @unchecked Sendable {
    /// The number; 0 removes the badge.
    open var badgeValue: Int = 0
    /// Called once, when the operation ends.
    open var modifyBadgeCompletionBlock: (((any Error)?) -> Void)?

    /// Creates an operation that removes the badge.
    public override init() {
        super.init()
    }

    /// Creates an operation that sets the badge to this number.
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
