// Owns the record as it lies on the device, and its identity.

package import Records

/// The identity of a record on the device: its zone and its name.
public struct ReplicaID: Hashable, Sendable {
    /// The zone of the person's database.
    public var zone: String
    /// Unique in the zone; at most 255 ASCII characters.
    public var name: String

    /// The identity of a record.
    public init(zone: String, name: String) {
        self.zone = zone
        self.name = name
    }
}

/// A record as the app sees it on this device: the server's state with the edits of this device on top.
///
/// Fields that the app knows nothing of are kept, so an old app does not lose what a newer one wrote.
public struct ReplicaRecord: Identifiable, Hashable, Sendable {
    /// The identity.
    public let id: ReplicaID
    /// The kind of record.
    public let type: String
    /// All fields, those that the app knows nothing of included.
    package var fields: Fields

    /// A record that has no fields yet.
    public init(type: String, id: ReplicaID) {
        self.init(type: type, id: id, fields: Fields())
    }

    package init(type: String, id: ReplicaID, fields: Fields) {
        self.type = type
        self.id = id
        self.fields = fields
    }

    /// The value of a field; nil removes it.
    public subscript(key: String) -> ReplicaValue? {
        get { fields[key].map { ReplicaValue($0.value) } }
        set {
            let isEncrypted = fields[key]?.isEncrypted ?? false
            fields[key] = newValue.map { Field($0.fieldValue, isEncrypted: isEncrypted) }
        }
    }

    /// The names of the fields that have a value, in ascending order.
    public var keys: [String] { fields.names }

    /// Keeps a field's value encrypted on the server, where no query sees it.
    public mutating func encrypt(_ key: String) {
        fields[key]?.isEncrypted = true
    }
}
