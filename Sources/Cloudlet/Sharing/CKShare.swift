public import Foundation

/// A share of a record hierarchy or of a whole zone.
///
/// A new share is saved in one batch with its root record. Afterwards it has a URL, with which the people in
/// `participants`, or everybody if `publicPermission` is set, accept it. The records then appear in their
/// shared databases.
///
/// ```swift
/// let share = CKShare(rootRecord: party)
/// share[CKShare.SystemFieldKey.title] = "Coffee"
/// share.publicPermission = .readOnly
/// try await database.modifyRecords(saving: [party, share], deleting: [])
/// ```
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckshare>.
// Sendable because the mutable state is behind a lock.
open class CKShare: CKRecord, @unchecked Sendable {
    let sharing: Locked<Sharing>

    /// Creates a share of a record and all records below it. Its ID has a new name in the record's zone. The
    /// initialiser also sets the record's `share`: save both in one batch.
    public convenience init(rootRecord: CKRecord) {
        // UUID(): CloudKit's interface gives each share a unique name that no caller provides.
        let name = "Share-" + UUID().uuidString
        self.init(
            rootRecord: rootRecord, shareID: CKRecordID(recordName: name, zoneID: rootRecord.recordID.zoneID))
    }

    /// Creates a share of a record and all records below it, with the given ID. The initialiser also sets the
    /// record's `share`: save both in one batch.
    public init(rootRecord: CKRecord, shareID: CKRecord.ID) {
        sharing = Locked(Sharing(root: rootRecord.recordID))
        super.init(state: State(type: CKRecord.SystemType.share, id: shareID))
        rootRecord.state.withLock { $0.share = CKReference(recordID: shareID, action: .none) }
    }

    /// Creates a share of all records of a zone.
    public init(recordZoneID: CKRecordZone.ID) {
        sharing = Locked(Sharing(root: nil))
        let id = CKRecordID(recordName: CKRecordNameZoneWideShare, zoneID: recordZoneID)
        super.init(state: State(type: CKRecord.SystemType.share, id: id))
    }

    /// Decodes an archive that `encode(with:)` or `encodeSystemFields(with:)` wrote; returns nil for any
    /// other data.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(ArchivedShare.self, as: ArchivedShare.archiveKey, from: coder) else {
            return nil
        }
        sharing = Locked(Sharing(plain))
        super.init(coder: coder)
    }

    init(state: State, sharing: Sharing) {
        self.sharing = Locked(sharing)
        super.init(state: state)
    }

    /// The access of people who follow the share's URL. The default, `.none`, restricts the share to invited
    /// people.
    ///
    /// Setting another permission removes the invitations that are pending. Setting `.none` removes all
    /// participants except the owner.
    open var publicPermission: CKShare.ParticipantPermission {
        get { sharing.withLock { $0.publicPermission } }
        set { sharing.withLock { $0.setPublicPermission(newValue) } }
    }

    /// The URL at which others accept the share; nil until the server has saved it.
    open var url: URL? { sharing.withLock { $0.url } }

    /// All participants, the owner first.
    open var participants: [CKShare.Participant] { sharing.withLock { $0.participants } }

    /// The owner of the shared records.
    open var owner: CKShare.Participant { sharing.withLock { $0.owner } }

    /// The participant who is signed in on this device; nil if that person does not take part.
    open var currentUserParticipant: CKShare.Participant? {
        sharing.withLock { sharing in
            sharing.participants.first {
                $0.userIdentity.userRecordID?.recordName == CKCurrentUserDefaultName
            }
        }
    }

    /// Adds a participant. If the person already takes part, it copies the role and permission to the
    /// existing participant.
    ///
    /// A share that is open to the public cannot have invitations, and a participant belongs to one share:
    /// otherwise saving the share fails.
    open func addParticipant(_ participant: CKShare.Participant) {
        let id = recordID
        sharing.withLock { $0.add(participant, to: id) }
    }

    /// Removes a participant. Removing the owner makes saving the share fail.
    open func removeParticipant(_ participant: CKShare.Participant) {
        sharing.withLock { $0.remove(participant) }
    }

    /// The one-time URL of a participant that was created with `oneTimeURLParticipant()`; nil until the
    /// server has saved the share.
    public func oneTimeURL(for participantID: CKShare.Participant.ID) -> URL? {
        sharing.withLock { $0.oneTimeURLs[participantID] }
    }

    /// Whether people without an invitation may request access; false by default.
    open var allowsAccessRequests: Bool {
        get { sharing.withLock { $0.allowsAccessRequests } }
        set { sharing.withLock { $0.allowsAccessRequests = newValue } }
    }

    /// The people who request access, as reported by the server.
    open var requesters: [CKShare.AccessRequester] { sharing.withLock { $0.requesters } }

    /// The people whose access requests are ignored.
    open var blockedIdentities: [CKShare.BlockedIdentity] { sharing.withLock { $0.blocked } }

    /// Denies access requests. It takes effect when the share is saved.
    open func denyRequesters(_ requesters: [CKShare.AccessRequester]) {
        sharing.withLock { $0.deny(requesters) }
    }

    /// Denies access requests, ignores further ones, and removes participants who are the same people. It
    /// takes effect when the share is saved.
    open func blockRequesters(_ requesters: [CKShare.AccessRequester]) {
        sharing.withLock { $0.block(requesters) }
    }

    /// Accepts access requests from these people again. It takes effect when the share is saved.
    open func unblockIdentities(_ blockedIdentities: [CKShare.BlockedIdentity]) {
        sharing.withLock { sharing in sharing.blocked.removeAll { blockedIdentities.contains($0) } }
    }

    /// Returns an independent share with the same participants, version and fields.
    open override func copy(with zone: NSZone? = nil) -> Any {
        CKShare(state: state.current, sharing: Sharing(ArchivedShare(sharing.current)))
    }

    /// Writes the complete share under keys of this class and its superclass.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        Archive.write(ArchivedShare(sharing.current), as: ArchivedShare.archiveKey, to: coder)
    }

    /// Writes everything except the fields.
    open override func encodeSystemFields(with coder: NSCoder) {
        super.encodeSystemFields(with: coder)
        Archive.write(ArchivedShare(sharing.current), as: ArchivedShare.archiveKey, to: coder)
    }
}
