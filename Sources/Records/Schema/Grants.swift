/// A role and what it is for.
package enum Role: Hashable, Sendable {
    /// Anybody, signed in or not.
    case world
    /// Anybody who is signed in, and server-to-server keys.
    case icloud
    /// Whoever created the record.
    case creator
    /// Whoever has been made a member.
    case custom(String)

    package init(name: String) {
        switch name {
        case "_world": self = .world
        case "_icloud": self = .icloud
        case "_creator": self = .creator
        default: self = .custom(name)
        }
    }

    /// The name that schemas use.
    package var name: String {
        switch self {
        case .world: "_world"
        case .icloud: "_icloud"
        case .creator: "_creator"
        case .custom(let name): name
        }
    }

    /// Those that every container has, in the order in which schemas list them.
    package static let systemRoles: [Role] = [.creator, .icloud, .world]

    package var isSystem: Bool { Self.systemRoles.contains(self) }

    /// Whether a role can be created under a name: anything that can be printed, but for quotation marks and
    /// the underscore that the system's own begin with.
    package static func canBeNamed(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count) && !name.hasPrefix("_")
            && name.unicodeScalars.allSatisfy { $0 != "\"" && $0.properties.generalCategory != .control }
            && name.contains { !$0.isWhitespace }
    }
}

/// What a role may do with records of a type.
package enum Permission: String, Hashable, Sendable, CaseIterable {
    case read = "READ"
    case create = "CREATE"
    /// Change and delete.
    case write = "WRITE"
}

/// The permissions that roles have on a record type.
package struct Grants: Hashable, Sendable {
    /// A role without a permission is not in it.
    package private(set) var permissions: [Role: Set<Permission>]

    package init(_ permissions: [Role: Set<Permission>] = [:]) {
        self.permissions = permissions.filter { !$0.value.isEmpty }
    }

    /// Anybody reads, whoever is signed in creates, the creator changes and deletes.
    package static let standard = Grants([.world: [.read], .icloud: [.create], .creator: [.write]])

    package subscript(role: Role) -> Set<Permission> {
        get { permissions[role] ?? [] }
        set { permissions[role] = newValue.isEmpty ? nil : newValue }
    }

    /// The roles that hold a permission, the system's first, the others by name.
    package func roles(with permission: Permission) -> [Role] {
        roles.filter { self[$0].contains(permission) }
    }

    /// All roles with a permission, in the same order.
    package var roles: [Role] {
        let custom = permissions.keys.filter { !$0.isSystem }
        return Role.systemRoles.filter { permissions[$0] != nil }
            + custom.sorted { $0.name.precedesInBytes($1.name) }
    }
}
