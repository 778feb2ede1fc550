package import Records

/// The hashes of a person's e-mail address and phone number, by which devices look up their contacts. nil:
/// the person has no such address, or does not allow it to be found.
package struct ContactHashes: Hashable, Sendable {
    package var email: [UInt8]?
    package var phone: [UInt8]?

    package init(email: [UInt8]? = nil, phone: [UInt8]? = nil) {
        self.email = email
        self.phone = phone
    }
}

/// Stores which people allow others to find them, in which container.
///
/// - A person who agreed is found by e-mail address, phone number, record name and the hash of an address.
/// - Results are in the order of the look-ups, nil for people who are unknown or did not agree.
/// - A person agrees or refuses in each container; before that, the setting is nil.
/// - Changing the setting or the account replaces the hashes by which the person is found.
/// - Changing the setting of a missing person changes nothing.
package protocol DiscoveryDirectory: Sendable {
    /// The person for each look-up, with the user record name in the container, in the order of the look-ups;
    /// nil for a person who is unknown or has not agreed to be found there. Addresses must have the form of
    /// `ContactAddress`.
    func discoverableUsers(
        _ lookups: [UserLookup], in container: String
    ) async throws -> [(account: Account, userRecordName: String)?]

    /// The person's setting; nil if the person was never asked.
    func isDiscoverable(_ userRecordName: String, in container: String) async throws -> Bool?

    /// Stores the person's setting for the container, and the hashes by which others find the person. Does
    /// nothing if the person has no account in the container.
    func setDiscoverable(
        _ isDiscoverable: Bool, _ userRecordName: String, in container: String, hashes: ContactHashes
    ) async throws
}
