/// Somebody whom the person of a device knows.
///
/// Apps do not see these: an app that looks for everybody hears of those who use it and agreed to be found,
/// and the addresses leave the device as hashes only.
public struct CloudContact: Hashable, Sendable {
    /// Names the contact in its address book; `CKUserIdentity.contactIdentifiers` repeats it.
    public var identifier: String
    /// E-mail addresses in any case.
    public var emailAddresses: [String]
    /// Phone numbers, which begin with `+` and their country.
    public var phoneNumbers: [String]

    /// A contact with its addresses and numbers.
    public init(identifier: String, emailAddresses: [String] = [], phoneNumbers: [String] = []) {
        self.identifier = identifier
        self.emailAddresses = emailAddresses
        self.phoneNumbers = phoneNumbers
    }
}
