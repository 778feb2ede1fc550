import CloudKit
import CoreLocation
import Foundation

extension Client {
    @available(*, deprecated)
    static func useRecordZoneID() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKRecordZone.ID.self
        let _: (NSCoder) -> CKRecordZone.ID? = CKRecordZone.ID.init(coder:)
        let _: (String, String) -> CKRecordZone.ID = CKRecordZone.ID.init(zoneName:ownerName:)
        let _: KeyPath<CKRecordZone.ID, String> = \CKRecordZone.ID.zoneName
        let _: KeyPath<CKRecordZone.ID, String> = \CKRecordZone.ID.ownerName
        let _: CKRecordZone.ID = CKRecordZone.ID.default
        let _: String = CKRecordZone.ID.defaultZoneName
    }

    @available(*, deprecated)
    static func useRecordID() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKRecord.ID.self
        let _: (NSCoder) -> CKRecord.ID? = CKRecord.ID.init(coder:)
        let _: (String, CKRecordZone.ID) -> CKRecord.ID = CKRecord.ID.init(recordName:zoneID:)
        let _: KeyPath<CKRecord.ID, String> = \CKRecord.ID.recordName
        let _: KeyPath<CKRecord.ID, CKRecordZone.ID> = \CKRecord.ID.zoneID
    }

    @available(*, deprecated)
    static func useRecordReference() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKRecord.Reference.self
        let _: (NSCoder) -> CKRecord.Reference? = CKRecord.Reference.init(coder:)
        let _: (CKRecord.ID, CKRecord.ReferenceAction) -> CKRecord.Reference = CKRecord.Reference.init(
            recordID:action:)
        let _: (CKRecord, CKRecord.ReferenceAction) -> CKRecord.Reference = CKRecord.Reference.init(
            record:action:)
        let _: KeyPath<CKRecord.Reference, CKRecord.ReferenceAction> = \CKRecord.Reference.action
        let _: KeyPath<CKRecord.Reference, CKRecord.ID> = \CKRecord.Reference.recordID
        let _: CKRecord.ReferenceAction.Type = CKRecord.Reference.Action.self
    }

    @available(*, deprecated)
    static func useAsset() {
        let _: any (NSObject & Sendable).Type = CKAsset.self
        let _: (URL) -> CKAsset = CKAsset.init(fileURL:)
        let _: KeyPath<CKAsset, URL?> = \CKAsset.fileURL
    }

    @available(*, deprecated)
    static func useServerChangeToken() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKServerChangeToken.self
        let _: (NSCoder) -> CKServerChangeToken? = CKServerChangeToken.init(coder:)
    }

    @available(*, deprecated)
    static func useValuesConstants() {
        let _: (any CKRecordValueProtocol).Type = (any CKRecordValue).self
    }

    @available(*, deprecated)
    static func useRecord() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKRecord.self
        let _: (NSCoder) -> CKRecord? = CKRecord.init(coder:)
        let _: String.Type = CKRecord.RecordType.self
        let _: String.Type = CKRecord.FieldKey.self
        let _: ((CKRecord.FieldKey, any CKRecordValueProtocol)).Type = CKRecord.Element.self
        let _: CKRecordKeyValueIterator.Type = CKRecord.Iterator.self
        let _: (CKRecord.RecordType, CKRecord.ID) -> CKRecord = CKRecord.init(recordType:recordID:)
        let _: (CKRecord.RecordType, CKRecordZone.ID) -> CKRecord = CKRecord.init(recordType:zoneID:)
        let _: KeyPath<CKRecord, CKRecord.RecordType> = \CKRecord.recordType
        let _: KeyPath<CKRecord, CKRecord.ID> = \CKRecord.recordID
        let _: KeyPath<CKRecord, String?> = \CKRecord.recordChangeTag
        let _: KeyPath<CKRecord, CKRecord.ID?> = \CKRecord.creatorUserRecordID
        let _: KeyPath<CKRecord, Date?> = \CKRecord.creationDate
        let _: KeyPath<CKRecord, CKRecord.ID?> = \CKRecord.lastModifiedUserRecordID
        let _: KeyPath<CKRecord, Date?> = \CKRecord.modificationDate
        let _: (CKRecord) -> (CKRecord.FieldKey) -> (any CKRecordValue)? = CKRecord.object(forKey:)
        let _: (CKRecord) -> ((any CKRecordValue)?, CKRecord.FieldKey) -> Void = CKRecord.setObject(_:forKey:)
        let _: (CKRecord) -> () -> [CKRecord.FieldKey] = CKRecord.allKeys
    }

    @available(*, deprecated)
    static func useRecord2() {
        let _: (CKRecord) -> () -> [CKRecord.FieldKey] = CKRecord.changedKeys
        let _: (CKRecord) -> () -> [String] = CKRecord.allTokens
        let _: (CKRecord) -> (NSCoder) -> Void = CKRecord.encodeSystemFields(with:)
        let _: KeyPath<CKRecord, CKRecord.Reference?> = \CKRecord.share
        let _: ReferenceWritableKeyPath<CKRecord, CKRecord.Reference?> = \CKRecord.parent
        let _: (CKRecord) -> (CKRecord?) -> Void = CKRecord.setParent(_:)
        let _: (CKRecord) -> (CKRecord.ID?) -> Void = CKRecord.setParent(_:)
        let _: KeyPath<CKRecord, any CKRecordKeyValueSetting & Sendable> = \CKRecord.encryptedValues
        let _: (CKRecord) -> () -> CKRecordKeyValueIterator = CKRecord.makeIterator
    }

    @available(*, deprecated)
    static func useRecordKeyValueIterator() {
        let _: CKRecordKeyValueIterator.Type = CKRecordKeyValueIterator.self
        let _: ((CKRecord.FieldKey, any CKRecordValueProtocol)).Type = CKRecordKeyValueIterator.Element.self
    }

    @available(*, deprecated)
    static func useRecord3() {
        let _: CKRecordID.Type = CKRecord.ID.self
        let _: CKReference.Type = CKRecord.Reference.self
    }

    @available(*, deprecated)
    static func useRecordReferenceAction() {
        let _: any (Sendable).Type = CKRecord.ReferenceAction.self
        let _: CKRecord.ReferenceAction = CKRecord.ReferenceAction.none
        let _: CKRecord.ReferenceAction = CKRecord.ReferenceAction.deleteSelf
    }

    @available(*, deprecated)
    static func useRecordSystemType() {
        let _: CKRecord.SystemType.Type = CKRecord.SystemType.self
        let _: CKRecord.RecordType = CKRecord.SystemType.userRecord
        let _: CKRecord.RecordType = CKRecord.SystemType.share
    }

    @available(*, deprecated)
    static func useRecordSystemFieldKey() {
        let _: CKRecord.SystemFieldKey.Type = CKRecord.SystemFieldKey.self
        let _: CKRecord.FieldKey = CKRecord.SystemFieldKey.recordID
        let _: CKRecord.FieldKey = CKRecord.SystemFieldKey.creatorUserRecordID
        let _: CKRecord.FieldKey = CKRecord.SystemFieldKey.creationDate
        let _: CKRecord.FieldKey = CKRecord.SystemFieldKey.lastModifiedUserRecordID
        let _: CKRecord.FieldKey = CKRecord.SystemFieldKey.modificationDate
        let _: CKRecord.FieldKey = CKRecord.SystemFieldKey.parent
        let _: CKRecord.FieldKey = CKRecord.SystemFieldKey.share
    }

    @available(*, deprecated)
    static func useValuesConstants2() {
        let _: CKRecord.ReferenceAction.Type = CKRecord_Reference_Action.self
    }
}
