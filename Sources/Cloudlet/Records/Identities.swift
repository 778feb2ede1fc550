// Owns the translation of identities and references between the objects of apps and the values of records.

import Foundation
package import Records

extension ZoneID {
    init(_ id: CKRecordZoneID) {
        self.init(name: id.zoneName, owner: id.ownerName == CKCurrentUserDefaultName ? nil : id.ownerName)
    }
}

extension CKRecordZoneID {
    convenience init(_ id: ZoneID) {
        self.init(zoneName: id.name, ownerName: id.owner ?? CKCurrentUserDefaultName)
    }
}

extension RecordID {
    init(_ id: CKRecordID) {
        self.init(name: id.recordName, zone: ZoneID(id.zoneID))
    }
}

extension CKRecordID {
    package convenience init(_ id: RecordID) {
        self.init(recordName: id.name, zoneID: CKRecordZoneID(id.zone))
    }
}

extension Reference {
    /// Names the zone of the target in any case.
    init(_ reference: CKReference) {
        self.init(
            recordName: reference.recordID.recordName, zone: ZoneID(reference.recordID.zoneID),
            action: reference.action == .deleteSelf ? .deleteSelf : .none)
    }
}

extension CKReference {
    /// A reference without a zone is one into the default zone.
    convenience init(_ reference: Reference) {
        self.init(
            recordID: CKRecordID(reference.target(from: .default)),
            action: reference.action == .deleteSelf ? .deleteSelf : .none)
    }
}
