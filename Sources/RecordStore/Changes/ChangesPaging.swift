// Owns the rules of a feed's pages that all stores share.

package import Records

extension FeedPosition {
    /// The place from which a feed goes on, given where its memory of deletions begins and where it ends.
    ///
    /// Throws `badRequest` for a token of another feed, and `changeTokenExpired` for one that has not seen a
    /// forgotten deletion, or is of another database or zone: one that was there under the same name, say.
    package static func start(
        of feed: Feed, after token: ChangeToken?, database: Int64, zone: Int64, horizon: Int64, end: Int64,
        culprit: String
    ) throws(RecordError) -> FeedPosition {
        guard let token else {
            return FeedPosition(
                database: database, zone: zone, sequence: feed == .recordsReversed ? .max : 0, feed: feed,
                baseline: feed == .recordsReversed ? 0 : end
            )
        }
        let position = try FeedPosition(token)
        guard position.feed == feed else {
            throw RecordError(
                .badRequest, "Unknown sync continuation type", culprit: "syncToken",
                nextStep: "use a token with the feed, zone and direction it was given for"
            )
        }
        let isOfThisZone = position.database == database && position.zone == zone
        if isOfThisZone, feed == .recordsReversed { return position }
        let seen = max(position.sequence, position.baseline)
        guard isOfThisZone, seen <= end, seen >= horizon else {
            throw RecordError.changeTokenExpired(culprit)
        }
        return position
    }

    /// The place after a page that ends with a change, if it has one; the last page leads to the end.
    fileprivate func after(_ last: Int64?, moreComing: Bool, end: Int64) -> FeedPosition {
        var next = self
        next.sequence = last ?? sequence
        if !moreComing, feed != .recordsReversed { next.sequence = max(next.sequence, end) }
        return next
    }
}

extension ChangesRequest {
    /// The place after which (before which, in a reversed feed) the page begins.
    package func start(
        in database: Int64, zone: Int64, horizon: Int64, end: Int64
    ) throws(RecordError) -> FeedPosition {
        try FeedPosition.start(
            of: isReversed ? .recordsReversed : .records, after: since, database: database, zone: zone,
            horizon: horizon, end: end, culprit: self.zone
        )
    }
}

extension ZoneChangesPage {
    /// A page out of the changes that follow the start, in order, of which there may be more than fit.
    package init(taking changes: consuming [ZoneChange], limit: Int, start: FeedPosition, end: Int64) {
        let moreComing = changes.count > limit
        if moreComing { changes.removeLast(changes.count - limit) }
        let next = start.after(changes.last?.sequence, moreComing: moreComing, end: end)
        self.init(changes: changes, token: next.token, moreComing: moreComing)
    }
}

extension ChangesPage {
    /// A page of the changes that follow the start, in order.
    package init(
        _ changes: PackedChanges, moreComing: Bool, start: FeedPosition, end: Int64,
        lastBatch: ClientChange? = nil
    ) {
        let next = start.after(changes.lastSequence, moreComing: moreComing, end: end)
        let isForward = moreComing && next.feed == .records
        self.init(
            changes, token: next.token, moreComing: moreComing,
            remaining: isForward ? DatabaseEpoch.changes(after: next.sequence, upTo: end) : nil,
            lastBatch: lastBatch)
    }
}

extension RecordError {
    /// The error for a token that does not lead to what its holder has missed.
    package static func changeTokenExpired(_ culprit: String) -> RecordError {
        RecordError(
            .changeTokenExpired, "client knowledge differs from server knowledge", culprit: culprit,
            nextStep: "delete the local copy and fetch it from the start, without a token"
        )
    }
}
