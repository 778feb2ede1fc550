/// A security role of a container.
package enum Role: Hashable, Sendable {
    /// Everyone, signed in or not.
    case world
    /// All signed-in users, and server-to-server keys.
    case icloud
    /// The creator of the record.
    case creator
    /// The members of a role that the operator defined.
    case custom(String)

    package init(name: String) {
        switch name {
        case "_world": self = .world
        case "_icloud": self = .icloud
        case "_creator": self = .creator
        default: self = .custom(name)
        }
    }

    /// The name in schemas.
    package var name: String {
        switch self {
        case .world: "_world"
        case .icloud: "_icloud"
        case .creator: "_creator"
        case .custom(let name): name
        }
    }

    /// The roles that every container has, in the order of schemas.
    package static let systemRoles: [Role] = [.creator, .icloud, .world]

    package var isSystem: Bool { Self.systemRoles.contains(self) }

    /// Whether a custom role can have this name. Control characters and quotation marks are not allowed, nor
    /// is a leading underscore, which is reserved for system roles.
    package static func canBeNamed(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count) && !name.hasPrefix("_")
            && name.unicodeScalars.allSatisfy { $0 != "\"" && $0.properties.generalCategory != .control }
            && name.contains { !$0.isWhitespace }
    }
}

/// A permission on the records of a type.
package enum Permission: String, Hashable, Sendable, CaseIterable {
    case read = "READ"
    case create = "CREATE"
    /// Permission to change and delete records.
    case write = "WRITE"
}

/// The permissions of all roles on one record type.
package struct Grants: Hashable, Sendable {
    /// The permissions by role. It contains no role without permissions.
    package private(set) var permissions: [Role: Set<Permission>]

    package init(_ permissions: [Role: Set<Permission>] = [:]) {
        self.permissions = permissions.filter { !$0.value.isEmpty }
    }

    /// The default: everyone reads, signed-in users create, and the creator changes and deletes.
    package static let standard = Grants([.world: [.read], .icloud: [.create], .creator: [.write]])

    package subscript(role: Role) -> Set<Permission> {
        get { permissions[role] ?? [] }
        set { permissions[role] = newValue.isEmpty ? nil : newValue }
    }

    /// The roles with a permission: system roles first, then custom roles by name.
    package func roles(with permission: Permission) -> [Role] {
        roles.filter { self[$0].contains(permission) }
    }

    /// All roles with any permission, in the same order.
    package var roles: [Role] {
        let custom = permissions.keys.filter { !$0.isSystem }
        return Role.systemRoles.filter { permissions[$0] != nil }
            + custom.sorted { $0.name.precedesInBytes($1.name) }
    }
}
