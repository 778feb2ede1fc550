import Foundation

/// Access to the encrypted fields of a record by name.
// Sendable because its only property is immutable, and records are Sendable.
final class EncryptedValues: NSObject, CKRecordKeyValueSetting, @unchecked Sendable {
    private let record: CKRecord

    init(_ record: CKRecord) {
        self.record = record
    }

    func object(forKey key: CKRecord.FieldKey) -> (any CKRecordValue)? {
        record.state.withLock { $0.encryptedFields[key] }
    }

    func setObject(_ object: (any CKRecordValue)?, forKey key: CKRecord.FieldKey) {
        let boxed = object.map { Self.checked(FieldBox.object(of: $0)) }
        record.state.withLock {
            $0.encryptedFields[key] = boxed
            $0.changedEncryptedKeys.insert(key)
        }
    }

    @_disfavoredOverload
    subscript(key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? {
        get { record.state.withLock { $0.encryptedFields[key] } }
        set { setObject(newValue, forKey: key) }
    }

    func allKeys() -> [CKRecord.FieldKey] {
        record.state.withLock { $0.encryptedFields.keys.sorted() }
    }

    func changedKeys() -> [CKRecord.FieldKey] {
        record.state.withLock { $0.changedEncryptedKeys.sorted() }
    }

    private static func checked(_ object: any __CKRecordObjCValue) -> any __CKRecordObjCValue {
        if FieldCipher.canBeEncrypted(object) { return object }
        return RefusedValue("assets and references cannot be encrypted values; use a plain field")
    }
}
