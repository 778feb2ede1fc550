// Owns the rules of a feed's pages that all stores share.

package import Records

extension FeedPosition {
    /// The number from which a feed goes on, given where its memory of deletions begins and where it ends.
    ///
    /// Throws `badRequest` for a token of another feed or database, and `changeTokenExpired` for one that has
    /// not seen a forgotten deletion, or is of a zone that has been deleted and created again.
    package static func start(
        of feed: Feed, after token: ChangeToken?, database: Int64, zone: Int64, horizon: Int64, end: Int64,
        culprit: String
    ) throws(RecordError) -> Int64 {
        guard let token else { return feed == .recordsReversed ? .max : 0 }
        let position = try FeedPosition(token)
        guard position.database == database, position.feed == feed else {
            throw RecordError(
                .badRequest, "Unknown sync continuation type", culprit: "syncToken",
                nextStep: "use a token with the feed, zone and direction it was given for"
            )
        }
        if feed == .recordsReversed, position.zone == zone { return position.sequence }
        guard position.zone == zone, position.sequence <= end, position.sequence >= horizon else {
            throw RecordError(
                .changeTokenExpired, "client knowledge differs from server knowledge", culprit: culprit,
                nextStep: "drop what you keep of it and fetch it from the start, without a token"
            )
        }
        return position.sequence
    }
}

extension ChangesRequest {
    /// The number after which (before which, in a reversed feed) the page begins.
    package func start(
        in database: Int64, zone: Int64, horizon: Int64, end: Int64
    ) throws(RecordError) -> Int64 {
        try FeedPosition.start(
            of: isReversed ? .recordsReversed : .records, after: since, database: database, zone: zone,
            horizon: horizon, end: end, culprit: self.zone
        )
    }
}

extension ZoneChangesPage {
    /// A page out of the changes that follow the start, in order, of which there may be more than fit.
    package init(taking changes: [ZoneChange], limit: Int, end: Int64, database: Int64) {
        let page = Array(changes.prefix(limit))
        let moreComing = changes.count > limit
        let sequence = moreComing ? page.last?.sequence ?? end : end
        let position = FeedPosition(database: database, zone: 0, sequence: sequence, feed: .zones)
        self.init(changes: page, token: position.token, moreComing: moreComing)
    }
}

extension ChangesPage {
    /// A page out of the changes that follow the start, in order, of which there may be more than fit.
    package init(
        taking changes: [Change], _ request: ChangesRequest, start: Int64, end: Int64, database: Int64,
        zone: Int64
    ) {
        let page = Array(changes.prefix(request.limit))
        let moreComing = changes.count > request.limit
        var sequence = page.last?.sequence ?? start
        if !moreComing, !request.isReversed { sequence = max(sequence, end) }
        let position = FeedPosition(
            database: database, zone: zone, sequence: sequence,
            feed: request.isReversed ? .recordsReversed : .records
        )
        self.init(changes: page, token: position.token, moreComing: moreComing)
    }
}
