// Owns the identity of a record.

/// The full path of a record within a database: its name and its zone (talk 1, "Record IDs").
package struct RecordID: Hashable, Sendable {
    /// Chosen by the client; at most 255 ASCII characters, unique in its zone.
    package var name: String
    package var zone: ZoneID

    package init(name: String, zone: ZoneID = .default) {
        self.name = name
        self.zone = zone
    }
}
