// Owns what a server knows of a person who can sign in.

/// Whether a person may use an account (API sheet 1.1, `CKAccountStatus`). The raw value is how it is stored.
package enum AccountStatus: String, Hashable, Sendable, CaseIterable {
    /// Nothing is in the way.
    case available
    /// An administrator forbids the use of the service.
    case restricted
    /// The person has to see to something first; what is stored stays.
    case temporarilyUnavailable
}

/// A person who can sign in.
package struct Account: Hashable, Sendable {
    /// Random, and known to the server only.
    package var id: String
    /// The name by which the person signs in.
    package var name: String
    /// In lower case; by it the person signs in as well.
    package var email: String?
    /// `+` and digits.
    package var phone: String?
    package var givenName: String?
    package var familyName: String?
    package var status: AccountStatus
    package var created: Timestamp
    /// Whether there is a password; without one, the person signs in by name alone, where that is allowed.
    package var hasPassword: Bool

    package init(
        id: String,
        name: String,
        email: String? = nil,
        phone: String? = nil,
        givenName: String? = nil,
        familyName: String? = nil,
        status: AccountStatus = .available,
        created: Timestamp = Timestamp(milliseconds: 0),
        hasPassword: Bool = false
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.phone = phone
        self.givenName = givenName
        self.familyName = familyName
        self.status = status
        self.created = created
        self.hasPassword = hasPassword
    }
}
