package import Records

/// Asks for the changes of a zone since a token.
package struct ChangesRequest: Hashable, Sendable {
    package var zone: String
    /// nil asks for everything from the start.
    package var since: ChangeToken?
    /// 0 asks only whether there are any.
    package var limit: Int
    /// The bytes of fields with which a page ends before that.
    package var bytes: Int
    /// Newest change first.
    package var isReversed: Bool
    /// Who asks, to be told of its last batch in the zone.
    package var client: ClientID?
    /// Whether the next page is asked for with the same bounds, if at all, so that it may be read ahead.
    package var isFollowed = true

    package init(
        zone: String, since: ChangeToken? = nil, limit: Int, bytes: Int = .max, isReversed: Bool = false,
        client: ClientID? = nil
    ) {
        self.zone = zone
        self.since = since
        self.limit = limit
        self.bytes = bytes
        self.isReversed = isReversed
        self.client = client
    }
}
