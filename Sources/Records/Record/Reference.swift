/// A pointer from the record that holds it to a target, which may be missing.
public struct Reference: Hashable, Sendable {
    /// What the relation means when the target goes.
    public enum Action: UInt8, Hashable, Sendable {
        /// Nothing: the reference dangles.
        case none
        /// The record that holds the reference is deleted with its target.
        case deleteSelf
        /// The target must exist at save, and cannot be deleted while the reference stands.
        case validate
    }

    /// The name of the target.
    public var recordName: String

    /// The target's zone; nil means the zone of the record that holds the reference.
    public var zone: ZoneID?
    /// What happens to the holder when the target is deleted.
    public var action: Action

    /// A pointer to the record of that name.
    public init(recordName: String, zone: ZoneID? = nil, action: Action = .none) {
        self.recordName = recordName
        self.zone = zone
        self.action = action
    }

    /// The full path of the target, seen from a record in `home`.
    public func target(from home: ZoneID) -> RecordID {
        RecordID(name: recordName, zone: zone ?? home)
    }
}

extension Reference: Codable {
    /// The spelling of archives: the target with its zone, and one flag for each action but `none`.
    private enum CodingKeys: String, CodingKey {
        case target
        case deletesSelf
        case validates
    }

    private struct Target: Codable {
        var name: String
        var zone: ZoneID?
    }

    /// Reads what `encode(to:)` wrote.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let target = try container.decode(Target.self, forKey: .target)
        let deletesSelf = try container.decode(Bool.self, forKey: .deletesSelf)
        let validates = try container.decodeIfPresent(Bool.self, forKey: .validates) ?? false
        self.init(
            recordName: target.name, zone: target.zone,
            action: deletesSelf ? .deleteSelf : validates ? .validate : .none)
    }

    /// Writes `{"target":{"name":…,"zone":…},"deletesSelf":…}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Target(name: recordName, zone: zone), forKey: .target)
        try container.encode(action == .deleteSelf, forKey: .deletesSelf)
        if action == .validate { try container.encode(true, forKey: .validates) }
    }
}
