public import Foundation

/// The description of a share that its URL leads to: its title, its owner, and the role of the signed-in
/// person.
///
/// Two objects are equal if they describe the same share.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckshare/metadata>.
// Sendable because every property is immutable and Sendable.
open class CKShareMetadata: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let container: String
    private let known: CKShare
    private let root: CKRecord?
    private let own: CKShareParticipant
    /// The URL by which the share was found. A one-time URL also identifies the invitation.
    let link: URL?

    /// Creates metadata from a server's answer.
    ///
    /// - Parameters:
    ///   - root: The root record, if it was requested.
    ///   - own: The person who sent the request.
    ///   - link: The URL by which the share was found; nil stands for the URL of the share.
    package init(
        containerIdentifier: String, share: CKShare, root: CKRecord?, own: CKShareParticipant,
        link: URL? = nil
    ) {
        container = containerIdentifier
        known = share
        self.root = root
        self.own = own
        self.link = link
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(ArchivedShareMetadata.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        container = plain.container
        known = CKShare(state: plain.share, sharing: CKShare.Sharing(plain.sharing))
        root = plain.root.map { CKRecord(state: $0) }
        own = CKShareParticipant(plain.own)
        link = plain.link
    }

    /// The identifier of the container in which to accept the share.
    open var containerIdentifier: String { container }

    /// The share.
    open var share: CKShare { known }

    /// The ID of the root record; nil for a share of a zone.
    open var hierarchicalRootRecordID: CKRecord.ID? { known.sharing.withLock { $0.root } }

    /// The role of the person who is signed in on this device.
    open var participantRole: CKShare.ParticipantRole { own.role }

    /// The answer to the invitation of the person who is signed in on this device.
    open var participantStatus: CKShare.ParticipantAcceptanceStatus { own.acceptanceStatus }

    /// The permission of the person who is signed in on this device.
    open var participantPermission: CKShare.ParticipantPermission { own.permission }

    /// The identity of the owner of the shared records.
    open var ownerIdentity: CKUserIdentity { known.owner.userIdentity }

    /// The root record, if the operation requested it.
    open var rootRecord: CKRecord? { root }

    /// The participant's role in the deprecated type.
    open var participantType: CKShare.ParticipantType { own.type }

    /// The ID of the root record; for a share of a zone, the ID of the share itself.
    open var rootRecordID: CKRecord.ID { hierarchicalRootRecordID ?? known.recordID }

    /// Equal if both describe the same share.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKShareMetadata else { return false }
        return other.container == container && other.known.recordID == known.recordID
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int { known.recordID.hash }

    /// The share, the container and the permission, for logs.
    open override var description: String {
        "<CKShareMetadata: \(known.recordID.recordName) in \(container), \(own.permission)>"
    }

    /// Returns the same object, because metadata is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes all properties under a key of this class, so that subclasses can add their own keys.
    open func encode(with coder: NSCoder) {
        let plain = ArchivedShareMetadata(
            container: container, share: known.state.current,
            sharing: ArchivedShare(known.sharing.current),
            root: root.map { $0.state.current }, own: own.state.current, link: link)
        Archive.write(plain, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKShareMetadata"
}

/// The archived form of metadata.
private struct ArchivedShareMetadata: Codable {
    var container: String
    var share: CKRecord.State
    var sharing: ArchivedShare
    var root: CKRecord.State?
    var own: ArchivedParticipant
    /// nil also in archives of earlier versions.
    var link: URL?
}
