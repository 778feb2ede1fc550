public import Records

/// A record on this device: the server's version with the edits of this device.
///
/// Fields that the app does not know are kept, so that an old version of the app does not lose data of a
/// newer one.
///
/// ```swift
/// var note = ReplicaRecord(type: "Note", id: RecordID(name: "n1", zone: "Notes"))
/// note[field: "text"] = "Bring balloons"
/// ```
public struct ReplicaRecord: Identifiable, Hashable, Sendable {
    /// The record's name and zone.
    public let id: RecordID
    /// The record type.
    public let type: String
    /// All fields, including those that the app does not know.
    package var fields: Fields

    /// Creates a record without fields.
    public init(type: String, id: RecordID) {
        self.init(type: type, id: id, fields: Fields())
    }

    package init(type: String, id: RecordID, fields: Fields) {
        self.type = type
        self.id = id
        self.fields = fields
    }

    /// The names of all fields, in ascending order.
    public var keys: [String] { fields.names }

    /// Marks an existing field as encrypted. The server stores its value encrypted, and queries cannot use
    /// it.
    public mutating func encrypt(_ key: String) {
        fields[key]?.isEncrypted = true
    }
}

extension ReplicaRecord: ModelRecord {
    /// The record type.
    public var recordType: String { type }

    /// The record's name, unique in its zone.
    public var recordName: String { id.name }

    /// The value of a field; nil if there is none. Assigning nil removes the field. Assigning a value keeps
    /// the field's encryption.
    public subscript(field name: String) -> FieldValue? {
        get { fields[name]?.value }
        set {
            let isEncrypted = fields[name]?.isEncrypted ?? false
            fields[name] = newValue.map { Field($0, isEncrypted: isEncrypted) }
        }
    }
}
