import Foundation
internal import Records

/// Translates the values of a server into the objects of apps.
struct WireContext: Sendable {
    /// In one's own databases every zone is one's own, however the server spells its owner.
    var isShared = false
    var isSignedIn = true
    /// Seals and opens encrypted values; nil leaves them as they are.
    var cipher: FieldCipher?

    func zoneID(_ zone: ZoneID) -> CKRecordZoneID {
        let owner = isShared ? zone.owner : nil
        if owner == nil, zone.isDefault { return .default }
        return CKRecordZoneID(zoneName: zone.name, ownerName: owner ?? CKCurrentUserDefaultName)
    }

    func recordID(_ id: RecordID) -> CKRecordID {
        CKRecordID(recordName: id.name, zoneID: zoneID(id.zone))
    }

    /// A person's record lives in the default zone.
    func userRecordID(_ name: String) -> CKRecordID {
        CKRecordID(recordName: name)
    }

    /// The object for an encrypted value; nil for one that this device cannot open.
    func opened(_ value: FieldValue, of record: RecordID, field: String) -> (any __CKRecordObjCValue)? {
        switch cipher?.open(value, of: recordID(record), field: field) {
        case .object(let object)?: object
        case .closed?: nil
        case .unsealed?, nil: object(value, home: record.zone)
        }
    }
}
