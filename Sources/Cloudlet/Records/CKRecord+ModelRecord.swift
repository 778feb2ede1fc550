public import Records

extension CKRecord: ModelRecord {
    /// The record's name, unique within its zone.
    public var recordName: String { recordID.recordName }

    /// The value of a field, encrypted or not; nil if the record has no value, or an asset that has not been
    /// uploaded. Assigning nil removes the field. An encrypted field stays encrypted, also when it is removed
    /// and set again; any other field is stored as a plain field.
    ///
    /// Dates have whole milliseconds. A reference within the record's own zone has no zone. An asset has
    /// checksum and size; for its local file, use `record[key] as? CKAsset`.
    public subscript(field name: String) -> FieldValue? {
        get {
            let state = state.current
            guard let object = state.fields[name] ?? state.encryptedFields[name],
                Self.assets(in: object).allSatisfy({ $0.stored != nil })
            else { return nil }
            let home = ZoneID(state.id.zoneID)
            return FieldValue(object)?.mapReferences { $0.zone == home ? $0.withoutZone : $0 }
        }
        set {
            // The key of a removed value is still among the changed keys.
            let isEncrypted = state.withLock { state in
                state.encryptedFields[name] != nil
                    || state.fields[name] == nil && state.changedEncryptedKeys.contains(name)
            }
            let home = ZoneID(recordID.zoneID)
            let object = newValue.map { WireContext(isShared: true).object($0, home: home) }
            if isEncrypted { encryptedValues[name] = object } else { setObject(object, forKey: name) }
        }
    }

    /// The value of a field converted to a Swift type; nil if there is no value or it has another type.
    /// Assigning nil removes the field. Unlike the subscript of `ModelRecord`, it can be assigned on a
    /// constant, because a record is an object.
    public subscript<Value: FieldConvertible>(field name: String) -> Value? {
        get { self[field: name].flatMap { (value: FieldValue) in Value(fieldValue: value) } }
        set {
            let value: FieldValue? = newValue?.fieldValue
            self[field: name] = value
        }
    }
}

extension Reference {
    fileprivate var withoutZone: Reference { Reference(recordName: recordName, action: action) }
}
