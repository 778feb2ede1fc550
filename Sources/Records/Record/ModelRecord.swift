/// A record that an app's model is read from and written to: `CKRecord` and `ReplicaRecord` alike, so that
/// a model is mapped once.
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
    /// The kind of record.
    var recordType: String { get }

    /// The name of the record, unique in its zone.
    var recordName: String { get }

    /// The value of a field, encrypted or not; assigning nil removes the field. A field that is encrypted
    /// stays so.
    subscript(field name: String) -> FieldValue? { get set }
}

extension ModelRecord {
    /// The value of a field as a type of the app; nil when there is none or it has another type. Assigning
    /// nil removes the field.
    public subscript<Value: FieldConvertible>(field name: String) -> Value? {
        get { self[field: name].flatMap { (value: FieldValue) in Value(fieldValue: value) } }
        set {
            let value: FieldValue? = newValue?.fieldValue
            self[field: name] = value
        }
    }

    /// The value of a field that every record of the type has. Throws `UnreadableField` when there is none or
    /// it has another type.
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

/// A record lacks a field that its model needs, or holds a value of another type there.
public struct UnreadableField: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of the record.
    public var recordType: String
    /// The name of the record.
    public var recordName: String
    /// The name of the field.
    public var field: String

    /// The error for a field of that record.
    public init(recordType: String, recordName: String, field: String) {
        self.recordType = recordType
        self.recordName = recordName
        self.field = field
    }

    /// What is wrong with which record.
    public var description: String {
        "the record \(recordName) of type \(recordType) has no readable field \(field)"
    }
}
