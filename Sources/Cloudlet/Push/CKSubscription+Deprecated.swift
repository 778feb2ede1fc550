public import Foundation
internal import Records

/// The events that trigger a subscription, under their name of iOS 8.
@available(*, deprecated, message: "Use CKQuerySubscription.Options.")
public typealias CKSubscriptionOptions = CKQuerySubscription.Options

/// Declares the members of iOS 8 for `CKSubscription` only, because its subclasses have properties with the
/// same names and other types.
public protocol _CKSubscriptionFactory {}

extension CKSubscription: _CKSubscriptionFactory {}

extension _CKSubscriptionFactory where Self == CKSubscription {
    /// Creates a `CKQuerySubscription` whose ID is a new UUID.
    @available(*, deprecated, message: "Use CKQuerySubscription.")
    public init(recordType: CKRecord.RecordType, predicate: NSPredicate, options: CKSubscriptionOptions) {
        self = CKQuerySubscription(
            recordType: recordType, predicate: predicate, subscriptionID: CKSubscription.newID,
            options: options)
    }

    /// Creates a `CKQuerySubscription`.
    @available(*, deprecated, message: "Use CKQuerySubscription.")
    public init(
        recordType: CKRecord.RecordType, predicate: NSPredicate, subscriptionID: CKSubscription.ID,
        options: CKSubscriptionOptions
    ) {
        self = CKQuerySubscription(
            recordType: recordType, predicate: predicate, subscriptionID: subscriptionID, options: options)
    }

    /// Creates a `CKRecordZoneSubscription` whose ID is a new UUID. There are no options for zones: the
    /// argument is ignored.
    @available(*, deprecated, message: "Use CKRecordZoneSubscription.")
    public init(zoneID: CKRecordZone.ID, options: CKSubscriptionOptions) {
        self = CKRecordZoneSubscription(zoneID: zoneID, subscriptionID: CKSubscription.newID)
    }

    /// Creates a `CKRecordZoneSubscription`. There are no options for zones: the argument is ignored.
    @available(*, deprecated, message: "Use CKRecordZoneSubscription.")
    public init(
        zoneID: CKRecordZone.ID, subscriptionID: CKSubscription.ID, options: CKSubscriptionOptions
    ) {
        self = CKRecordZoneSubscription(zoneID: zoneID, subscriptionID: subscriptionID)
    }

    /// The record type; nil for a subscription to all types.
    @available(*, deprecated, message: "Use the property of CKQuerySubscription.")
    public var recordType: CKRecord.RecordType? { self.state.current.recordType }

    /// The condition that a record must match; nil unless this is a query subscription.
    @available(*, deprecated, message: "Use the property of CKQuerySubscription.")
    public var predicate: NSPredicate? { (self as? CKQuerySubscription)?.predicate }

    /// The events that trigger a query subscription; empty for other subscriptions.
    @available(*, deprecated, message: "Use CKQuerySubscription.querySubscriptionOptions.")
    public var subscriptionOptions: CKSubscriptionOptions {
        CKQuerySubscription.Options(rawValue: self.state.current.options)
    }

    /// The zone that the subscription watches; nil for all zones.
    @available(*, deprecated, message: "Use the property of CKQuerySubscription or CKRecordZoneSubscription.")
    public var zoneID: CKRecordZone.ID? {
        get { self.state.current.zone.map { CKRecordZoneID($0) } }
        nonmutating set { self.state.withLock { $0.zone = newValue.map { ZoneID($0) } } }
    }
}
