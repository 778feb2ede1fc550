package import Records

/// Merges the feeds of a person's shares in one zone.
///
/// The position of a row is `max(number, joined)`, so that all records of a share that a person joins later
/// appear after an older token. The rows of a share that ended for the person appear as deletions at the
/// number of leaving. Rows at the same place follow one another by their own numbers.
package struct SharedFeed {
    /// A change for the reader: a record that is visible now, or a deletion.
    package struct Item: Hashable, Sendable {
        package var name: String
        package var isDeletion: Bool
        /// Its place in the feed. For a deletion, the position is also the sequence number.
        package var place: RowPosition
        /// The number of the last change of the record that the reader may know of. A record that was created
        /// after it under the same name is another one.
        package var known: Int64 { min(place.row, place.position) }
    }

    package struct RowPosition: Hashable, Comparable, Sendable {
        package var position: Int64
        package var row: Int64

        package static func < (a: RowPosition, b: RowPosition) -> Bool {
            (a.position, a.row) < (b.position, b.row)
        }
    }

    private var sources: [Source] = []
    private let reader: any ShareReader
    /// The shares of which the person is a member.
    private let current: Set<Int64>
    /// Whether one of them covers the whole zone.
    private let isWide: Bool
    private let chunk: Int
    /// The place of the last row that was read.
    private var place: RowPosition
    /// How many more rows may be read.
    private var rowsLeft: Int

    private struct Source {
        var share: ShareMembership
        var after: Int64
        var rows: ArraySlice<SharedRow> = []
        var isAtEnd = false

        func place(of row: SharedRow) -> RowPosition {
            RowPosition(position: share.left ?? max(row.sequence, share.joined), row: row.sequence)
        }

        /// Whether the person could see the record: not if it was gone before the person joined, or came in
        /// after the person left.
        func concernsReader(_ row: SharedRow) -> Bool {
            if row.isGone, row.sequence <= share.joined { return false }
            return share.left.map { row.entered <= $0 } ?? true
        }
    }

    /// - Parameters:
    ///   - memberships: those of the person in the zone, including ended ones.
    ///   - reader: reads the shares of the zone.
    ///   - limit: about how many rows are read at once from each share.
    ///   - maximumRows: the number of rows after which a page ends, with or without changes.
    package init(
        _ memberships: [ShareMembership], of reader: any ShareReader, after start: FeedPosition, limit: Int,
        maximumRows: Int
    ) {
        self.reader = reader
        let current = memberships.filter { $0.left == nil }
        self.current = Set(current.map(\.share))
        isWide = current.contains(where: \.isZoneWide)
        rowsLeft = max(1, maximumRows)
        chunk = max(1, min(limit, 256)) + 1
        let place = RowPosition(position: start.sequence, row: start.row)
        self.place = place
        sources = memberships.compactMap { share in
            Self.first(of: share, after: start).map { Source(share: share, after: $0) }
        }
    }

    /// The number after which the rows of a share begin for a reader at `start`; nil if the share has nothing
    /// for the reader.
    private static func first(of share: ShareMembership, after start: FeedPosition) -> Int64? {
        guard let left = share.left else {
            if share.joined > start.sequence { return 0 }
            return share.joined == start.sequence ? min(start.row, share.joined) : start.sequence
        }
        // The reader was told that the share had ended, or began after that without records.
        if left <= start.baseline || start.sequence > left { return nil }
        // The reader has seen nothing of the share, or its tokens from that time are expired. A share that
        // began and ended between two passes was not seen, on every page of the second pass.
        let wasMissed = share.joined > start.baseline && left <= start.passEnd
        if share.joined > start.sequence || wasMissed || share.isZoneWide { return nil }
        return start.sequence == left ? start.row : 0
    }

    private enum Step {
        case item(Item)
        /// The maximum number of rows for a page was read.
        case pause
        case end
    }

    /// Returns the next change.
    private mutating func next() throws -> Step {
        while let index = try nextSource() {
            if rowsLeft == 0 { return .pause }
            guard let row = sources[index].rows.popFirst() else { break }
            rowsLeft -= 1
            let source = sources[index]
            place = source.place(of: row)
            guard source.concernsReader(row) else { continue }
            let isDeletion = row.isGone || source.share.left != nil
            // A record that left one share for another share of the person is not deleted for the person.
            let name = row.name
            if isDeletion, try isVisible(name) || isDeletedElsewhere(name, besides: index) { continue }
            return .item(Item(name: name, isDeletion: isDeletion, place: place))
        }
        return .end
    }

    /// Whether a share of which the person is a member covers the record.
    private func isVisible(_ name: String) throws -> Bool {
        if isWide { return try reader.hasRecord(name) }
        return try reader.share(covering: name).map { current.contains($0.id) } ?? false
    }

    /// Whether the deletion of the record is reported with the row of another share: at a later place, or at
    /// the same place with a row that was read before. A record can have left several shares of the person,
    /// two of them with one change, and is deleted once.
    private func isDeletedElsewhere(_ name: String, besides index: Int) throws -> Bool {
        for other in sources.indices where other != index {
            guard let row = try reader.row(of: sources[other].share, named: name),
                sources[other].concernsReader(row)
            else { continue }
            let there = sources[other].place(of: row)
            if there > place || there == place && other < index { return true }
        }
        return false
    }

    /// Returns the index of the source with the lowest row; nil if all are at their end.
    private mutating func nextSource() throws -> Int? {
        var best: (index: Int, place: RowPosition)?
        for index in sources.indices {
            if sources[index].rows.isEmpty, !sources[index].isAtEnd {
                let source = sources[index]
                let page = try reader.rows(of: source.share, after: source.after, limit: chunk)
                sources[index].rows = page[...]
                sources[index].isAtEnd = page.count < chunk
                sources[index].after = page.last?.sequence ?? source.after
            }
            guard let row = sources[index].rows.first else { continue }
            let place = sources[index].place(of: row)
            if best.map({ place < $0.place }) ?? true { best = (index, place) }
        }
        return best?.index
    }

    /// Fills a page. `add` adds a change to it and returns its bytes.
    ///
    /// Rows that are no changes for the reader cost as much as changes. So the page also ends after the
    /// maximum number of rows, even if it is still empty.
    ///
    /// - Returns: the place after the page, and whether more changes may follow.
    package mutating func fill(
        limit: Int, bytes: Int, add: (Item) throws -> Int
    ) throws -> (end: RowPosition, moreComing: Bool) {
        var gauge = PageGauge(limit: limit, bytes: bytes)
        var end = place
        while true {
            switch try next() {
            case .end: return (place, false)
            case .pause: return (place, true)
            // The next change was read, so more is coming: rows alone may be no changes for the reader.
            case .item where gauge.isFull: return (end, true)
            case .item(let item):
                gauge.take(bytes: try add(item))
                end = item.place
            }
        }
    }
}

