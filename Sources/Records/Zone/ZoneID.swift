/// The name of a zone and, where it matters, the person whose database it lies in.
///
/// Inside one database the owner is implied, so stores key zones by `name` alone; the service fills `owner`
/// in answers.
public struct ZoneID: Hashable, Sendable {
    /// At most 255 ASCII characters, unique in its database.
    public var name: String

    /// The record name of the owner; nil means "the database's own person".
    public var owner: String?

    /// The zone of that name in the database of that person.
    public init(name: String, owner: String? = nil) {
        self.name = name
        self.owner = owner
    }

    /// The name every database's default zone has.
    public static let defaultName = "_defaultZone"

    /// The zone that is meant when none is named.
    public static let `default` = ZoneID(name: defaultName)

    /// Whether this is the default zone, whoever owns it.
    public var isDefault: Bool { name == Self.defaultName }
}

extension ZoneID: Codable {
    /// The owner that archives name for a zone without one: the constant of CloudKit for oneself.
    private static let oneself = "__defaultOwner__"

    private enum CodingKeys: String, CodingKey {
        case name
        case owner
    }

    /// Reads what `encode(to:)` wrote.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let owner = try container.decode(String.self, forKey: .owner)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            owner: owner == Self.oneself ? nil : owner)
    }

    /// Writes `{"name":…,"owner":…}`; the owner is `__defaultOwner__` when there is none.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(owner ?? Self.oneself, forKey: .owner)
    }
}
