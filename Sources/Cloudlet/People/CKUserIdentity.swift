public import Foundation
internal import Records
internal import RecordsWire

/// A person who uses the app and has allowed others to discover them: a user record ID and a name.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckuseridentity>.
// Sendable because every property is immutable and Sendable.
open class CKUserIdentity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The address, number or user record to look a person up by.
    public typealias LookupInfo = CKUserIdentityLookupInfo

    let plain: ArchivedIdentity

    init(_ plain: ArchivedIdentity) {
        self.plain = plain
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(ArchivedIdentity.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        self.plain = plain
    }

    /// The lookup info by which the person was found; nil for a person found through the address book.
    open var lookupInfo: CKUserIdentity.LookupInfo? { plain.lookup.map { CKUserIdentityLookupInfo($0) } }

    /// The person's given name and family name; nil if neither is known.
    open var nameComponents: PersonNameComponents? {
        guard plain.givenName != nil || plain.familyName != nil else { return nil }
        var names = PersonNameComponents()
        names.givenName = plain.givenName
        names.familyName = plain.familyName
        return names
    }

    /// The ID of the person's user record.
    open var userRecordID: CKRecord.ID? { plain.user.map { CKRecordID($0) } }

    /// The identifiers of the person's contacts in the address book; empty if the person was not found
    /// through the address book.
    open var contactIdentifiers: [String] { plain.contacts }

    /// Whether the person has an account; true for everybody who was found.
    open var hasiCloudAccount: Bool { plain.user != nil }

    /// Equal if all properties are equal.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CKUserIdentity)?.plain == plain
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int { plain.hashValue }

    /// The name and the user record, for logs.
    open override var description: String {
        let name = [plain.givenName, plain.familyName].compactMap(\.self).joined(separator: " ")
        return "<CKUserIdentity: \(name.isEmpty ? "unnamed" : name), \(plain.user?.name ?? "no account")>"
    }

    /// Returns the same object, because an identity is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the identity under a key of this class, so that subclasses can add their own keys.
    open func encode(with coder: NSCoder) {
        Archive.write(plain, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKUserIdentity"
}

/// The archived form of an identity.
package struct ArchivedIdentity: Codable, Hashable, Sendable {
    var user: RecordID?
    var givenName: String?
    var familyName: String?
    var lookup: ArchivedLookupInfo?
    var contacts: [String] = []

    /// Creates an identity without a name.
    init(user: RecordID? = nil, lookup: ArchivedLookupInfo? = nil) {
        self.user = user
        self.lookup = lookup
    }

    /// Creates an identity from the server's answer.
    ///
    /// - Parameter user: The person's record ID, with the owner name that the app uses.
    init(_ identity: UserIdentity, user: CKRecordID, lookup: ArchivedLookupInfo?, contacts: [String] = []) {
        self.user = RecordID(user)
        givenName = identity.givenName
        familyName = identity.familyName
        self.lookup = lookup
        self.contacts = contacts
    }
}