extension ChangesRequest {
    /// Returns a page of what a person may see of a zone through shares. Throws the errors of `sharedStart`.
    ///
    /// - Parameters:
    ///   - memberships: those of the person in the zone, including ended ones.
    ///   - zone: the id of the zone, the number of its last change (`end`) and of its last forgotten deletion
    ///     (`horizon`).
    ///   - reader: reads the shares of the zone.
    ///   - lastBatch: the last batch of the device that asks.
    ///   - add: adds a change to the page, and returns its bytes.
    package func sharedPage(
        of memberships: [ShareMembership], in database: Int64, zone: (id: Int64, end: Int64, horizon: Int64),
        from reader: any ShareReader, lastBatch: ClientChange?,
        add: (SharedFeed.Item, inout PackedChanges) throws -> Int
    ) throws -> ChangesPage {
        let isWide = memberships.contains { $0.isZoneWide && $0.left == nil }
        let start = try sharedStart(
            of: memberships, in: database, zone: zone.id, horizon: isWide ? zone.horizon : 0,
            zoneEnd: zone.end)
        var feed = SharedFeed(memberships, of: reader, after: start, limit: limit, maximumRows: sharedRows)
        var changes = PackedChanges(zone: ZoneID(name: self.zone), .shared)
        let (reached, moreComing) = try feed.fill(limit: limit, bytes: bytes) { try add($0, &changes) }
        let last = memberships.map(\.end).max() ?? 0
        return ChangesPage(
            changes, token: start.after(reached, moreComing: moreComing, end: last).token,
            moreComing: moreComing, lastBatch: lastBatch)
    }

