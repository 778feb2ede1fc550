/// A reference from one record to another, its target. The target may be missing.
public struct Reference: Hashable, Sendable {
    /// The effect of deleting the target on the record that holds the reference.
    public enum Action: UInt8, Hashable, Sendable {
        /// No effect: the reference then points to a missing record.
        case none
        /// The record that holds the reference is deleted as well.
        case deleteSelf
        /// The target must exist when the record is saved, and cannot be deleted while the reference exists.
        case validate
    }

    /// The record name of the target.
    public var recordName: String

    /// The target's zone; nil: the zone of the record that holds the reference.
    public var zone: ZoneID?
    /// The effect of deleting the target.
    public var action: Action

    /// A reference to the record with this name.
    public init(recordName: String, zone: ZoneID? = nil, action: Action = .none) {
        self.recordName = recordName
        self.zone = zone
        self.action = action
    }

    /// The identity of the target, for a reference held by a record in `home`.
    public func target(from home: ZoneID) -> RecordID {
        RecordID(name: recordName, zone: zone ?? home)
    }
}

extension Reference: Codable {
    /// The archived members: the target with its zone, and one flag for each action except `none`.
    private enum CodingKeys: String, CodingKey {
        case target
        case deletesSelf
        case validates
    }

    private struct Target: Codable {
        var name: String
        var zone: ZoneID?
    }

    /// Decodes the form that `encode(to:)` writes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let target = try container.decode(Target.self, forKey: .target)
        let deletesSelf = try container.decode(Bool.self, forKey: .deletesSelf)
        let validates = try container.decodeIfPresent(Bool.self, forKey: .validates) ?? false
        self.init(
            recordName: target.name, zone: target.zone,
            action: deletesSelf ? .deleteSelf : validates ? .validate : .none)
    }

    /// Encodes `{"target":{"name":…,"zone":…},"deletesSelf":…}`, and `"validates":true` for `validate`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Target(name: recordName, zone: zone), forKey: .target)
        try container.encode(action == .deleteSelf, forKey: .deletesSelf)
        if action == .validate { try container.encode(true, forKey: .validates) }
    }
}
