public import Foundation
internal import Records

/// Fires when anything in a custom zone of the private database changes: the cue to fetch its changes (API
/// sheet 11; talk 2, "Zone subscriptions").
// Sendable because everything lies behind the lock of the base class.
open class CKRecordZoneSubscription: CKSubscription, @unchecked Sendable {
    override init(plain: PlainSubscription) {
        super.init(plain: plain)
    }

    /// Subscribes to that zone.
    public convenience init(zoneID: CKRecordZone.ID, subscriptionID: CKSubscription.ID) {
        self.init(
            plain: PlainSubscription(
                id: subscriptionID, type: CKSubscription.SubscriptionType.recordZone.rawValue,
                zone: ZoneID(zoneID)
            )
        )
    }

    /// The same with an ID that is made up.
    @available(*, deprecated, message: "Choose a subscriptionID, so that saving again is no second one.")
    public convenience init(zoneID: CKRecordZone.ID) {
        self.init(zoneID: zoneID, subscriptionID: Self.newID)
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// The zone.
    open var zoneID: CKRecordZone.ID { state.current.zone.map { CKRecordZoneID($0) } ?? .default }

    /// The only kind of record that counts; nil: all.
    public var recordType: CKRecord.RecordType? {
        get { state.current.recordType }
        set { state.withLock { $0.recordType = newValue } }
    }
}
