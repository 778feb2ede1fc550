/// The identity of a zone: its name, and the owner of its database if this is not the current user.
///
/// Stores use `name` only, because one database has one owner. The service adds `owner` to answers.
public struct ZoneID: Hashable, Sendable {
    /// The zone's name, unique in its database: at most 255 ASCII characters.
    public var name: String

    /// The owner's user record name; nil: the current user.
    public var owner: String?

    /// The zone with this name in the owner's database.
    public init(name: String, owner: String? = nil) {
        self.name = name
        self.owner = owner
    }

    /// The owner that a name stands for: nil for the names by which clients mean the current user.
    package static func meantOwner(_ name: String) -> String? { ownAliases.contains(name) ? nil : name }

    private static let ownAliases: Set<String> = ["_defaultOwner", "__defaultOwner__", ""]

    /// The name of the default zone, the same in every database.
    public static let defaultName = "_defaultZone"

    /// The default zone of the current user.
    public static let `default` = ZoneID(name: defaultName)

    /// Whether this is a default zone, regardless of its owner.
    public var isDefault: Bool { name == Self.defaultName }
}

extension ZoneID: Codable {
    /// The owner in archives of a zone without one: CloudKit's constant for the current user.
    private static let currentUserName = "__defaultOwner__"

    private enum CodingKeys: String, CodingKey {
        case name
        case owner
    }

    /// Decodes the form that `encode(to:)` writes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let owner = try container.decode(String.self, forKey: .owner)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            owner: owner == Self.currentUserName ? nil : owner)
    }

    /// Encodes `{"name":…,"owner":…}`; the owner is `__defaultOwner__` if there is none.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(owner ?? Self.currentUserName, forKey: .owner)
    }
}
