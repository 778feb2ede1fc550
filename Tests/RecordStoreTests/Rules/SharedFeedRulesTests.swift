import RecordStore
import Records
import Testing

@Suite("Rules of shared feeds")
struct SharedFeedRulesTests {
    /// A share that the reader has joined at the number `id`, and left at the number 9.
    private func ended(_ id: Int64) -> ShareMembership {
        ShareMembership(
            zone: "Z", share: id, name: "s\(id)", isZoneWide: false, joined: id, left: 9, horizon: 0,
            lastChange: 9)
    }

    /// The names in the pages of a reader of ended shares, each page with one change.
    private func pages(_ rows: [Int64: [SharedRow]]) throws -> [String] {
        var names: [String] = []
        var start = FeedPosition(database: 1, zone: 1, sequence: 4, feed: .shared)
        for _ in 1...9 {
            var feed = SharedFeed(
                rows.keys.sorted().map { ended($0) }, of: EndedShares(feeds: rows), after: start, limit: 1,
                maximumRows: 100)
            let (end, moreComing) = try feed.fill(limit: 1, bytes: 1000) { item in
                names.append((item.isDeletion ? "-" : "") + item.name)
                return 1
            }
            if !moreComing { break }
            start = start.after(end, moreComing: true, end: 9)
        }
        return names
    }

    @Test("A record that left two shares of a person with one change, at the same place, is deleted once")
    func samePlace() throws {
        let line = SharedRow(name: "line", sequence: 5, entered: 3, isGone: true)
        let other = SharedRow(name: "other", sequence: 6, entered: 3, isGone: true)
        #expect(try pages([1: [line], 2: [line]]) == ["-line"])
        #expect(try pages([1: [line, other], 2: [line]]) == ["-line", "-other"])
        #expect(try pages([1: [line], 2: [line, other], 3: [line]]) == ["-line", "-other"])
    }

    @Test("A record that left several shares of a person is deleted at the last place")
    func lastPlace() throws {
        let early = SharedRow(name: "line", sequence: 5, entered: 3, isGone: true)
        let other = SharedRow(name: "other", sequence: 6, entered: 3, isGone: true)
        let late = SharedRow(name: "line", sequence: 7, entered: 6, isGone: true)
        #expect(try pages([1: [early, other], 2: [late]]) == ["-other", "-line"])
        #expect(try pages([1: [late], 2: [early, other]]) == ["-other", "-line"])
    }
}

/// Shares that all ended, so that none covers a record.
private struct EndedShares: ShareReader {
    /// The rows of each share.
    var feeds: [Int64: [SharedRow]]

    func rows(of share: ShareMembership, after number: Int64, limit: Int) -> [SharedRow] {
        let found = (feeds[share.share] ?? []).filter { $0.sequence > number }
        return Array(found.sorted { $0.sequence < $1.sequence }.prefix(limit))
    }

    func row(of share: ShareMembership, named name: String) -> SharedRow? {
        feeds[share.share]?.first { $0.name == name }
    }

    func share(covering name: String) -> (id: Int64, name: String)? { nil }

    func hasRecord(_ name: String) -> Bool { false }
}
