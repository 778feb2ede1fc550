/// A contact in the address book of the device's person.
///
/// Apps do not see contacts. An app that looks up the whole address book receives the people who use the app
/// and have allowed others to discover them. Addresses leave the device as hashes only.
public struct CloudContact: Hashable, Sendable {
    /// The contact's identifier in its address book, as in `CKUserIdentity.contactIdentifiers`.
    public var identifier: String
    /// The e-mail addresses. Case does not matter.
    public var emailAddresses: [String]
    /// The phone numbers, which begin with `+` and the country code.
    public var phoneNumbers: [String]

    /// Creates a contact.
    public init(identifier: String, emailAddresses: [String] = [], phoneNumbers: [String] = []) {
        self.identifier = identifier
        self.emailAddresses = emailAddresses
        self.phoneNumbers = phoneNumbers
    }
}
