public import Foundation
internal import Records

/// An e-mail address, a phone number or a user record ID to look a person up by. It is compared by value.
///
/// A look-up sends only the hash of an address or number. An invitation to a share contains the address or
/// number itself.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckuseridentity/lookupinfo-swift.class>.
// Sendable because every property is immutable and Sendable.
open class CKUserIdentityLookupInfo: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    let plain: ArchivedLookupInfo
    /// The identity of the person if a share contains it. It is used if the server does not find the person.
    let known: ArchivedIdentity?

    init(_ plain: ArchivedLookupInfo, known: ArchivedIdentity? = nil) {
        self.plain = plain
        self.known = known
    }

    /// Looks up the person with this e-mail address.
    public init(emailAddress: String) {
        plain = .email(emailAddress)
        known = nil
    }

    /// Looks up the person with this phone number, which begins with `+` and the country code.
    public init(phoneNumber: String) {
        plain = .phone(phoneNumber)
        known = nil
    }

    /// Looks up the person with this user record.
    public init(userRecordID: CKRecord.ID) {
        plain = .user(RecordID(userRecordID))
        known = nil
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(ArchivedLookupInfo.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        self.plain = plain
        known = nil
    }

    /// Creates one lookup info per e-mail address.
    open class func lookupInfos(withEmails emails: [String]) -> [CKUserIdentity.LookupInfo] {
        emails.map { CKUserIdentityLookupInfo(emailAddress: $0) }
    }

    /// Creates one lookup info per phone number.
    open class func lookupInfos(withPhoneNumbers phoneNumbers: [String]) -> [CKUserIdentity.LookupInfo] {
        phoneNumbers.map { CKUserIdentityLookupInfo(phoneNumber: $0) }
    }

    /// Creates one lookup info per user record.
    open class func lookupInfos(with recordIDs: [CKRecord.ID]) -> [CKUserIdentity.LookupInfo] {
        recordIDs.map { CKUserIdentityLookupInfo(userRecordID: $0) }
    }

    /// The e-mail address; nil if the person is looked up by something else.
    open var emailAddress: String? {
        if case .email(let address) = plain { address } else { nil }
    }

    /// The phone number; nil if the person is looked up by something else.
    open var phoneNumber: String? {
        if case .phone(let number) = plain { number } else { nil }
    }

    /// The user record; nil if the person is looked up by something else.
    open var userRecordID: CKRecord.ID? {
        if case .user(let id) = plain { CKRecordID(id) } else { nil }
    }

    /// Equal if both look up the same address, number or user record.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CKUserIdentityLookupInfo)?.plain == plain
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int { plain.hashValue }

    /// Returns the same object, because lookup info is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the address, number or user record under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(plain, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKUserIdentityLookupInfo"
}

/// The archived form of lookup info.
enum ArchivedLookupInfo: Codable, Hashable, Sendable {
    case email(String)
    case phone(String)
    case user(RecordID)
}

extension CKUserIdentityLookupInfo {
    /// The lookup in the server's form; nil if the address or number is invalid, so that there can be no
    /// match.
    var wire: UserLookup? {
        switch plain {
        case .email(let text):
            (try? ContactAddress(email: text)).flatMap { try? $0.hash }.map { .contactHash($0) }
        case .phone(let text):
            (try? ContactAddress(phone: text)).flatMap { try? $0.hash }.map { .contactHash($0) }
        case .user(let id): .userRecordName(id.name)
        }
    }
}
