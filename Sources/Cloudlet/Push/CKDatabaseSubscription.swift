public import Foundation

/// Fires when anything in any custom zone of the private database changes, zones that are made later included
/// (API sheet 11; talk 4, "Database subscriptions").
// Sendable because everything lies behind the lock of the base class.
open class CKDatabaseSubscription: CKSubscription, @unchecked Sendable {
    override init(plain: PlainSubscription) {
        super.init(plain: plain)
    }

    /// Subscribes to the database that it is saved in.
    public convenience init(subscriptionID: CKSubscription.ID) {
        self.init(
            plain: PlainSubscription(
                id: subscriptionID, type: CKSubscription.SubscriptionType.database.rawValue))
    }

    /// The same with an ID that is made up.
    @available(*, deprecated, message: "Choose a subscriptionID, so that saving again is no second one.")
    public convenience init() {
        self.init(subscriptionID: Self.newID)
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// The only kind of record that counts; nil: all.
    public var recordType: CKRecord.RecordType? {
        get { state.current.recordType }
        set { state.withLock { $0.recordType = newValue } }
    }
}
