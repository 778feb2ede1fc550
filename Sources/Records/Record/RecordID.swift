/// The full path of a record within a database: its name and its zone.
public struct RecordID: Hashable, Codable, Sendable {
    /// Chosen by the client; at most 255 ASCII characters, unique in its zone.
    public var name: String
    /// The zone that holds the record.
    public var zone: ZoneID

    /// The record of that name, in the default zone if none is given.
    public init(name: String, zone: ZoneID = .default) {
        self.name = name
        self.zone = zone
    }

    /// The record of that name in the zone of that name, in the database's own person's database.
    public init(name: String, zone: String) {
        self.init(name: name, zone: ZoneID(name: zone))
    }
}
