import CloudKit
import CoreLocation
import Foundation

extension Client {
    @available(*, deprecated)
    static func useValuesA() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKRecordZone.ID.self
        let _: (NSCoder) -> CKRecordZone.ID? = CKRecordZone.ID.init(coder:)
        let _: (String, String) -> CKRecordZone.ID = CKRecordZone.ID.init(zoneName:ownerName:)
        let _: Readable<CKRecordZone.ID, String> = \.zoneName
        let _: Readable<CKRecordZone.ID, String> = \.ownerName
        let _: CKRecordZone.ID = .default
        let _: String = CKRecordZone.ID.defaultZoneName
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKRecord.ID.self
        let _: (NSCoder) -> CKRecord.ID? = CKRecord.ID.init(coder:)
        let _: (String, CKRecordZone.ID) -> CKRecord.ID = CKRecord.ID.init(recordName:zoneID:)
        let _: Readable<CKRecord.ID, String> = \.recordName
        let _: Readable<CKRecord.ID, CKRecordZone.ID> = \.zoneID
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKRecord.Reference.self
        let _: (NSCoder) -> CKRecord.Reference? = CKRecord.Reference.init(coder:)
        let _: (CKRecord.ID, CKRecord.ReferenceAction) -> CKRecord.Reference = CKRecord.Reference.init(
            recordID:action:)
        let _: (CKRecord, CKRecord.ReferenceAction) -> CKRecord.Reference = CKRecord.Reference.init(
            record:action:)
        let _: Readable<CKRecord.Reference, CKRecord.ReferenceAction> = \.action
        let _: Readable<CKRecord.Reference, CKRecord.ID> = \.recordID
        let _: CKRecord.ReferenceAction.Type = CKRecord.Reference.Action.self
        let _: any (NSObject & Sendable).Type = CKAsset.self
        let _: (URL) -> CKAsset = CKAsset.init(fileURL:)
        let _: Readable<CKAsset, URL?> = \.fileURL
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKServerChangeToken.self
        let _: (NSCoder) -> CKServerChangeToken? = CKServerChangeToken.init(coder:)
        let _: (any CKRecordValueProtocol).Type = (any CKRecordValue).self
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKRecord.self
        let _: (NSCoder) -> CKRecord? = CKRecord.init(coder:)
        let _: String.Type = CKRecord.RecordType.self
        let _: String.Type = CKRecord.FieldKey.self
        let _: ((CKRecord.FieldKey, any CKRecordValueProtocol)).Type = CKRecord.Element.self
        let _: CKRecordKeyValueIterator.Type = CKRecord.Iterator.self
        let _: (CKRecord.RecordType, CKRecord.ID) -> CKRecord = CKRecord.init(recordType:recordID:)
        let _: (CKRecord.RecordType, CKRecordZone.ID) -> CKRecord = CKRecord.init(recordType:zoneID:)
        let _: Readable<CKRecord, CKRecord.RecordType> = \.recordType
    }

    @available(*, deprecated)
    static func useValuesB() {
        let _: Readable<CKRecord, CKRecord.ID> = \.recordID
        let _: Readable<CKRecord, String?> = \.recordChangeTag
        let _: Readable<CKRecord, CKRecord.ID?> = \.creatorUserRecordID
        let _: Readable<CKRecord, Date?> = \.creationDate
        let _: Readable<CKRecord, CKRecord.ID?> = \.lastModifiedUserRecordID
        let _: Readable<CKRecord, Date?> = \.modificationDate
        let _: (CKRecord) -> (CKRecord.FieldKey) -> (any CKRecordValue)? = CKRecord.object(forKey:)
        let _: (CKRecord) -> ((any CKRecordValue)?, CKRecord.FieldKey) -> Void = CKRecord.setObject(_:forKey:)
        let _: (CKRecord) -> () -> [CKRecord.FieldKey] = CKRecord.allKeys
        let _: (CKRecord) -> () -> [CKRecord.FieldKey] = CKRecord.changedKeys
        let _: (CKRecord) -> () -> [String] = CKRecord.allTokens
        let _: (CKRecord) -> (NSCoder) -> Void = CKRecord.encodeSystemFields(with:)
        let _: Readable<CKRecord, CKRecord.Reference?> = \.share
        let _: Writable<CKRecord, CKRecord.Reference?> = \.parent
        let _: (CKRecord) -> (CKRecord?) -> Void = CKRecord.setParent(_:)
        let _: (CKRecord) -> (CKRecord.ID?) -> Void = CKRecord.setParent(_:)
        let _: Readable<CKRecord, any CKRecordKeyValueSetting & Sendable> = \.encryptedValues
        let _: (CKRecord) -> () -> CKRecordKeyValueIterator = CKRecord.makeIterator
        let _: CKRecordKeyValueIterator.Type = CKRecordKeyValueIterator.self
        let _: ((CKRecord.FieldKey, any CKRecordValueProtocol)).Type = CKRecordKeyValueIterator.Element.self
        let _: CKRecordID.Type = CKRecord.ID.self
        let _: CKReference.Type = CKRecord.Reference.self
        let _: any (Sendable).Type = CKRecord.ReferenceAction.self
        let _: [CKRecord.ReferenceAction] = [.none, .deleteSelf]
        let _: CKRecord.SystemType.Type = CKRecord.SystemType.self
        let _: CKRecord.RecordType = CKRecord.SystemType.userRecord
        let _: CKRecord.RecordType = CKRecord.SystemType.share
        let _: CKRecord.SystemFieldKey.Type = CKRecord.SystemFieldKey.self
        let _: CKRecord.FieldKey = CKRecord.SystemFieldKey.recordID
        let _: CKRecord.FieldKey = CKRecord.SystemFieldKey.creatorUserRecordID
        let _: CKRecord.FieldKey = CKRecord.SystemFieldKey.creationDate
        let _: CKRecord.FieldKey = CKRecord.SystemFieldKey.lastModifiedUserRecordID
        let _: CKRecord.FieldKey = CKRecord.SystemFieldKey.modificationDate
        let _: CKRecord.FieldKey = CKRecord.SystemFieldKey.parent
        let _: CKRecord.FieldKey = CKRecord.SystemFieldKey.share
        let _: CKRecord.ReferenceAction.Type = CKRecord_Reference_Action.self
    }
}
