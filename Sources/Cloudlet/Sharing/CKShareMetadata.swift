public import Foundation

/// A share as its URL tells it: what it is called, whose it is, and how one stands to it.
///
/// Two are equal when they are about the same share.
// Sendable because every property is constant and Sendable.
open class CKShareMetadata: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let container: String
    private let known: CKShare
    private let root: CKRecord?
    private let own: CKShareParticipant

    /// What a server says of a share.
    ///
    /// - Parameters:
    ///   - root: The record at the top, when it was asked for.
    ///   - own: The person who asks.
    package init(containerIdentifier: String, share: CKShare, root: CKRecord?, own: CKShareParticipant) {
        container = containerIdentifier
        known = share
        self.root = root
        self.own = own
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(PlainShareMetadata.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        container = plain.container
        known = CKShare(state: plain.share, sharing: CKShare.Sharing(plain.sharing))
        root = plain.root.map { CKRecord(state: $0) }
        own = CKShareParticipant(plain.own)
    }

    /// The container in which the share is to be accepted.
    open var containerIdentifier: String { container }

    /// The share.
    open var share: CKShare { known }

    /// The record at the top; nil for a share of a zone.
    open var hierarchicalRootRecordID: CKRecord.ID? { known.sharing.withLock { $0.root } }

    /// How the person of this device takes part.
    open var participantRole: CKShare.ParticipantRole { own.role }

    /// What the person of this device has said to the invitation.
    open var participantStatus: CKShare.ParticipantAcceptanceStatus { own.acceptanceStatus }

    /// What the person of this device may do.
    open var participantPermission: CKShare.ParticipantPermission { own.permission }

    /// Whose records they are.
    open var ownerIdentity: CKUserIdentity { known.owner.userIdentity }

    /// The record at the top, when the operation asked for it.
    open var rootRecord: CKRecord? { root }

    /// The older form of the role.
    open var participantType: CKShare.ParticipantType { own.type }

    /// The record at the top; the share itself for a share of a zone.
    open var rootRecordID: CKRecord.ID { hierarchicalRootRecordID ?? known.recordID }

    /// Equal when the share is the same.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKShareMetadata else { return false }
        return other.container == container && other.known.recordID == known.recordID
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int { known.recordID.hash }

    /// Container and share, for people.
    open override var description: String {
        "<CKShareMetadata: \(known.recordID.recordName) in \(container), \(own.permission)>"
    }

    /// Metadata does not change, so a copy is the same object.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes everything under a key of this class.
    open func encode(with coder: NSCoder) {
        let plain = PlainShareMetadata(
            container: container, share: known.state.current,
            sharing: PlainShare(known.sharing.current),
            root: root.map { $0.state.current }, own: own.state.current)
        Archive.write(plain, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKShareMetadata"
}

/// Metadata as archives hold it.
private struct PlainShareMetadata: Codable {
    var container: String
    var share: CKRecord.State
    var sharing: PlainShare
    var root: CKRecord.State?
    var own: PlainParticipant
}
