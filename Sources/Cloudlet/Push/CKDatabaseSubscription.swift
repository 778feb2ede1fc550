public import Foundation

/// Sends a push when anything changes in any custom zone of the private or the shared database, including
/// zones that are created later.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckdatabasesubscription>.
// Sendable because all state is behind the lock of the base class.
open class CKDatabaseSubscription: CKSubscription, @unchecked Sendable {
    override init(plain: ArchivedSubscription) {
        super.init(plain: plain)
    }

    /// Creates a subscription to the database that it will be saved in.
    public convenience init(subscriptionID: CKSubscription.ID) {
        self.init(
            plain: ArchivedSubscription(
                id: subscriptionID, type: CKSubscription.SubscriptionType.database.rawValue))
    }

    /// Creates a subscription whose ID is a new UUID.
    @available(*, deprecated, message: "Choose a subscriptionID, so that saving again creates no duplicate.")
    public convenience init() {
        self.init(subscriptionID: Self.newID)
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// The record type that the subscription watches; nil watches all types.
    public var recordType: CKRecord.RecordType? {
        get { state.current.recordType }
        set { state.withLock { $0.recordType = newValue } }
    }
}
