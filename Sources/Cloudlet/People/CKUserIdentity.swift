public import Foundation
internal import Records
internal import RecordsWire

/// Somebody who uses the app and agreed to be found: a user record ID and a name (API sheet 12; talk 1,
/// "Discovery").
// Sendable because every property is constant and Sendable.
open class CKUserIdentity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// By what a person is looked for.
    public typealias LookupInfo = CKUserIdentityLookupInfo

    let plain: PlainIdentity

    init(_ plain: PlainIdentity) {
        self.plain = plain
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(PlainIdentity.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        self.plain = plain
    }

    /// By what the person was found; nil for somebody out of the address book.
    open var lookupInfo: CKUserIdentity.LookupInfo? { plain.lookup.map { CKUserIdentityLookupInfo($0) } }

    /// The person's given and family names, as far as they are known.
    open var nameComponents: PersonNameComponents? {
        guard plain.givenName != nil || plain.familyName != nil else { return nil }
        var names = PersonNameComponents()
        names.givenName = plain.givenName
        names.familyName = plain.familyName
        return names
    }

    /// The person's user record.
    open var userRecordID: CKRecord.ID? { plain.user.map { CKRecordID($0) } }

    /// The contacts of the address book that are this person; empty unless it was looked through.
    open var contactIdentifiers: [String] { plain.contacts }

    /// Whether the person has an account; who was found has one.
    open var hasiCloudAccount: Bool { plain.user != nil }

    /// Equal when everything in them is.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CKUserIdentity)?.plain == plain
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int { plain.hashValue }

    /// Name and record, for people.
    open override var description: String {
        let name = [plain.givenName, plain.familyName].compactMap(\.self).joined(separator: " ")
        return "<CKUserIdentity: \(name.isEmpty ? "unnamed" : name), \(plain.user?.name ?? "no account")>"
    }

    /// Identities do not change, so a copy is the same object.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the identity under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(plain, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKUserIdentity"
}

/// A person in the form of archives.
package struct PlainIdentity: Codable, Hashable, Sendable {
    var user: RecordID?
    var givenName: String?
    var familyName: String?
    var lookup: PlainLookupInfo?
    var contacts: [String] = []

    /// Somebody of whom no more is known.
    init(user: RecordID? = nil, lookup: PlainLookupInfo? = nil) {
        self.user = user
        self.lookup = lookup
    }

    /// - Parameter user: the record ID of the person in the app's terms.
    init(_ identity: UserIdentity, user: CKRecordID, lookup: PlainLookupInfo?, contacts: [String] = []) {
        self.user = RecordID(user)
        givenName = identity.givenName
        familyName = identity.familyName
        self.lookup = lookup
        self.contacts = contacts
    }
}
