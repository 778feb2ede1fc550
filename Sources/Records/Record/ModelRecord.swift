/// A record that stores a model value of an app. `CKRecord` and `ReplicaRecord` conform, so that an app needs
/// only one mapping between its model and records.
///
/// ```swift
/// extension Note {
///     init(_ record: some ModelRecord) throws {
///         text = try record.required("text")
///         due = record[field: "due"]
///     }
///
///     func write(to record: inout some ModelRecord) {
///         record[field: "text"] = text
///         record[field: "due"] = due
///     }
/// }
/// ```
public protocol ModelRecord {
    /// The record type.
    var recordType: String { get }

    /// The record's name, unique in its zone.
    var recordName: String { get }

    /// The value of a field, encrypted or not. Assigning nil removes the field. Assigning a value keeps the
    /// field's encryption.
    subscript(field name: String) -> FieldValue? { get set }
}

extension ModelRecord {
    /// The value of a field as a Swift type; nil if the field is missing or has another type. Assigning nil
    /// removes the field.
    public subscript<Value: FieldConvertible>(field name: String) -> Value? {
        get { self[field: name].flatMap { (value: FieldValue) in Value(fieldValue: value) } }
        set {
            let value: FieldValue? = newValue?.fieldValue
            self[field: name] = value
        }
    }

    /// The value of a mandatory field. Throws `UnreadableField` if the field is missing or has another type.
    public func required<Value: FieldConvertible>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(UnreadableField) -> Value {
        let value: FieldValue? = self[field: name]
        guard let value, let converted = Value(fieldValue: value) else {
            throw UnreadableField(recordType: recordType, recordName: recordName, field: name)
        }
        return converted
    }
}

/// The error for a mandatory field that is missing or has another type.
public struct UnreadableField: Error, Hashable, Sendable, CustomStringConvertible {
    /// The record type.
    public var recordType: String
    /// The record's name.
    public var recordName: String
    /// The field's name.
    public var field: String

    /// Creates the error for one field of a record.
    public init(recordType: String, recordName: String, field: String) {
        self.recordType = recordType
        self.recordName = recordName
        self.field = field
    }

    /// A sentence that names the record and the field.
    public var description: String {
        "the record \(recordName) of type \(recordType) has no readable field \(field)"
    }
}
