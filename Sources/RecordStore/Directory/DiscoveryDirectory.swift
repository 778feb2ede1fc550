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

/// Who lets others find them, in which container. All methods throw `RecordError`.
package protocol DiscoveryDirectory: Sendable {
    /// The people looked for with their record names in the container, each in the place of its look-up; nil
    /// for everybody who has not agreed to be found there. Addresses in the form of `ContactAddress`.
    func discoverableUsers(
        _ lookups: [UserLookup], in container: String
    ) async throws -> [(account: Account, userRecordName: String)?]

    /// What a person said when asked; nil: never asked.
    func isDiscoverable(_ userRecordName: String, in container: String) async throws -> Bool?

    /// Notes what a person said when asked, and the hashes to find the person by.
    func setDiscoverable(
        _ isDiscoverable: Bool, _ userRecordName: String, in container: String, hashes: ContactHashes
    ) async throws
}
