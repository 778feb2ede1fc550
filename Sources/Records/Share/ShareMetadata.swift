/// The description of a share that the server returns for a short GUID.
package struct ShareMetadata: Hashable, Sendable {
    /// The zone that contains the share, in the owner's database.
    package var zone: ZoneID
    /// The share record with its terms.
    package var share: StoredRecord
    /// The root record; nil if the request did not ask for it, or if the share covers a whole zone.
    package var root: StoredRecord?
    /// The user record name of the owner.
    package var owner: String
    package var ownerGivenName: String?
    package var ownerFamilyName: String?
    /// The caller's participant, or the one that the caller will have after accepting.
    package var participant: Participant

    /// The caller's permission, or the one after accepting.
    package var permission: Participant.Permission {
        share.sharing?.terms?.grantedPermission(of: participant) ?? participant.permission
    }

    package init(
        zone: ZoneID, share: StoredRecord, root: StoredRecord? = nil, owner: String,
        ownerGivenName: String? = nil, ownerFamilyName: String? = nil, participant: Participant
    ) {
        self.zone = zone
        self.share = share
        self.root = root
        self.owner = owner
        self.ownerGivenName = ownerGivenName
        self.ownerFamilyName = ownerFamilyName
        self.participant = participant
    }
}
