/// One person of a share.
package struct Participant: Hashable, Sendable {
    /// How a participant joined the share, and whether the participant manages others. The raw value is the
    /// protocol's term.
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

        /// Whether this permission allows more than the other one.
        package func exceeds(_ other: Permission) -> Bool {
            switch (self, other) {
            case (.none, _), (_, .readWrite), (.readOnly, .readOnly): false
            case (.readOnly, .none), (.readWrite, .none), (.readWrite, .readOnly): true
            }
        }
    }

    /// Whether the person has joined. The raw value is the protocol's term.
    package enum Acceptance: String, Hashable, Sendable, CaseIterable {
        case invited = "INVITED"
        case accepted = "ACCEPTED"
    }

    /// A person's name, from the account.
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
    /// The user record name; nil for an invitation that belongs to no person yet, because nobody has verified
    /// its address or followed its one-time link.
    package var person: String?
    /// The address by which the owner invited the person; nil for the owner, for a person who joined through
    /// the link, and for one who was invited by user record name.
    package var address: ContactAddress?
    package var role: Role
    /// The permission of an invited person. For a person who joined through the link, the share's public
    /// permission applies instead, unless this is `none`.
    package var permission: Permission
    package var acceptance: Acceptance
    /// The person's name at the time of acceptance; empty before.
    package var name: Name
    /// Whether the person was invited in answer to a request for access.
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

/// A person without an invitation who requests access to a share, or whose requests are blocked.
package struct AccessRequester: Hashable, Sendable {
    /// The user record name.
    package var person: String
    /// The person's name at the time of the request.
    package var name: Participant.Name

    package init(person: String, name: Participant.Name = Participant.Name()) {
        self.person = person
        self.name = name
    }
}
