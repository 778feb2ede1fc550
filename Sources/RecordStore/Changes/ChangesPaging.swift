package import Records

extension FeedPosition {
    /// Returns the position at which a page begins.
    ///
    /// - Parameters:
    ///   - horizon: the number of the last forgotten deletion.
    ///   - end: the number of the last change.
    ///
    /// Throws `badRequest` for a token of another kind of feed. Throws `changeTokenExpired` for a token from
    /// before a forgotten deletion, and for one of another database or zone, such as an earlier one with the
    /// same name.
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
                nextStep: "use a token only with the feed, zone and direction for which it was returned"
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

    /// Returns the position after a page. After the last page, it is the end of the feed.
    ///
    /// - Parameter last: the number of the page's last change; nil for an empty page.
    fileprivate func after(_ last: Int64?, moreComing: Bool, end: Int64) -> FeedPosition {
        var next = self
        next.sequence = last ?? sequence
        if !moreComing, feed != .recordsReversed { next.sequence = max(next.sequence, end) }
        return next
    }
}

extension ChangesRequest {
    /// Returns the position after which the page begins; in a reversed feed, before which it begins.
    package func start(
        in database: Int64, zone: Int64, horizon: Int64, end: Int64
    ) throws(RecordError) -> FeedPosition {
        try FeedPosition.start(
            of: isReversed ? .recordsReversed : .records, after: since, database: database, zone: zone,
            horizon: horizon, end: end, culprit: self.zone
        )
    }
}

extension ZoneChange {
    /// The change that a row of a feed describes.
    ///
    /// - Parameters:
    ///   - id: the zone's number in its database; 0 if the zone was deleted.
    ///   - sequence: the number of the change.
    ///   - reason: for a deleted zone, the raw value of the reason of its deletion.
    ///   - identity: that of the database.
    package init(zone id: Int64, named name: String, sequence: Int64, reason: Int64, identity: Int64) {
        if id == 0 {
            let reason = ZoneDeletionReason(rawValue: UInt8(clamping: reason)) ?? .deleted
            self = .deleted(ZoneID(name: name), reason, sequence: sequence)
        } else {
            let zone = Zone(named: name, id: id, sequence: sequence, identity: identity)
            self = .changed(zone, sequence: sequence)
        }
    }
}

extension ZoneChangesPage {
    /// A page of the changes that follow `start`, in order. `changes` may have more than `limit` elements.
    package init(taking changes: consuming [ZoneChange], limit: Int, start: FeedPosition, end: Int64) {
        let moreComing = changes.count > limit
        if moreComing { changes.removeLast(changes.count - limit) }
        let next = start.after(changes.last?.sequence, moreComing: moreComing, end: end)
        self.init(changes: changes, token: next.token, moreComing: moreComing)
    }
}

extension ChangesPage {
    /// A page of the changes that follow `start`, in order.
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
    /// The error for a token after which some changes are no longer stored.
    package static func changeTokenExpired(_ culprit: String) -> RecordError {
        RecordError(
            .changeTokenExpired, "client knowledge differs from server knowledge", culprit: culprit,
            nextStep: "delete the local copy and fetch it from the start, without a token"
        )
    }
}
