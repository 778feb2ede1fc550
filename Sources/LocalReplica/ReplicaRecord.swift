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
    public var keys: [String] { fields.names.filter { $0 != Fields.parentKey } }

    /// The name of the parent, a record in the same zone; nil if the record has none.
    ///
    /// A share of a record covers all records below it. In a zone of another person in which only some
    /// records are shared, a new record needs a shared parent.
    public var parent: String? {
        get { fields.parent }
        set { fields.parent = newValue }
    }

    /// Marks an existing field as encrypted. The server stores its value encrypted, and queries cannot use
    /// it.
    public mutating func encrypt(_ key: String) {
        fields[key]?.isEncrypted = true
    }
}

extension Fields {
    /// The key under which the replica stores the parent of a record among its fields. A parent that two
    /// devices have changed is therefore merged like a field.
    package static let parentKey = "___parent"

    /// The name of the record's parent.
    package var parent: String? {
        get {
            guard case .reference(let parent)? = self[Self.parentKey]?.value else { return nil }
            return parent.recordName
        }
        set { self[Self.parentKey] = newValue.map { Field(.reference(Reference(recordName: $0))) } }
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
