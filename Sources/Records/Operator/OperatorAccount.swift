/// The permissions of an operator. Each role includes the roles before it. The server stores the raw value.
package enum OperatorRole: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Views everything that the console shows.
    case viewer
    /// Changes public records, and schemas and roles in development.
    case developer
    /// Deploys schemas, and manages containers, credentials, people and operators.
    case admin

    package static func < (a: OperatorRole, b: OperatorRole) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .developer: 1
        case .admin: 2
        }
    }
}

/// A person who signs in to the console. Operators are not users of apps and own no records.
package struct OperatorAccount: Hashable, Sendable {
    /// The name to sign in with.
    package var name: String
    /// The role in all containers and for the whole server; nil: only the roles in `containers`.
    package var role: OperatorRole?
    /// Roles in single containers.
    package var containers: [String: OperatorRole]
    package var created: Timestamp

    package init(
        name: String, role: OperatorRole? = nil, containers: [String: OperatorRole] = [:],
        created: Timestamp = Timestamp(milliseconds: 0)
    ) {
        self.name = name
        self.role = role
        self.containers = containers
        self.created = created
    }

    /// The role in a container; nil if the operator has none, and must not see the container.
    package func role(in container: String) -> OperatorRole? {
        [role, containers[container]].compactMap(\.self).max()
    }
}

extension OperatorAccount {
    /// The roles in words: `viewer everywhere, admin in iCloud.test`.
    package var rolesText: String {
        let everywhere = role.map { ["\($0.rawValue) everywhere"] } ?? []
        let single = containers.sorted { $0.key.precedesInBytes($1.key) }
            .map { "\($0.value.rawValue) in \($0.key)" }
        return (everywhere + single).joined(separator: ", ")
    }

    /// The roles as the audit log records them after a change.
    package func auditText(isPasswordSet: Bool) -> String {
        isPasswordSet ? "\(rolesText); with a new password" : rolesText
    }
}
