import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useZones() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKRecordZone.self
        let _: (NSCoder) -> CKRecordZone? = CKRecordZone.init(coder:)
        let _: CKRecordZoneID.Type = CKRecordZone.ID.self
        let _: any (OptionSet & Sendable).Type = CKRecordZone.Capabilities.self
        let _: (UInt) -> CKRecordZone.Capabilities = CKRecordZone.Capabilities.init(rawValue:)
        let _: [CKRecordZone.Capabilities] = [.fetchChanges, .atomic, .sharing, .zoneWideSharing]
        let _: () -> CKRecordZone = CKRecordZone.default
        let _: (String) -> CKRecordZone = CKRecordZone.init(zoneName:)
        let _: (CKRecordZone.ID) -> CKRecordZone = CKRecordZone.init(zoneID:)
        let _: Readable<CKRecordZone, CKRecordZone.ID> = \.zoneID
        let _: Readable<CKRecordZone, CKRecordZone.Capabilities> = \.capabilities
        let _: Readable<CKRecordZone, CKRecord.Reference?> = \.share
    }
}
