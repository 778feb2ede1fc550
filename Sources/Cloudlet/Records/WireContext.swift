import Foundation
internal import Records

/// Converts values from the server to the objects that apps use.
struct WireContext: Sendable {
    /// Whether the values come from the shared database. In the other databases every zone belongs to the
    /// person, so the server's owner name is ignored.
    var isShared = false
    var isSignedIn = true
    /// Encrypts and decrypts encrypted values; nil leaves them unchanged.
    var cipher: FieldCipher?

    func zoneID(_ zone: ZoneID) -> CKRecordZoneID {
        let owner = isShared ? zone.owner : nil
        if owner == nil, zone.isDefault { return .default }
        return CKRecordZoneID(zoneName: zone.name, ownerName: owner ?? CKCurrentUserDefaultName)
    }

    func recordID(_ id: RecordID) -> CKRecordID {
        CKRecordID(recordName: id.name, zoneID: zoneID(id.zone))
    }

    /// The record ID of a person: user records are in the default zone.
    func userRecordID(_ name: String) -> CKRecordID {
        CKRecordID(recordName: name)
    }

    /// The object for an encrypted value; nil if this device cannot decrypt it.
    func opened(_ value: FieldValue, of record: RecordID, field: String) -> (any __CKRecordObjCValue)? {
        switch cipher?.open(value, of: recordID(record), field: field) {
        case .object(let object)?: object
        case .closed?: nil
        case .unsealed?, nil: object(value, home: record.zone)
        }
    }
}
