/// One person of a share.
package struct Participant: Hashable, Sendable {
    /// What a participant may do besides reading and writing. The raw value is the protocol's term.
    package enum Role: String, Hashable, Sendable, CaseIterable {
        case owner = "OWNER"
        /// Invited by the owner, and allowed to manage the other participants.
        case administrator = "ADMINISTRATOR"
        /// Invited by the owner.
        case privateUser = "USER"
        /// Joined through the link of a share with a public permission.
        case publicUser = "PUBLIC_USER"
    }

    /// The raw value is the protocol's term.
    package enum Permission: String, Hashable, Sendable, CaseIterable {
        case none = "NONE"
        case readOnly = "READ_ONLY"
        case readWrite = "READ_WRITE"
    }

    /// Whether the person has joined. The raw value is the protocol's term.
    package enum Acceptance: String, Hashable, Sendable, CaseIterable {
        case invited = "INVITED"
        case accepted = "ACCEPTED"
    }

    /// The name that a person's account has.
    package struct Name: Hashable, Sendable {
        package var given: String?
        package var family: String?

        package init(given: String? = nil, family: String? = nil) {
            self.given = given
            self.family = family
        }
    }

    /// Unique within the share.
    package var id: String
    /// The user record name; nil for a placeholder, whose address nobody has proved to own yet.
    package var person: String?
    /// The address by which the owner invited the person; nil for the owner, for a person who joined through
    /// the link, and for one who was invited by user record name.
    package var address: ContactAddress?
    package var role: Role
    /// In a share with a public permission, the public permission decides for those who joined by the link.
    package var permission: Permission
    package var acceptance: Acceptance
    /// The name when the person accepted; empty before.
    package var name: Name
    /// Whether the person asked for access, and was invited then.
    package var isApprovedRequester = false

    package init(
        id: String, person: String? = nil, address: ContactAddress? = nil, role: Role = .privateUser,
        permission: Permission = .readOnly, acceptance: Acceptance = .invited,
        name: Name = Name()
    ) {
        self.id = id
        self.person = person
        self.address = address
        self.role = role
        self.permission = permission
        self.acceptance = acceptance
        self.name = name
    }

    /// Whether the invitation is for the first person who follows its one-time link, which contains the
    /// participant's id. It becomes an ordinary participant when that person accepts.
    package var isOneTime: Bool { person == nil && address == nil }

    /// Separates the short GUID in a one-time link from the participant's id.
    package static let linkSeparator = "~"

    /// Whether both are the same person: the same identifier, user record name or address, whatever the role,
    /// permission and acceptance.
    package func isSamePerson(as other: Participant) -> Bool {
        if id == other.id { return true }
        if let person, person == other.person { return true }
        return address != nil && address == other.address
    }
}

/// A person who is not invited to a share and asks for access, or whose requests are refused.
package struct AccessRequester: Hashable, Sendable {
    /// The user record name.
    package var person: String
    /// The name when the person asked.
    package var name: Participant.Name

    package init(person: String, name: Participant.Name = Participant.Name()) {
        self.person = person
        self.name = name
    }
}
