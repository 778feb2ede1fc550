import RecordStore
import Records
import Testing

@Suite("Rules of shared feeds")
struct SharedFeedRulesTests {
    /// A share that the reader has joined at the number `id`.
    private func share(_ id: Int64, left: Int64? = 9) -> ShareMembership {
        ShareMembership(
            zone: "Z", share: id, name: "s\(id)", isZoneWide: false, joined: id, left: left, horizon: 0,
            lastChange: 9)
    }

    /// The names in the pages of a reader, each page with one change.
    private func pages(
        _ rows: [Int64: [SharedRow]], left: [Int64: Int64?] = [:], covered: [String: Int64] = [:],
        after first: FeedPosition = FeedPosition(database: 1, zone: 1, sequence: 4, feed: .shared)
    ) throws -> [String] {
        var names: [String] = []
        var start = first
        for _ in 1...9 {
            var feed = SharedFeed(
                rows.keys.sorted().map { share($0, left: left[$0] ?? 9) },
                of: Shares(feeds: rows, covered: covered), after: start, limit: 1, maximumRows: 100)
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

    @Test("A share that began and ended between two passes is on no page of the second")
    func missedShare() throws {
        func row(_ name: String, _ number: Int64) -> SharedRow {
            SharedRow(name: name, sequence: number, entered: 3, isGone: false)
        }
        let start = FeedPosition(
            database: 1, zone: 1, sequence: 4, feed: .shared, baseline: 4, row: .max, passEnd: 9)
        let rows: [Int64: [SharedRow]] = [1: [row("old", 3)], 2: [row("live", 7)], 6: [row("missed", 6)]]
        let names = try pages(rows, left: [1: 9, 2: nil, 6: 8], covered: ["live": 2], after: start)
        #expect(names == ["live", "-old"])
    }

    @Test("A token of version 3 is read without the end of its pass")
    func olderToken() throws {
        var position = FeedPosition(
            database: 1, zone: 2, sequence: 3, feed: .shared, baseline: 4, row: 5, passEnd: 6)
        #expect(try FeedPosition(position.token) == position)
        #expect(position.token.bytes.count == 58)
        position.passEnd = 0
        var older = [UInt8](position.token.bytes.dropLast(16))
        older[1] = 3
        older.append(bigEndian: Int64(bitPattern: FNV1a.hash(of: older)))
        #expect(try FeedPosition(ChangeToken(bytes: older)) == position)
    }
}

private struct Shares: ShareReader {
    /// The rows of each share.
    var feeds: [Int64: [SharedRow]]
    /// The shares that cover records, by the names of the records.
    var covered: [String: Int64]

    func rows(of share: ShareMembership, after number: Int64, limit: Int) -> [SharedRow] {
        let found = (feeds[share.share] ?? []).filter { $0.sequence > number }
        return Array(found.sorted { $0.sequence < $1.sequence }.prefix(limit))
    }

    func row(of share: ShareMembership, named name: String) -> SharedRow? {
        feeds[share.share]?.first { $0.name == name }
    }

    func share(covering name: String) -> (id: Int64, name: String)? {
        covered[name].map { ($0, "s\($0)") }
    }

    func hasRecord(_ name: String) -> Bool { false }
}
