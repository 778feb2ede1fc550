public import Records

extension CKRecord: ModelRecord {
    /// The name of the record, unique in its zone.
    public var recordName: String { recordID.recordName }

    /// The value of a field, encrypted or not; nil when the record has none, or a file that was not sent yet.
    /// Assigning nil removes the field. A field that is encrypted stays so, any other is plain.
    ///
    /// Dates are in whole milliseconds. A reference into the record's own zone names no zone. A file is
    /// described here; `record[key] as? CKAsset` has its place on this device.
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
            let isEncrypted = state.withLock { $0.encryptedFields[name] != nil }
            let home = ZoneID(recordID.zoneID)
            let object = newValue.map { WireContext(isShared: true).object($0, home: home) }
            if isEncrypted { encryptedValues[name] = object } else { setObject(object, forKey: name) }
        }
    }

    /// The value of a field as a type of the app; nil when there is none or it has another type. Assigning
    /// nil removes the field. Unlike that of `ModelRecord`, it serves for a record that is a constant.
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
