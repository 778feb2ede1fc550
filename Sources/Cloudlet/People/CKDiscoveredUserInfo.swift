public import Foundation

/// A person who was found, with first and last name. `CKUserIdentity` replaces it.
// Sendable because every property is immutable and Sendable.
@available(*, deprecated, renamed: "CKUserIdentity")
open class CKDiscoveredUserInfo: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let identity: CKUserIdentity

    init(_ identity: CKUserIdentity) {
        self.identity = identity
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        guard let identity = CKUserIdentity(coder: coder) else { return nil }
        self.identity = identity
    }

    /// The ID of the person's user record.
    open var userRecordID: CKRecord.ID? { identity.userRecordID }

    /// The person's given name.
    open var firstName: String? { identity.nameComponents?.givenName }

    /// The person's family name.
    open var lastName: String? { identity.nameComponents?.familyName }

    /// Equal if all properties are equal.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CKDiscoveredUserInfo)?.identity == identity
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int { identity.hash }

    /// Returns the same object, because it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the identity.
    open func encode(with coder: NSCoder) {
        identity.encode(with: coder)
    }
}

@available(*, deprecated, message: "Use the calls that find a CKUserIdentity.")
extension CKContainer {
    /// Finds the people in the device's address book who use the app and have allowed others to discover
    /// them.
    @preconcurrency
    public func discoverAllContactUserInfos(
        completionHandler: @escaping @Sendable ([CKDiscoveredUserInfo]?, (any Error)?) -> Void
    ) {
        discoverAllIdentities { identities, error in
            completionHandler(identities?.map { CKDiscoveredUserInfo($0) }, error)
        }
    }

    /// Finds the person with this e-mail address; nil without an error if there is no match.
    @preconcurrency
    public func discoverUserInfo(
        withEmailAddress email: String,
        completionHandler: @escaping @Sendable (CKDiscoveredUserInfo?, (any Error)?) -> Void
    ) {
        discoverUserIdentity(withEmailAddress: email) { identity, error in
            completionHandler(identity.map { CKDiscoveredUserInfo($0) }, error)
        }
    }

    /// Finds the person with this user record; nil without an error if there is no match.
    @preconcurrency
    public func discoverUserInfo(
        withUserRecordID userRecordID: CKRecord.ID,
        completionHandler: @escaping @Sendable (CKDiscoveredUserInfo?, (any Error)?) -> Void
    ) {
        discoverUserIdentity(withUserRecordID: userRecordID) { identity, error in
            completionHandler(identity.map { CKDiscoveredUserInfo($0) }, error)
        }
    }
}
