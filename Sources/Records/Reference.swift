// Owns the relation of one record to another.

/// A pointer from the record that holds it to a target, which may be missing (talk 1, "References").
package struct Reference: Hashable, Sendable {
    /// What the relation means when the target goes.
    package enum Action: UInt8, Hashable, Sendable {
        /// Nothing: the reference dangles.
        case none
        /// The record that holds the reference is deleted with its target.
        case deleteSelf
        /// The target must exist at save, and cannot be deleted while the reference stands.
        case validate
    }

    package var recordName: String

    /// The target's zone; nil means the zone of the record that holds the reference.
    package var zone: ZoneID?
    package var action: Action

    package init(recordName: String, zone: ZoneID? = nil, action: Action = .none) {
        self.recordName = recordName
        self.zone = zone
        self.action = action
    }

    /// The full path of the target, seen from a record in `home`.
    package func target(from home: ZoneID) -> RecordID {
        RecordID(name: recordName, zone: zone ?? home)
    }
}
