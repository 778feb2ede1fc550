internal import Records
internal import RecordsWire

/// Plans which zones to ask for in each round trip, and follows each zone's changes page by page.
struct ZoneFeedPlan {
    /// One zone's feed. It keeps the ID object that the app passed, to report results under it.
    struct Feed: Sendable {
        var zoneID: CKRecordZoneID
        var request: ZoneFeed
    }

    /// The changes of one zone in one answer.
    struct Page: Sendable {
        var zoneID: CKRecordZoneID
        var changes: [RecordAnswer] = []
        var end: End
        /// An upper bound of the changes that follow; nil if the server does not report it.
        var remaining: Int?
        /// The last batch of this device that the server accepted; nil if the server does not report it.
        var lastBatch: ClientChange?
    }

    /// The state of a zone after a page.
    enum End: Hashable, Sendable {
        /// Another page follows. The token covers all changes so far.
        case more(ChangeToken)
        /// The plan will not ask for this zone again. `moreComing` says whether the server has more.
        case finished(ChangeToken, moreComing: Bool)
        case failed(RecordError)
    }

    /// The zones that are not finished. Of those in the last request, the ones that made progress move to the
    /// end, and the others are first in the next request.
    private(set) var open: [Feed]
    /// How many zones one request may name.
    let zonesPerRequest: Int
    /// Whether to continue until the last page of each zone.
    let fetchesAll: Bool

    /// Creates a plan that asks for each zone once. If a zone occurs twice, the first occurrence counts.
    init(_ feeds: [Feed], fetchesAll: Bool, zonesPerRequest: Int) {
        self.zonesPerRequest = max(1, zonesPerRequest)
        var seen: Set<CKRecordZoneID> = []
        open = feeds.filter { seen.insert($0.zoneID).inserted }
        self.fetchesAll = fetchesAll
    }

    /// The next request; nil if all zones are finished.
    var request: ChangesZoneRequest? {
        open.isEmpty ? nil : ChangesZoneRequest(requested.map(\.request))
    }

    private var requested: ArraySlice<Feed> { open.prefix(zonesPerRequest) }

    /// Processes the answer to the last request: one page per zone, in the order of the request.
    ///
    /// - Throws: `internalError` if the answer does not have one entry per requested zone.
    mutating func take(_ answer: ChangesZoneAnswer) throws(RecordError) -> [Page] {
        guard answer.zones.count == requested.count else {
            throw RecordError(
                .internalError, "the server answered for \(answer.zones.count) of \(requested.count) zones")
        }
        // An answer may have no room for a zone because other zones filled it. If no zone advances, the feed
        // is stuck.
        let waiting = zip(requested, answer.zones).map { $0.waits(after: $1) }
        let hasNoProgress = !waiting.contains(false)
        var waitingFeeds: [Feed] = []
        var remaining: [Feed] = []
        var pages: [Page] = []
        for ((feed, found), waits) in zip(zip(requested, answer.zones), waiting) {
            switch found {
            case .failure(_, let error): pages.append(Page(zoneID: feed.zoneID, end: .failed(error)))
            case .page(let page):
                let end = end(of: page, hasNoProgress: hasNoProgress)
                pages.append(
                    Page(
                        zoneID: feed.zoneID, changes: page.records, end: end, remaining: page.remaining,
                        lastBatch: page.lastBatch))
                guard case .more(let token) = end else { continue }
                var next = feed
                next.request.token = token
                if waits { waitingFeeds.append(next) } else { remaining.append(next) }
            }
        }
        open = waitingFeeds + open.dropFirst(zonesPerRequest) + remaining
        return pages
    }

    private func end(of page: ChangesZoneAnswer.Page, hasNoProgress: Bool) -> End {
        guard page.moreComing, fetchesAll else {
            return .finished(page.token, moreComing: page.moreComing)
        }
        if hasNoProgress {
            return .failed(RecordError(.internalError, "the change feed of the zone makes no progress"))
        }
        return .more(page.token)
    }
}

extension ZoneFeedPlan.Feed {
    /// Whether the answer has no progress for this zone: more is coming, but the token is unchanged.
    fileprivate func waits(after answer: ChangesZoneAnswer.Feed) -> Bool {
        guard case .page(let page) = answer else { return false }
        return page.moreComing && page.token == request.token
    }
}
