package import Records

/// The hashes by which devices look for a person; nil where there is no address.
package struct ContactHashes: Hashable, Sendable {
    package var email: [UInt8]?
    package var phone: [UInt8]?

    package init(email: [UInt8]? = nil, phone: [UInt8]? = nil) {
        self.email = email
        self.phone = phone
    }
}

/// Who agreed to be found by others, in which container.
///
/// - A person who agreed is found by e-mail address, phone number, record name and the hash of an address.
/// - Look-ups are answered in their order, nil for people who did not agree and for nobody.
/// - A person answers for each container; before that, there is no answer.
/// - An answer replaces the hashes by which the person is found, and so does a change of the account.
/// - An answer of a missing person changes nothing.
package protocol DiscoveryDirectory: Sendable {
    /// The people looked for with their record names in the container, each in the place of its look-up; nil
    /// for a person who has not agreed to be found there. Addresses in the form of `ContactAddress`.
    func discoverableUsers(
        _ lookups: [UserLookup], in container: String
    ) async throws -> [(account: Account, userRecordName: String)?]

    /// The person's answer; nil if the person was never asked.
    func isDiscoverable(_ userRecordName: String, in container: String) async throws -> Bool?

    /// Keeps the person's answer, and the hashes by which the person is found.
    func setDiscoverable(
        _ isDiscoverable: Bool, _ userRecordName: String, in container: String, hashes: ContactHashes
    ) async throws
}
