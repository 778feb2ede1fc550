public import Foundation

/// Who may be invited.
public struct CKSharingParticipantAccessOption: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// The choices with those bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Anyone who has the link.
    public static var anyoneWithLink: CKSharingParticipantAccessOption { Self(rawValue: 1) }
    /// Invited people only.
    public static var specifiedRecipientsOnly: CKSharingParticipantAccessOption { Self(rawValue: 2) }
    /// Either.
    public static var any: CKSharingParticipantAccessOption { Self(rawValue: 3) }
}

/// What those who are invited may do.
public struct CKSharingParticipantPermissionOption: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// The choices with those bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Read.
    public static var readOnly: CKSharingParticipantPermissionOption { Self(rawValue: 1) }
    /// Read and change.
    public static var readWrite: CKSharingParticipantPermissionOption { Self(rawValue: 2) }
    /// Either.
    public static var any: CKSharingParticipantPermissionOption { Self(rawValue: 3) }
}

/// The choices that an app offers when people share.
// Sendable because the values lie behind a lock.
open class CKAllowedSharingOptions: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private struct Values: Codable {
        var permissions: UInt
        var access: UInt
        var allowsInvitations = false
        var allowsRequests = false
    }

    private let values: Locked<Values>

    /// Offers these choices.
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

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let values = Archive.read(Values.self, as: Self.archiveKey, from: coder) else { return nil }
        self.values = Locked(values)
    }

    /// All choices.
    open class var standard: CKAllowedSharingOptions {
        CKAllowedSharingOptions(
            allowedParticipantPermissionOptions: .any, allowedParticipantAccessOptions: .any)
    }

    /// What those who are invited may be allowed to do.
    open var allowedParticipantPermissionOptions: CKSharingParticipantPermissionOption {
        get { CKSharingParticipantPermissionOption(rawValue: values.withLock { $0.permissions }) }
        set { values.withLock { $0.permissions = newValue.rawValue } }
    }

    /// Who may be invited.
    open var allowedParticipantAccessOptions: CKSharingParticipantAccessOption {
        get { CKSharingParticipantAccessOption(rawValue: values.withLock { $0.access }) }
        set { values.withLock { $0.access = newValue.rawValue } }
    }

    /// Whether participants may be allowed to invite others; false at first.
    open var allowsParticipantsToInviteOthers: Bool {
        get { values.withLock { $0.allowsInvitations } }
        set { values.withLock { $0.allowsInvitations = newValue } }
    }

    /// Whether people may be allowed to ask for an invitation; false at first.
    open var allowsAccessRequests: Bool {
        get { values.withLock { $0.allowsRequests } }
        set { values.withLock { $0.allowsRequests = newValue } }
    }

    /// Independent options with the same choices.
    open func copy(with zone: NSZone? = nil) -> Any {
        CKAllowedSharingOptions(values.current)
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the choices under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(values.current, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKAllowedSharingOptions"
}

/// Hears what a system's sharing dialog does; there is none here, so nothing is ever heard.
// Sendable because the blocks lie behind a lock.
open class CKSystemSharingUIObserver: NSObject, @unchecked Sendable {
    private struct Blocks {
        var save: (@Sendable (_ recordID: CKRecord.ID, _ saveResult: Result<CKShare, any Error>) -> Void)?
        var stop: (@Sendable (_ recordID: CKRecord.ID, _ deleteResult: Result<Void, any Error>) -> Void)?
    }

    private let blocks = Locked(Blocks())

    /// An observer for that container.
    public init(container: CKContainer) {}

    /// Would hear that the dialog saved a share.
    @preconcurrency
    public var systemSharingUIDidSaveShareBlock:
        (@Sendable (_ recordID: CKRecord.ID, _ saveResult: Result<CKShare, any Error>) -> Void)?
    {
        get { blocks.withLock { $0.save } }
        set { blocks.withLock { $0.save = newValue } }
    }

    /// Would hear that the dialog ended a share.
    @preconcurrency
    public var systemSharingUIDidStopSharingBlock:
        (@Sendable (_ recordID: CKRecord.ID, _ deleteResult: Result<Void, any Error>) -> Void)?
    {
        get { blocks.withLock { $0.stop } }
        set { blocks.withLock { $0.stop = newValue } }
    }
}
