import Records
import Testing

@testable import CloudService

@Suite("The last requests")
struct RequestRingTests {
    private func request(
        _ operation: String, _ change: (inout LoggedRequest) -> Void = { _ in }
    ) -> LoggedRequest {
        var request = LoggedRequest(
            at: Timestamp(milliseconds: 1), operation: operation, client: "app", status: 200, microseconds: 5)
        request.database = .public
        change(&request)
        return request
    }

    @Test("The buffer keeps the newest requests, up to a number")
    func count() {
        var ring = RequestRing(count: 3, bytes: 10_000)
        #expect(ring.newest(10, RequestFilter()).isEmpty)
        for name in ["a", "b", "c", "d", "e"] { ring.add(request(name)) }
        #expect(ring.count == 3)
        #expect(ring.newest(10, RequestFilter()).map(\.operation) == ["e", "d", "c"])
        #expect(ring.newest(2, RequestFilter()).map(\.number) == [5, 4])
        #expect(ring.oldest(2, RequestFilter()).map(\.operation) == ["c", "d"])
    }

    @Test("The buffer keeps the newest requests, up to a number of bytes")
    func bytes() {
        var ring = RequestRing(count: 100, bytes: 30)
        // Each request has ten bytes of operation and three of client.
        for number in 0..<9 { ring.add(request("operation\(number)")) }
        #expect(ring.newest(10, RequestFilter()).map(\.operation) == ["operation8", "operation7"])
        #expect(ring.bytes == 26)
        ring.add(request(String(repeating: "x", count: 100)))
        #expect(ring.count == 1)
        ring.add(request("a"))
        #expect(ring.newest(10, RequestFilter()).map(\.operation) == ["a"])
        #expect(ring.bytes == 4)
    }

    @Test("Texts of clients are shortened, and the record names of one request are limited")
    func texts() {
        var ring = RequestRing(count: 2, bytes: 1_000_000)
        let long = String(repeating: "é", count: 1000)
        ring.add(
            request("a") {
                ($0.container, $0.person, $0.device, $0.reason) = (long, long, long, long)
                $0.recordNames = Array(repeating: long, count: 100)
            })
        #expect(ring.bytes < 4000)
    }

    @Test(
        "Requests to private and shared databases are kept without record data", arguments: [true, false])
    func privacy(isShared: Bool) throws {
        var ring = RequestRing(count: 2, bytes: 10_000)
        ring.add(
            request("records/modify") {
                $0.database = isShared ? .shared : .private
                ($0.requestBytes, $0.responseBytes, $0.reason) = (7, 8, "secret")
                ($0.recordNames, $0.errors, $0.person) = (["secret"], [.conflict], "_ann")
            })
        let kept = try #require(ring.newest(1, RequestFilter()).first)
        #expect(kept.requestBytes == nil && kept.responseBytes == nil && kept.reason == nil)
        #expect(kept.recordNames.isEmpty)
        #expect(kept.errors == [.conflict] && kept.person == "_ann")
    }

    private static let filters: [(String, @Sendable (inout RequestFilter) -> Void)] = [
        ("13", { $0.container = "iCloud.a" }), ("12", { $0.environment = .production }),
        ("2", { $0.operation = "records/modify" }), ("3", { $0.errors = [.conflict, .throttled] }),
        ("1", { $0.person = "_ann" }), ("2", { $0.device = "phone" }), ("3", { $0.recordName = "p2" }),
        ("23", { $0.after = 1 }), ("1", { $0.before = 2 }), ("", { $0.person = "_Ann" }),
        ("3", { ($0.container, $0.after) = ("iCloud.a", 1) }), ("123", { _ in }),
    ]

    @Test("A filter admits the requests that meet all of its conditions", arguments: filters.indices)
    func filter(index: Int) {
        var ring = RequestRing(count: 5, bytes: 10_000)
        ring.add(
            request("records/query") {
                ($0.container, $0.environment, $0.person) = ("iCloud.a", .production, "_ann")
            })
        ring.add(
            request("records/modify") {
                ($0.container, $0.environment, $0.device) = ("iCloud.b", .production, "phone")
            })
        ring.add(
            request("records/lookup") {
                ($0.container, $0.environment, $0.errors) = ("iCloud.a", .development, [.exists, .conflict])
                $0.recordNames = ["p1", "p2"]
            })
        var filter = RequestFilter()
        Self.filters[index].1(&filter)
        #expect(ring.oldest(10, filter).map { "\($0.number)" }.joined() == Self.filters[index].0)
    }
}
