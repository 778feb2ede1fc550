import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useRecordZone() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKRecordZone.self
        let _: (NSCoder) -> CKRecordZone? = CKRecordZone.init(coder:)
        let _: CKRecordZoneID.Type = CKRecordZone.ID.self
    }

    @available(*, deprecated)
    static func useRecordZoneCapabilities() {
        let _: any (OptionSet & Sendable).Type = CKRecordZone.Capabilities.self
        let _: (UInt) -> CKRecordZone.Capabilities = CKRecordZone.Capabilities.init(rawValue:)
        let _: CKRecordZone.Capabilities = CKRecordZone.Capabilities.fetchChanges
        let _: CKRecordZone.Capabilities = CKRecordZone.Capabilities.atomic
        let _: CKRecordZone.Capabilities = CKRecordZone.Capabilities.sharing
        let _: CKRecordZone.Capabilities = CKRecordZone.Capabilities.zoneWideSharing
    }

    @available(*, deprecated)
    static func useRecordZone2() {
        let _: () -> CKRecordZone = CKRecordZone.default
        let _: (String) -> CKRecordZone = CKRecordZone.init(zoneName:)
        let _: (CKRecordZone.ID) -> CKRecordZone = CKRecordZone.init(zoneID:)
        let _: KeyPath<CKRecordZone, CKRecordZone.ID> = \CKRecordZone.zoneID
        let _: KeyPath<CKRecordZone, CKRecordZone.Capabilities> = \CKRecordZone.capabilities
        let _: KeyPath<CKRecordZone, CKRecord.Reference?> = \CKRecordZone.share
    }
}
