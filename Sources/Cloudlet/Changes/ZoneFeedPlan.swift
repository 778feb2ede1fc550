internal import Records
internal import RecordsWire

/// The feeds of several zones, followed page by page in common round trips (law 1; talk 4, "Fetching
/// changes").
struct ZoneFeedPlan {
    /// The feed of one zone under the ID that the app gave it.
    struct Feed: Sendable {
        var zoneID: CKRecordZoneID
        var wish: ZoneFeed
    }

    /// What one answer brought for one zone.
    struct Page: Sendable {
        var zoneID: CKRecordZoneID
        var changes: [RecordAnswer] = []
        var end: End
        /// How many changes are to come at most, if the server says.
        var remaining: Int?
        /// The last batch of this device that the server took, if the server says.
        var lastBatch: ClientChange?
    }

    /// What comes after a page.
    enum End: Hashable, Sendable {
        /// Another page; all changes so far lie before the token.
        case more(ChangeToken)
        /// Nothing that this operation would ask for.
        case finished(ChangeToken, moreComing: Bool)
        case failed(RecordError)
    }

    /// The feeds that still have something to give, those that were asked last at the end.
    private(set) var open: [Feed]
    /// How many of them one request may ask for.
    let zonesPerRequest: Int
    /// Whether pages are asked for until the last.
    let fetchesAll: Bool

    /// A plan that asks for each zone once; of two wishes for one zone the first counts.
    init(_ feeds: [Feed], fetchesAll: Bool, zonesPerRequest: Int) {
        self.zonesPerRequest = max(1, zonesPerRequest)
        var seen: Set<CKRecordZoneID> = []
        open = feeds.filter { seen.insert($0.zoneID).inserted }
        self.fetchesAll = fetchesAll
    }

    /// The next question; nil when nothing is left to ask.
    var request: ChangesZoneRequest? {
        open.isEmpty ? nil : ChangesZoneRequest(asked.map(\.wish))
    }

    private var asked: ArraySlice<Feed> { open.prefix(zonesPerRequest) }

    /// Takes what the server said to the last request: one page for each zone, in the order asked.
    ///
    /// Throws `internalError` when the answer does not fit the question.
    mutating func take(_ answer: ChangesZoneAnswer) throws(RecordError) -> [Page] {
        guard answer.zones.count == asked.count else {
            throw RecordError(
                .internalError, "the server answered for \(answer.zones.count) of \(asked.count) zones")
        }
        // A zone may have to wait while others take the room there is in an answer, but not all of them.
        let waiting = zip(asked, answer.zones).map { $0.waits(after: $1) }
        let standsStill = !waiting.contains(false)
        var starved: [Feed] = []
        var remaining: [Feed] = []
        var pages: [Page] = []
        for ((feed, found), waits) in zip(zip(asked, answer.zones), waiting) {
            switch found {
            case .failure(_, let error): pages.append(Page(zoneID: feed.zoneID, end: .failed(error)))
            case .page(let page):
                let end = end(of: page, standsStill: standsStill)
                pages.append(
                    Page(
                        zoneID: feed.zoneID, changes: page.records, end: end, remaining: page.remaining,
                        lastBatch: page.lastBatch))
                guard case .more(let token) = end else { continue }
                var next = feed
                next.wish.token = token
                if waits { starved.append(next) } else { remaining.append(next) }
            }
        }
        open = starved + open.dropFirst(zonesPerRequest) + remaining
        return pages
    }

    private func end(of page: ChangesZoneAnswer.Page, standsStill: Bool) -> End {
        guard page.moreComing, fetchesAll else {
            return .finished(page.token, moreComing: page.moreComing)
        }
        if standsStill {
            return .failed(RecordError(.internalError, "the feed of the zone does not move on"))
        }
        return .more(page.token)
    }
}

extension ZoneFeedPlan.Feed {
    /// Whether the answer brought nothing but the promise of more.
    fileprivate func waits(after answer: ChangesZoneAnswer.Feed) -> Bool {
        guard case .page(let page) = answer else { return false }
        return page.moreComing && page.token == wish.token
    }
}
