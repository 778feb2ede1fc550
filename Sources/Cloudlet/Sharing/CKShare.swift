public import Foundation

/// A share of a record and all below it, or of a whole zone.
///
/// People and permissions are kept and checked on this device. Saving one fails with
/// `CKError.serverRejectedRequest`, because servers do not share yet; what would be refused anyway is told
/// first, with its own code.
///
/// ```swift
/// let share = CKShare(rootRecord: party)
/// share[CKShare.SystemFieldKey.title] = "Coffee"
/// share.publicPermission = .readOnly
/// try await database.modifyRecords(saving: [party, share], deleting: [])
/// ```
// Sendable because the mutable state lies behind a lock.
open class CKShare: CKRecord, @unchecked Sendable {
    let sharing: Locked<Sharing>

    /// Shares that record and all below it, under a fresh name in its zone. The record's `share` is set at
    /// once; save both in one batch.
    public convenience init(rootRecord: CKRecord) {
        // UUID(): the interface makes every share's name unique without being given one.
        let name = "Share-" + UUID().uuidString
        self.init(
            rootRecord: rootRecord, shareID: CKRecordID(recordName: name, zoneID: rootRecord.recordID.zoneID))
    }

    /// Shares that record and all below it, under that ID. The record's `share` is set at once.
    public init(rootRecord: CKRecord, shareID: CKRecord.ID) {
        sharing = Locked(Sharing(root: rootRecord.recordID))
        super.init(state: State(type: CKRecord.SystemType.share, id: shareID))
        rootRecord.state.withLock { $0.share = CKReference(recordID: shareID, action: .none) }
    }

    /// Shares all records of that zone.
    public init(recordZoneID: CKRecordZone.ID) {
        sharing = Locked(Sharing(root: nil))
        let id = CKRecordID(recordName: CKRecordNameZoneWideShare, zoneID: recordZoneID)
        super.init(state: State(type: CKRecord.SystemType.share, id: id))
    }

    /// Reads an archive that `encode(with:)` or `encodeSystemFields(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(PlainShare.self, as: PlainShare.archiveKey, from: coder) else {
            return nil
        }
        sharing = Locked(Sharing(plain))
        super.init(coder: coder)
    }

    init(state: State, sharing: Sharing) {
        self.sharing = Locked(sharing)
        super.init(state: state)
    }

    /// What whoever follows the URL may do; `.none`, at first, means invited people only.
    ///
    /// Opening a share drops invitations that nobody has answered; closing it drops everybody but the owner.
    open var publicPermission: CKShare.ParticipantPermission {
        get { sharing.withLock { $0.publicPermission } }
        set { sharing.withLock { $0.open(newValue) } }
    }

    /// Where others accept the share; nil until the server has saved it.
    open var url: URL? { sharing.withLock { $0.url } }

    /// Everybody of the share, the owner first.
    open var participants: [CKShare.Participant] { sharing.withLock { $0.participants } }

    /// Whose records they are.
    open var owner: CKShare.Participant { sharing.withLock { $0.owner } }

    /// The person of this device; nil when they do not take part.
    open var currentUserParticipant: CKShare.Participant? {
        sharing.withLock { sharing in
            sharing.participants.first {
                $0.userIdentity.userRecordID?.recordName == CKCurrentUserDefaultName
            }
        }
    }

    /// Invites somebody, or gives the role and permission of the one given to whoever is the same person.
    ///
    /// Only a share that is closed to the public can invite; else saving it fails.
    open func addParticipant(_ participant: CKShare.Participant) {
        sharing.withLock { $0.add(participant) }
    }

    /// Takes somebody out. The owner stays: saving the share fails then.
    open func removeParticipant(_ participant: CKShare.Participant) {
        sharing.withLock { $0.remove(participant) }
    }

    /// The URL that only one person can follow, for a participant made with `oneTimeURLParticipant()`; nil
    /// until the server has saved the share.
    public func oneTimeURL(for participantID: CKShare.Participant.ID) -> URL? {
        sharing.withLock { $0.oneTimeURLs[participantID] }
    }

    /// Whether people without an invitation may ask for one; false at first.
    open var allowsAccessRequests: Bool {
        get { sharing.withLock { $0.allowsAccessRequests } }
        set { sharing.withLock { $0.allowsAccessRequests = newValue } }
    }

    /// Who asks to take part, as the server said.
    open var requesters: [CKShare.AccessRequester] { sharing.withLock { $0.requesters } }

    /// Whose requests are not heard.
    open var blockedIdentities: [CKShare.BlockedIdentity] { sharing.withLock { $0.blocked } }

    /// Refuses requests, when the share is saved.
    open func denyRequesters(_ requesters: [CKShare.AccessRequester]) {
        sharing.withLock { $0.deny(requesters) }
    }

    /// Refuses requests and hears none any more, when the share is saved. Whoever takes part is taken out.
    open func blockRequesters(_ requesters: [CKShare.AccessRequester]) {
        sharing.withLock { $0.block(requesters) }
    }

    /// Hears requests of these people again, when the share is saved.
    open func unblockIdentities(_ blockedIdentities: [CKShare.BlockedIdentity]) {
        sharing.withLock { sharing in sharing.blocked.removeAll { blockedIdentities.contains($0) } }
    }

    /// An independent share with the same people, version and fields.
    open override func copy(with zone: NSZone? = nil) -> Any {
        CKShare(state: state.current, sharing: Sharing(PlainShare(sharing.current)))
    }

    /// Writes the whole share under keys of this class and its superclass.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        Archive.write(PlainShare(sharing.current), as: PlainShare.archiveKey, to: coder)
    }

    /// Writes everything but the fields.
    open override func encodeSystemFields(with coder: NSCoder) {
        super.encodeSystemFields(with: coder)
        Archive.write(PlainShare(sharing.current), as: PlainShare.archiveKey, to: coder)
    }
}
