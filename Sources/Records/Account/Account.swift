/// Whether a person may use the account. The server stores the raw value.
public enum AccountStatus: String, Hashable, Sendable, CaseIterable {
    /// The person may use the account.
    case available
    /// An administrator has blocked the account. Apps see `CKAccountStatus.restricted`.
    case restricted
    /// The person must resolve a problem first. Stored data stays. Apps see
    /// `CKAccountStatus.temporarilyUnavailable`.
    case temporarilyUnavailable
}

/// A person who can sign in.
public struct Account: Hashable, Sendable {
    /// The account's random identifier, chosen by the server. Empty until the server has added the person.
    public package(set) var id: String
    /// The name by which the person signs in.
    public var name: String
    /// The e-mail address in lower case. The person can sign in with it instead of the name.
    public var email: String?
    /// The phone number: `+` and digits.
    public var phone: String?
    /// The given name. People whom this person allows to find them can see it.
    public var givenName: String?
    /// The family name.
    public var familyName: String?
    /// Whether the person may use the account.
    public var status: AccountStatus
    /// The quota in bytes for the person's private databases in all containers, files included; nil stands
    /// for the general quota, `QuotaRules.personBytes`. A server without quotas ignores it.
    public var quotaBytes: Int64?
    /// When the server added the person.
    public package(set) var created: Timestamp
    /// Whether the account has a password. Without one the person signs in by name alone, if the server
    /// allows that.
    public package(set) var hasPassword: Bool

    /// An account that the server has not added yet. Only the name is required.
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
        hasPassword: Bool = false,
        quotaBytes: Int64? = nil
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
        self.quotaBytes = quotaBytes
    }
}
