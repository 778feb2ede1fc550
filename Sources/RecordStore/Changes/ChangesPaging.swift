// Owns the rules of a feed's pages that all stores share.

package import Records

extension Change {
    /// The number of the change.
    package var sequence: Int64 {
        switch self {
        case .saved(let record): record.sequence
        case .deleted(_, _, let sequence): sequence
        }
    }
}

extension ChangesRequest {
    /// The number after which (before which, in a reversed feed) the page begins.
    ///
    /// Throws `badRequest` for a token of another kind, database, or direction, and `changeTokenExpired` for one
    /// of a zone that has been deleted and created again.
    package func start(in database: Int64, zone: Int64, end: Int64) throws(RecordError) -> Int64 {
        guard let since else { return isReversed ? .max : 0 }
        let position = try FeedPosition(since)
        guard position.database == database, position.isReversed == isReversed else {
            throw RecordError(
                .badRequest, "Unknown sync continuation type", culprit: "syncToken",
                nextStep: "use a token with the zone and direction it was given for"
            )
        }
        guard position.zone == zone, isReversed || position.sequence <= end else {
            throw RecordError(
                .changeTokenExpired, "client knowledge differs from server knowledge", culprit: self.zone,
                nextStep: "drop what you keep of this zone and fetch it from the start, without a token"
            )
        }
        return position.sequence
    }
}

extension ChangesPage {
    /// A page out of the changes that follow the start, in order, of which there may be more than fit.
    package init(
        taking changes: [Change], _ request: ChangesRequest, start: Int64, end: Int64, database: Int64, zone: Int64
    ) {
        let page = Array(changes.prefix(request.limit))
        let moreComing = changes.count > request.limit
        var sequence = page.last?.sequence ?? start
        if !moreComing, !request.isReversed { sequence = max(sequence, end) }
        let position = FeedPosition(
            database: database, zone: zone, sequence: sequence, isReversed: request.isReversed
        )
        self.init(changes: page, token: position.token, moreComing: moreComing)
    }
}
