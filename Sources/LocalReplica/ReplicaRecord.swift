public import Records

/// A record as the app sees it on this device: the server's state with the edits of this device on top.
///
/// Fields that the app knows nothing of are kept, so an old app does not lose what a newer one wrote.
///
/// ```swift
/// var note = ReplicaRecord(type: "Note", id: RecordID(name: "n1", zone: "Notes"))
/// note[field: "text"] = "Bring balloons"
/// ```
public struct ReplicaRecord: Identifiable, Hashable, Sendable {
    /// The identity.
    public let id: RecordID
    /// The kind of record.
    public let type: String
    /// All fields, those that the app knows nothing of included.
    package var fields: Fields

    /// A record that has no fields yet.
    public init(type: String, id: RecordID) {
        self.init(type: type, id: id, fields: Fields())
    }

    package init(type: String, id: RecordID, fields: Fields) {
        self.type = type
        self.id = id
        self.fields = fields
    }

    /// The names of the fields that have a value, in ascending order.
    public var keys: [String] { fields.names }

    /// Keeps a field's value encrypted on the server, where no query sees it.
    public mutating func encrypt(_ key: String) {
        fields[key]?.isEncrypted = true
    }
}

extension ReplicaRecord: ModelRecord {
    /// The kind of record.
    public var recordType: String { type }

    /// The name of the record, unique in its zone.
    public var recordName: String { id.name }

    /// The value of a field; nil removes it.
    public subscript(field name: String) -> FieldValue? {
        get { fields[name]?.value }
        set {
            let isEncrypted = fields[name]?.isEncrypted ?? false
            fields[name] = newValue.map { Field($0, isEncrypted: isEncrypted) }
        }
    }
}
