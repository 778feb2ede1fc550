public import Foundation
internal import Records

/// An e-mail address, a phone number, or a user record ID to look for somebody by.
///
/// Compared by value. Addresses and numbers do not leave the device: their hashes do.
// Sendable because every property is constant and Sendable.
open class CKUserIdentityLookupInfo: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    let plain: PlainLookupInfo

    init(_ plain: PlainLookupInfo) {
        self.plain = plain
    }

    /// Looks for whoever has that address.
    public init(emailAddress: String) {
        plain = .email(emailAddress)
    }

    /// Looks for whoever has that number, which begins with `+` and its country.
    public init(phoneNumber: String) {
        plain = .phone(phoneNumber)
    }

    /// Looks for whoever has that user record.
    public init(userRecordID: CKRecord.ID) {
        plain = .user(RecordID(userRecordID))
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(PlainLookupInfo.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        self.plain = plain
    }

    /// One look-up for each address.
    open class func lookupInfos(withEmails emails: [String]) -> [CKUserIdentity.LookupInfo] {
        emails.map { CKUserIdentityLookupInfo(emailAddress: $0) }
    }

    /// One look-up for each number.
    open class func lookupInfos(withPhoneNumbers phoneNumbers: [String]) -> [CKUserIdentity.LookupInfo] {
        phoneNumbers.map { CKUserIdentityLookupInfo(phoneNumber: $0) }
    }

    /// One look-up for each user record.
    open class func lookupInfos(with recordIDs: [CKRecord.ID]) -> [CKUserIdentity.LookupInfo] {
        recordIDs.map { CKUserIdentityLookupInfo(userRecordID: $0) }
    }

    /// The address, if it is what is looked for.
    open var emailAddress: String? {
        if case .email(let address) = plain { address } else { nil }
    }

    /// The number, if it is what is looked for.
    open var phoneNumber: String? {
        if case .phone(let number) = plain { number } else { nil }
    }

    /// The user record, if it is what is looked for.
    open var userRecordID: CKRecord.ID? {
        if case .user(let id) = plain { CKRecordID(id) } else { nil }
    }

    /// Equal when what is looked for is.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CKUserIdentityLookupInfo)?.plain == plain
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int { plain.hashValue }

    /// Look-ups do not change, so a copy is the same object.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes what is looked for under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(plain, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKUserIdentityLookupInfo"
}

/// What is looked for, in the form of archives.
enum PlainLookupInfo: Codable, Hashable, Sendable {
    case email(String)
    case phone(String)
    case user(RecordID)
}

extension CKUserIdentityLookupInfo {
    /// How the server is asked; nil for what cannot be an address or a number, which is nobody's.
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
