public import Foundation

/// Access to field values by name.
///
/// Values are returned as Foundation objects: `record["n"] as? Int`, `as? Double` and `as? Bool` all read the
/// same stored number.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckrecordkeyvaluesetting>.
public protocol CKRecordKeyValueSetting: NSObjectProtocol {
    /// The value of a field; nil if the record has none.
    func object(forKey key: CKRecord.FieldKey) -> (any CKRecordValue)?
    /// Sets a field; nil removes it.
    func setObject(_ object: (any CKRecordValue)?, forKey key: CKRecord.FieldKey)
    /// The value of a field as a Foundation object. Assigning nil removes the field.
    @_disfavoredOverload subscript(key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? { get set }
    /// The names of all fields that have a value.
    func allKeys() -> [CKRecord.FieldKey]
    /// The names of the fields that were set or removed since the record was created, fetched or saved.
    func changedKeys() -> [CKRecord.FieldKey]
}

extension CKRecordKeyValueSetting {
    /// The value of a field as the requested type; nil if there is no value or it has another type.
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
