package import Records

/// The decision whether a caller has one permission on one type, with the roles that led to it.
package struct AccessVerdict: Hashable, Sendable {
    package var permission: Permission
    package var type: String
    /// The roles to which the schema grants the permission.
    package var granted: [Role]
    /// The roles that the caller holds, `_creator` included if the caller created the record.
    package var held: [Role]
    /// Whether the caller is a server-to-server key, to which the grants do not apply.
    package var isAdministrator = false
    /// Name of the record that the decision is about; nil if it is about the type.
    package var culprit: String?

    /// The first role that allows it; nil if none does.
    package var allowing: Role? { granted.first(where: held.contains) }

    package var isAllowed: Bool { isAdministrator || allowing != nil }

    /// Which rule allowed or refused, in one sentence.
    package var explanation: String {
        if isAdministrator {
            return "allowed: a server-to-server key administers the public database, whatever the grants"
        }
        let holders = granted.isEmpty ? "nobody" : Self.list(granted)
        let rule = "\(permission.rawValue) on \(type) is granted to \(holders)"
        if let allowing { return "allowed: \(rule), and the caller holds \(allowing.name)" }
        return "refused: \(rule), and the caller holds \(Self.list(held))"
    }

    /// The error of a refusal, in CloudKit's words. A write by an anonymous caller gets
    /// `authenticationRequired` if any role may do it, so that the client shows its sign-in page; every other
    /// refusal gets `accessDenied`.
    package var refusal: RecordError {
        let needsSignIn = permission != .read && !granted.isEmpty && !held.contains(.icloud)
        var error =
            needsSignIn
            ? RecordError.signInRequired
            : RecordError(
                .accessDenied, "\(permission.rawValue) operation not permitted", nextStep: advice)
        error.culprit = culprit ?? type
        error.recordType = type
        return error
    }

    private var advice: String {
        if granted.isEmpty {
            return "no role may do this; grant it in the schema: "
                + "GRANT \(permission.rawValue) TO \"\(permission.defaultRole.name)\""
        }
        if !held.contains(.icloud) { return "sign in first" }
        if granted == [.creator] {
            return "only its creator may do this; save a record of your own instead"
        }
        return "\(permission.rawValue) on \(type) is granted to \(Self.list(granted)); "
            + "ask the operator to make you a member of such a role"
    }

    private static func list(_ roles: [Role]) -> String {
        roles.map(\.name).joined(separator: ", ")
    }
}

extension Permission {
    /// The role that has this permission on a new type.
    fileprivate var defaultRole: Role {
        switch self {
        case .read: .world
        case .create: .icloud
        case .write: .creator
        }
    }
}
