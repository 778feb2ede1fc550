/// The identity of a record within a database: its name and its zone.
public struct RecordID: Hashable, Codable, Sendable {
    /// The record's name, unique in its zone: at most 255 ASCII characters, chosen by the client.
    public var name: String
    /// The zone that holds the record.
    public var zone: ZoneID

    /// The record with this name, in the default zone unless a zone is given.
    public init(name: String, zone: ZoneID = .default) {
        self.name = name
        self.zone = zone
    }

    /// The record with this name in the current user's zone with this name.
    public init(name: String, zone: String) {
        self.init(name: name, zone: ZoneID(name: zone))
    }
}
