public import Foundation

/// Keyed access to field values.
///
/// Values come back as Foundation objects: `record["n"] as? Int`, `as? Double` and `as? Bool` all read the
/// same stored number.
public protocol CKRecordKeyValueSetting: NSObjectProtocol {
    /// The value of a field, or nil when the record has none.
    func object(forKey key: CKRecord.FieldKey) -> (any CKRecordValue)?
    /// Sets a field; nil removes it.
    func setObject(_ object: (any CKRecordValue)?, forKey key: CKRecord.FieldKey)
    /// The value of a field in object form; assigning nil removes the field.
    @_disfavoredOverload subscript(key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? { get set }
    /// The keys of all fields that have a value.
    func allKeys() -> [CKRecord.FieldKey]
    /// The keys that were set or removed since the record was made, fetched or saved.
    func changedKeys() -> [CKRecord.FieldKey]
}

extension CKRecordKeyValueSetting {
    /// The value of a field as the type asked for; nil when there is none, or one of another type.
    public subscript<T: CKRecordValueProtocol>(key: CKRecord.FieldKey) -> T? {
        get { object(forKey: key) as? T }
        set { setObject(newValue, forKey: key) }
    }

    /// The value of a field; assigning nil removes the field.
    public subscript(key: CKRecord.FieldKey) -> (any CKRecordValueProtocol)? {
        get { object(forKey: key) }
        set { setObject(newValue, forKey: key) }
    }
}
