public import Foundation

/// The groups of people who can be given access to a share.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/cksharingparticipantaccessoption>.
public struct CKSharingParticipantAccessOption: OptionSet, Sendable {
    /// The raw bits of the set.
    public let rawValue: UInt

    /// Creates a set with these raw bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Anyone who has the URL.
    public static var anyoneWithLink: CKSharingParticipantAccessOption { Self(rawValue: 1) }
    /// Invited people only.
    public static var specifiedRecipientsOnly: CKSharingParticipantAccessOption { Self(rawValue: 2) }
    /// Either of the two.
    public static var any: CKSharingParticipantAccessOption { Self(rawValue: 3) }
}

/// The permissions that invited people can be given.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/cksharingparticipantpermissionoption>.
public struct CKSharingParticipantPermissionOption: OptionSet, Sendable {
    /// The raw bits of the set.
    public let rawValue: UInt

    /// Creates a set with these raw bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Read only.
    public static var readOnly: CKSharingParticipantPermissionOption { Self(rawValue: 1) }
    /// Read and write.
    public static var readWrite: CKSharingParticipantPermissionOption { Self(rawValue: 2) }
    /// Either of the two.
    public static var any: CKSharingParticipantPermissionOption { Self(rawValue: 3) }
}

/// The options that an app offers when a person shares records.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckallowedsharingoptions>.
// Sendable because the values are behind a lock.
open class CKAllowedSharingOptions: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private struct Values: Codable {
        var permissions: UInt
        var access: UInt
        var allowsInvitations = false
        var allowsRequests = false
    }

    private let values: Locked<Values>

    /// Creates options with these choices.
    public init(
        allowedParticipantPermissionOptions: CKSharingParticipantPermissionOption,
        allowedParticipantAccessOptions: CKSharingParticipantAccessOption
    ) {
        values = Locked(
            Values(
                permissions: allowedParticipantPermissionOptions.rawValue,
                access: allowedParticipantAccessOptions.rawValue))
    }

    private init(_ values: Values) {
        self.values = Locked(values)
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        guard let values = Archive.read(Values.self, as: Self.archiveKey, from: coder) else { return nil }
        self.values = Locked(values)
    }

    /// Options with all choices.
    open class var standard: CKAllowedSharingOptions {
        CKAllowedSharingOptions(
            allowedParticipantPermissionOptions: .any, allowedParticipantAccessOptions: .any)
    }

    /// The permissions that invited people can be given.
    open var allowedParticipantPermissionOptions: CKSharingParticipantPermissionOption {
        get { CKSharingParticipantPermissionOption(rawValue: values.withLock { $0.permissions }) }
        set { values.withLock { $0.permissions = newValue.rawValue } }
    }

    /// The groups of people who can be given access.
    open var allowedParticipantAccessOptions: CKSharingParticipantAccessOption {
        get { CKSharingParticipantAccessOption(rawValue: values.withLock { $0.access }) }
        set { values.withLock { $0.access = newValue.rawValue } }
    }

    /// Whether participants can be allowed to invite others; false by default.
    open var allowsParticipantsToInviteOthers: Bool {
        get { values.withLock { $0.allowsInvitations } }
        set { values.withLock { $0.allowsInvitations = newValue } }
    }

    /// Whether people can be allowed to request access; false by default.
    open var allowsAccessRequests: Bool {
        get { values.withLock { $0.allowsRequests } }
        set { values.withLock { $0.allowsRequests = newValue } }
    }

    /// Returns an independent object with the same choices.
    open func copy(with zone: NSZone? = nil) -> Any {
        CKAllowedSharingOptions(values.current)
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the choices under a key of this class, so that subclasses can add their own keys.
    open func encode(with coder: NSCoder) {
        Archive.write(values.current, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKAllowedSharingOptions"
}

/// Observes the system's sharing dialog. Linux has no such dialog, so the blocks are never called.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/cksystemsharinguiobserver>.
// Sendable because the blocks are behind a lock.
open class CKSystemSharingUIObserver: NSObject, @unchecked Sendable {
    private struct Blocks {
        var save: (@Sendable (_ recordID: CKRecord.ID, _ saveResult: Result<CKShare, any Error>) -> Void)?
        var stop: (@Sendable (_ recordID: CKRecord.ID, _ deleteResult: Result<Void, any Error>) -> Void)?
    }

    private let blocks = Locked(Blocks())

    /// Creates an observer for this container.
    public init(container: CKContainer) {}

    /// A block for saved shares; never called.
    @preconcurrency
    public var systemSharingUIDidSaveShareBlock:
        (@Sendable (_ recordID: CKRecord.ID, _ saveResult: Result<CKShare, any Error>) -> Void)?
    {
        get { blocks.withLock { $0.save } }
        set { blocks.withLock { $0.save = newValue } }
    }

    /// A block for shares that were ended; never called.
    @preconcurrency
    public var systemSharingUIDidStopSharingBlock:
        (@Sendable (_ recordID: CKRecord.ID, _ deleteResult: Result<Void, any Error>) -> Void)?
    {
        get { blocks.withLock { $0.stop } }
        set { blocks.withLock { $0.stop = newValue } }
    }
}
