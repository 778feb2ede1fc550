// Conversions of IDs and references between the CK classes and the types of Records.

import Foundation
package import Records

extension ZoneID {
    package init(_ id: CKRecordZoneID) {
        self.init(name: id.zoneName, owner: id.ownerName == CKCurrentUserDefaultName ? nil : id.ownerName)
    }
}

extension CKRecordZoneID {
    package convenience init(_ id: ZoneID) {
        self.init(zoneName: id.name, ownerName: id.owner ?? CKCurrentUserDefaultName)
    }
}

extension RecordID {
    package init(_ id: CKRecordID) {
        self.init(name: id.recordName, zone: ZoneID(id.zoneID))
    }
}

extension CKRecordID {
    package convenience init(_ id: RecordID) {
        self.init(recordName: id.name, zoneID: CKRecordZoneID(id.zone))
    }
}

extension Reference {
    /// The reference of an app's object. It always has a zone.
    init(_ reference: CKReference) {
        self.init(
            recordName: reference.recordID.recordName, zone: ZoneID(reference.recordID.zoneID),
            action: reference.action == .deleteSelf ? .deleteSelf : .none)
    }
}

extension CKReference {
    /// Creates the object of a reference. Without a zone, the target is in the default zone.
    convenience init(_ reference: Reference) {
        self.init(
            recordID: CKRecordID(reference.target(from: .default)),
            action: reference.action == .deleteSelf ? .deleteSelf : .none)
    }
}
