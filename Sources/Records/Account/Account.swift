/// Whether a person may use an account. The raw value is how it is stored.
public enum AccountStatus: String, Hashable, Sendable, CaseIterable {
    /// Nothing is in the way.
    case available
    /// An administrator forbids the use of the service; apps see `CKAccountStatus.restricted`.
    case restricted
    /// The person has to see to something first; what is stored stays. Apps see
    /// `CKAccountStatus.temporarilyUnavailable`.
    case temporarilyUnavailable
}

/// A person who can sign in.
public struct Account: Hashable, Sendable {
    /// Random, and chosen by the server; empty until the server has added the person.
    public package(set) var id: String
    /// The name by which the person signs in.
    public var name: String
    /// The e-mail address in lower case, which serves to sign in as well.
    public var email: String?
    /// `+` and digits.
    public var phone: String?
    /// The given name, shown to those whom the person lets find them.
    public var givenName: String?
    /// The family name.
    public var familyName: String?
    /// Whether the person may use the server.
    public var status: AccountStatus
    /// When the server added the person.
    public package(set) var created: Timestamp
    /// Whether there is a password; without one, the person signs in by name alone, where that is allowed.
    public package(set) var hasPassword: Bool

    /// A person whom the server does not know yet; the name alone is needed.
    public init(
        _ name: String, email: String? = nil, phone: String? = nil, givenName: String? = nil,
        familyName: String? = nil, status: AccountStatus = .available
    ) {
        self.init(
            id: "", name: name, email: email, phone: phone, givenName: givenName, familyName: familyName,
            status: status)
    }

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
