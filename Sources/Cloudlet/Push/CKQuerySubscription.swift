public import Foundation
internal import Records

/// Sends a push when a record that matches a query is created, changed or deleted.
///
/// `now()` in the predicate stands for the time at which the subscription is saved.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckquerysubscription>.
// Sendable because all state is behind the lock of the base class.
open class CKQuerySubscription: CKSubscription, @unchecked Sendable {
    /// The events that trigger the subscription.
    public struct Options: OptionSet, Sendable {
        /// The raw bits of the set.
        public let rawValue: UInt

        /// Creates a set with these raw bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// A record is created.
        public static var firesOnRecordCreation: CKQuerySubscription.Options { Options(rawValue: 1 << 0) }
        /// A record is changed.
        public static var firesOnRecordUpdate: CKQuerySubscription.Options { Options(rawValue: 1 << 1) }
        /// A record is deleted.
        public static var firesOnRecordDeletion: CKQuerySubscription.Options { Options(rawValue: 1 << 2) }
        /// The server deletes the subscription after its first push.
        public static var firesOnce: CKQuerySubscription.Options { Options(rawValue: 1 << 3) }
    }

    override init(plain: ArchivedSubscription) {
        super.init(plain: plain)
    }

    /// Creates a subscription to the records of this type that match the predicate.
    public convenience init(
        recordType: CKRecord.RecordType, predicate: NSPredicate, subscriptionID: CKSubscription.ID,
        options querySubscriptionOptions: CKQuerySubscription.Options = [
            .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion,
        ]
    ) {
        self.init(
            plain: ArchivedSubscription(
                id: subscriptionID, type: CKSubscription.SubscriptionType.query.rawValue,
                recordType: recordType, predicate: ArchivedPredicate(PredicateTree(predicate)),
                options: querySubscriptionOptions.rawValue
            )
        )
    }

    /// Creates a subscription whose ID is a new UUID.
    @available(*, deprecated, message: "Choose a subscriptionID, so that saving again creates no duplicate.")
    public convenience init(
        recordType: CKRecord.RecordType, predicate: NSPredicate,
        options querySubscriptionOptions: CKQuerySubscription.Options = [
            .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion,
        ]
    ) {
        self.init(
            recordType: recordType, predicate: predicate, subscriptionID: Self.newID,
            options: querySubscriptionOptions
        )
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// The record type.
    public var recordType: CKRecord.RecordType? { state.current.recordType }

    /// The condition that a record must match.
    open var predicate: NSPredicate {
        state.current.predicate?.predicate ?? CKFormatPredicate(tree: .constant(true))
    }

    /// The zone that the subscription watches; nil watches all zones.
    open var zoneID: CKRecordZone.ID? {
        get { state.current.zone.map { CKRecordZoneID($0) } }
        set { state.withLock { $0.zone = newValue.map { ZoneID($0) } } }
    }

    /// The events that trigger the subscription.
    open var querySubscriptionOptions: CKQuerySubscription.Options {
        Options(rawValue: state.current.options)
    }
}
