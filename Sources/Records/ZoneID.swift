// Owns the identity of a record zone.

/// The name of a zone and, where it matters, the person whose database it lies in.
///
/// Inside one database the owner is implied, so stores key zones by `name` alone; the service fills `owner`
/// in answers (web services sheet 3.7).
package struct ZoneID: Hashable, Sendable {
    /// At most 255 ASCII characters, unique in its database.
    package var name: String

    /// The record name of the owner; nil means "the database's own person".
    package var owner: String?

    package init(name: String, owner: String? = nil) {
        self.name = name
        self.owner = owner
    }

    /// The name every database's default zone has.
    package static let defaultName = "_defaultZone"

    /// The zone that is meant when none is named.
    package static let `default` = ZoneID(name: defaultName)

    package var isDefault: Bool { name == Self.defaultName }
}
