/// A person's part in one share of a database, now or before it ended.
package struct ShareMembership: Hashable, Sendable {
    package var zone: String
    /// The id of the share in its store. A share that is created again under its name has another one.
    package var share: Int64
    /// The record name of the share.
    package var name: String
    /// Whether the share covers its whole zone.
    package var isZoneWide: Bool
    /// The number at which the person joined. All that the share covered then appears at this place in the
    /// person's feed.
    package var joined: Int64
    /// The number at which the share ended for the person; nil: the person is a member.
    package var left: Int64?
    /// Tokens from before this number are expired for the person: an earlier membership ended there, or
    /// changes that the person could have read were forgotten.
    package var horizon: Int64
    /// The number of the last change that the person may see.
    package var end: Int64

    package init(
        zone: String, share: Int64, name: String, isZoneWide: Bool, joined: Int64, left: Int64?,
        horizon: Int64, lastChange: Int64
    ) {
        self.zone = zone
        self.share = share
        self.name = name
        self.isZoneWide = isZoneWide
        self.joined = joined
        self.left = left
        self.horizon = horizon
        end = left ?? max(joined, lastChange)
    }
}

/// A record in the feed of a share.
package struct SharedRow: Hashable, Sendable {
    package var name: String
    /// The number of the record's last change under the share, or of its entering or leaving.
    package var sequence: Int64
    /// The number at which the record came under the share, the last time.
    package var entered: Int64
    /// Whether the record was deleted or left the share.
    package var isGone: Bool

    package init(name: String, sequence: Int64, entered: Int64, isGone: Bool) {
        self.name = name
        self.sequence = sequence
        self.entered = entered
        self.isGone = isGone
    }
}
