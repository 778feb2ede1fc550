public import Foundation

/// Somebody who agreed to be found, with first and last name; `CKUserIdentity` today.
// Sendable because every property is constant and Sendable.
@available(*, deprecated, renamed: "CKUserIdentity")
open class CKDiscoveredUserInfo: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let identity: CKUserIdentity

    init(_ identity: CKUserIdentity) {
        self.identity = identity
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let identity = CKUserIdentity(coder: coder) else { return nil }
        self.identity = identity
    }

    /// The person's user record.
    open var userRecordID: CKRecord.ID? { identity.userRecordID }

    /// The person's given name.
    open var firstName: String? { identity.nameComponents?.givenName }

    /// The person's family name.
    open var lastName: String? { identity.nameComponents?.familyName }

    /// Equal when everything in them is.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CKDiscoveredUserInfo)?.identity == identity
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int { identity.hash }

    /// What it says does not change, so a copy is the same object.
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
    /// Finds everybody of the device's address book who uses the app and agreed to be found.
    @preconcurrency
    public func discoverAllContactUserInfos(
        completionHandler: @escaping @Sendable ([CKDiscoveredUserInfo]?, (any Error)?) -> Void
    ) {
        discoverAllIdentities { identities, error in
            completionHandler(identities?.map { CKDiscoveredUserInfo($0) }, error)
        }
    }

    /// Finds whoever has that address; nil without an error when nobody is to be found.
    @preconcurrency
    public func discoverUserInfo(
        withEmailAddress email: String,
        completionHandler: @escaping @Sendable (CKDiscoveredUserInfo?, (any Error)?) -> Void
    ) {
        discoverUserIdentity(withEmailAddress: email) { identity, error in
            completionHandler(identity.map { CKDiscoveredUserInfo($0) }, error)
        }
    }

    /// Finds whoever has that user record; nil without an error when nobody is to be found.
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