    /// Returns the position at which a page of a person's shares begins.
    ///
    /// Throws `zoneNotFound` if the person is a member of no share in the zone, `badRequest` for a token of
    /// another feed and for a reversed feed, and `changeTokenExpired`.
    ///
    /// - Parameters:
    ///   - memberships: those of the person in the zone, including ended ones.
    ///   - horizon: for a member of a share of the whole zone, the number of the zone's last forgotten
    ///     deletion; otherwise 0. For other shares, the memberships contain the last forgotten deletion.
    ///   - zoneEnd: the number of the zone's last change. It never gets into a token; the horizon does.
    package func sharedStart(
        of memberships: [ShareMembership], in database: Int64, zone: Int64, horizon: Int64, zoneEnd: Int64
    ) throws(RecordError) -> FeedPosition {
        guard memberships.contains(where: { $0.left == nil }) else {
            throw RecordError.zoneNotFound(self.zone)
        }
        if isReversed {
            throw RecordError(
                .badRequest, "the feed of a shared zone cannot be reversed", culprit: self.zone,
                nextStep: "read it forward")
        }
        let end = memberships.map(\.end).max() ?? 0
        let lost = memberships.map { share in
            // A zone-wide share has no rows, so it is not known which records its former reader has seen.
            max(share.horizon, share.isZoneWide ? share.left ?? 0 : 0)
        }
        let horizon = max(horizon, lost.max() ?? 0)
        guard let since else {
            // Rows may have been forgotten since the last change that the person sees. A reader that begins
            // now has missed none of them.
            return FeedPosition(
                database: database, zone: zone, sequence: 0, feed: .shared, baseline: max(end, horizon),
                passEnd: end)
        }
        var position = try FeedPosition(since)
        guard position.feed == .shared else {
            throw RecordError(
                .badRequest, "Unknown sync continuation type", culprit: "syncToken",
                nextStep: "use a token only with the feed, zone and direction for which it was returned")
        }
        var seen = position.sequence
        // The reader is among the rows of a share that ended for it, which have lower numbers. The membership
        // is missing if they were forgotten.
        if position.row < seen, seen == horizon || memberships.contains(where: { $0.left == seen }) {
            seen = position.row
        }
        guard position.database == database, position.zone == zone, position.sequence <= zoneEnd,
            position.baseline <= zoneEnd, position.passEnd <= zoneEnd, max(seen, position.baseline) >= horizon
        else { throw RecordError.changeTokenExpired(self.zone) }
        if position.passEnd == 0 { position.passEnd = end }
        return position
    }
}

extension FeedPosition {
    /// Returns the position after a page of a person's shares, whose last visible change has the number
    /// `end`. After the last page nothing at that number is left to read, also if rows of an ended share
    /// change.
    package func after(_ place: SharedFeed.RowPosition, moreComing: Bool, end: Int64) -> FeedPosition {
        var next = self
        next.sequence = place.position
        next.row = place.row
        if !moreComing {
            next.sequence = max(place.position, end)
            next.row = .max
            next.passEnd = 0
            next.baseline = max(baseline, end)
        }
        return next
    }
}
