public import Foundation
internal import Records

/// Fires when a record that matches is created, changed or deleted.
///
/// `now()` in the predicate means the moment at which the subscription is saved.
// Sendable because everything lies behind the lock of the base class.
open class CKQuerySubscription: CKSubscription, @unchecked Sendable {
    /// What it fires on.
    public struct Options: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Options of these bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// A record is created.
        public static var firesOnRecordCreation: CKQuerySubscription.Options { Options(rawValue: 1 << 0) }
        /// A record is changed.
        public static var firesOnRecordUpdate: CKQuerySubscription.Options { Options(rawValue: 1 << 1) }
        /// A record is deleted.
        public static var firesOnRecordDeletion: CKQuerySubscription.Options { Options(rawValue: 1 << 2) }
        /// It ends with its first push.
        public static var firesOnce: CKQuerySubscription.Options { Options(rawValue: 1 << 3) }
    }

    override init(plain: PlainSubscription) {
        super.init(plain: plain)
    }

    /// Subscribes to records of that type which match.
    public convenience init(
        recordType: CKRecord.RecordType, predicate: NSPredicate, subscriptionID: CKSubscription.ID,
        options querySubscriptionOptions: CKQuerySubscription.Options = [
            .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion,
        ]
    ) {
        self.init(
            plain: PlainSubscription(
                id: subscriptionID, type: CKSubscription.SubscriptionType.query.rawValue,
                recordType: recordType, predicate: PlainPredicate(PredicateTree(predicate)),
                options: querySubscriptionOptions.rawValue
            )
        )
    }

    /// The same with an ID that is made up.
    @available(*, deprecated, message: "Choose a subscriptionID, so that saving again is no second one.")
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

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// The kind of record.
    public var recordType: CKRecord.RecordType? { state.current.recordType }

    /// The condition records must meet.
    open var predicate: NSPredicate {
        state.current.predicate?.predicate ?? CKFormatPredicate(tree: .constant(true))
    }

    /// The only zone that is looked at; nil: all.
    open var zoneID: CKRecordZone.ID? {
        get { state.current.zone.map { CKRecordZoneID($0) } }
        set { state.withLock { $0.zone = newValue.map { ZoneID($0) } } }
    }

    /// What it fires on.
    open var querySubscriptionOptions: CKQuerySubscription.Options {
        Options(rawValue: state.current.options)
    }
}
