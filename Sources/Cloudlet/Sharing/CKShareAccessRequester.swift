public import Foundation

/// Somebody who was not invited and asks to take part.
// Sendable because its only property is constant.
open class CKShareAccessRequester: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    let plain: PlainIdentity

    package init(_ plain: PlainIdentity) {
        self.plain = plain
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(PlainIdentity.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        self.plain = plain
    }

    /// Who asks.
    open var userIdentity: CKUserIdentity { CKUserIdentity(plain) }

    /// What to give `CKFetchShareParticipantsOperation` to invite them.
    open var participantLookupInfo: CKUserIdentity.LookupInfo {
        if let lookup = userIdentity.lookupInfo { return lookup }
        return CKUserIdentityLookupInfo(
            userRecordID: userIdentity.userRecordID ?? CKRecordID(recordName: CKCurrentUserDefaultName))
    }

    /// Equal when it is the same person.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CKShareAccessRequester)?.plain == plain
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int { plain.hashValue }

    /// Requesters do not change, so a copy is the same object.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes who it is under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(plain, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKShareAccessRequester"
}

/// Somebody whose requests to take part are not heard.
// Sendable because its only property is constant.
open class CKShareBlockedIdentity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    let plain: PlainIdentity

    package init(_ plain: PlainIdentity) {
        self.plain = plain
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(PlainIdentity.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        self.plain = plain
    }

    /// Who it is.
    open var userIdentity: CKUserIdentity { CKUserIdentity(plain) }

    /// Equal when it is the same person.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CKShareBlockedIdentity)?.plain == plain
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int { plain.hashValue }

    /// Identities do not change, so a copy is the same object.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes who it is under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(plain, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKShareBlockedIdentity"
}
