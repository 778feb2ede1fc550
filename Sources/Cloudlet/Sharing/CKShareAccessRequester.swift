public import Foundation
internal import Records

/// A person without an invitation who requests access to a share.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckshare/accessrequester>.
// Sendable because its only property is immutable.
open class CKShareAccessRequester: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    let plain: ArchivedIdentity

    package init(_ plain: ArchivedIdentity) {
        self.plain = plain
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(ArchivedIdentity.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        self.plain = plain
    }

    /// The identity of the person who requests access.
    open var userIdentity: CKUserIdentity { CKUserIdentity(plain) }

    /// The lookup info for `CKFetchShareParticipantsOperation`, to invite the person.
    open var participantLookupInfo: CKUserIdentity.LookupInfo {
        if let lookup = userIdentity.lookupInfo { return lookup }
        // The server names the user record of every requester.
        let user = plain.user ?? RecordID(CKRecordID(recordName: CKCurrentUserDefaultName))
        return CKUserIdentityLookupInfo(.user(user), known: plain)
    }

    /// Equal if both are the same person.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CKShareAccessRequester)?.plain == plain
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int { plain.hashValue }

    /// Returns the same object, because a requester is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the identity under a key of this class, so that subclasses can add their own keys.
    open func encode(with coder: NSCoder) {
        Archive.write(plain, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKShareAccessRequester"
}

/// A person whose access requests are ignored.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckshare/blockedidentity>.
// Sendable because its only property is immutable.
open class CKShareBlockedIdentity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    let plain: ArchivedIdentity

    package init(_ plain: ArchivedIdentity) {
        self.plain = plain
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(ArchivedIdentity.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        self.plain = plain
    }

    /// The person's identity.
    open var userIdentity: CKUserIdentity { CKUserIdentity(plain) }

    /// Equal if both are the same person.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CKShareBlockedIdentity)?.plain == plain
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int { plain.hashValue }

    /// Returns the same object, because an identity is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the identity under a key of this class, so that subclasses can add their own keys.
    open func encode(with coder: NSCoder) {
        Archive.write(plain, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKShareBlockedIdentity"
}
