public import Foundation
internal import Records

/// Sends a push when anything changes in a custom zone of the private database: fetch its changes then.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckrecordzonesubscription>.
// Sendable because all state is behind the lock of the base class.
open class CKRecordZoneSubscription: CKSubscription, @unchecked Sendable {
    override init(plain: ArchivedSubscription) {
        super.init(plain: plain)
    }

    /// Creates a subscription to this zone.
    public convenience init(zoneID: CKRecordZone.ID, subscriptionID: CKSubscription.ID) {
        self.init(
            plain: ArchivedSubscription(
                id: subscriptionID, type: CKSubscription.SubscriptionType.recordZone.rawValue,
                zone: ZoneID(zoneID)
            )
        )
    }

    /// Creates a subscription whose ID is a new UUID.
    @available(*, deprecated, message: "Choose a subscriptionID, so that saving again creates no duplicate.")
    public convenience init(zoneID: CKRecordZone.ID) {
        self.init(zoneID: zoneID, subscriptionID: Self.newID)
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// The ID of the zone that the subscription watches.
    open var zoneID: CKRecordZone.ID { state.current.zone.map { CKRecordZoneID($0) } ?? .default }

    /// The record type that the subscription watches; nil watches all types.
    public var recordType: CKRecord.RecordType? {
        get { state.current.recordType }
        set { state.withLock { $0.recordType = newValue } }
    }
}
