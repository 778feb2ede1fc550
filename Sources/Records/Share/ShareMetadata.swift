/// What a person learns about a share from its short GUID.
package struct ShareMetadata: Hashable, Sendable {
    /// The owner's zone of the share.
    package var zone: ZoneID
    /// The share record with its terms.
    package var share: StoredRecord
    /// The root, if it was asked for and the share is not one of a whole zone.
    package var root: StoredRecord?
    /// The record name of the owner.
    package var owner: String
    package var ownerGivenName: String?
    package var ownerFamilyName: String?
    /// The caller's place in the share: the participant that the caller is, or becomes by accepting.
    package var participant: Participant

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
