import Foundation

extension CKRecord {
    /// The value of a field, or of the metadata property with this name.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "recordID": recordID
        case "recordType": recordType
        case "recordChangeTag": recordChangeTag
        case "creationDate": creationDate
        case "creatorUserRecordID": creatorUserRecordID
        case "modificationDate": modificationDate
        case "lastModifiedUserRecordID": lastModifiedUserRecordID
        case "parent": parent
        case "share": share
        default: object(forKey: key)
        }
    }

    /// Sets a field or the parent. Nil and `NSNull` remove it.
    public func setValue(_ value: Any?, forKey key: String) {
        if key == "parent" {
            parent = value as? CKReference
            return
        }
        switch value {
        case nil, is NSNull: setObject(nil, forKey: key)
        case let value?: setObject(FieldBox.object(of: value), forKey: key)
        }
    }

    // The untyped dictionary is part of the signature that apps compile against.
    /// Sets several fields.
    public func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(value, forKey: key) }
    }

    // The untyped dictionary is part of the signature that apps compile against.
    /// The values of several fields or metadata properties; `NSNull` for those without a value.
    public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { first, _ in first })
    }
}
