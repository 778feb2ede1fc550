import Foundation
import Records
import Testing

@testable import Cloudlet
@testable import RecordsWire

@Suite("Feed plans, request gates and timeouts")
struct FeedPlanTests {
    private static let first = CKRecordZone.ID(zoneName: "A")
    private static let second = CKRecordZone.ID(zoneName: "B")

    private func token(_ number: UInt8) -> ChangeToken { ChangeToken(bytes: [number]) }

    private func page(_ name: String, _ number: UInt8, more: Bool) -> ChangesZoneAnswer.Feed {
        .page(.init(zone: ZoneID(name: name), records: [], token: token(number), moreComing: more))
    }

    private func answer(_ feeds: [ChangesZoneAnswer.Feed]) throws -> ChangesZoneAnswer {
        var answer = try ChangesZoneAnswer(bytes: Array(#"{"zones":[]}"#.utf8))
        answer.zones = feeds
        return answer
    }

    private func plan(fetchesAll: Bool = true) -> ZoneFeedPlan {
        ZoneFeedPlan(
            [
                .init(Self.first, .init()), .init(Self.second, .init(resultsLimit: 3)),
                .init(Self.first, .init()),
            ],
            fetchesAll: fetchesAll, zonesPerRequest: 10)
    }

    @Test("Zones with more changes share the next request, each with the token of its last page")
    func pages() throws {
        var plan = plan()
        #expect(plan.request?.zones.map(\.zone.name) == ["A", "B"])
        #expect(plan.request?.zones.map(\.resultsLimit) == [nil, 3])
        let first = try plan.take(answer([page("A", 1, more: true), page("B", 2, more: true)]))
        #expect(first.map(\.end) == [.more(token(1)), .more(token(2))])
        #expect(plan.request?.zones.map(\.token) == [token(1), token(2)])
        let second = try plan.take(answer([page("A", 3, more: false), page("B", 4, more: true)]))
        #expect(second.map(\.end) == [.finished(token(3), moreComing: false), .more(token(4))])
        #expect(plan.request?.zones.map(\.zone.name) == ["B"])
        _ = try plan.take(answer([page("B", 5, more: false)]))
        #expect(plan.request == nil)
    }

    @Test("If fetchesAll is false, each zone gets one page")
    func onePage() throws {
        var plan = plan(fetchesAll: false)
        let pages = try plan.take(answer([page("A", 1, more: true), page("B", 2, more: false)]))
        #expect(
            pages.map(\.end) == [
                .finished(token(1), moreComing: true), .finished(token(2), moreComing: false),
            ])
        #expect(plan.request == nil)
    }

    @Test("An error of one zone does not stop the others; a feed without progress fails")
    func failures() throws {
        var plan = plan()
        let expired = RecordError(.changeTokenExpired, "client knowledge differs from server knowledge")
        let pages = try plan.take(answer([.failure(nil, expired), page("B", 2, more: true)]))
        #expect(pages.map(\.zoneID) == [Self.first, Self.second])
        #expect(pages[0].end == .failed(expired))
        let still = try plan.take(answer([page("B", 2, more: true)]))
        guard case .failed(let error)? = still.first?.end else {
            Issue.record("the feed went on")
            return
        }
        #expect(error.code == .internalError)
        #expect(plan.request == nil)
        #expect(throws: RecordError.self) { try plan.take(answer([page("B", 3, more: false)])) }
    }

    @Test("A zone that found no room in an answer is first in the next request")
    func starved() throws {
        var plan = plan()
        _ = try plan.take(answer([page("A", 1, more: true), page("B", 2, more: true)]))
        let pages = try plan.take(answer([page("A", 3, more: true), page("B", 2, more: true)]))
        #expect(pages.map(\.end) == [.more(token(3)), .more(token(2))])
        #expect(plan.request?.zones.map(\.zone.name) == ["B", "A"])
        let last = try plan.take(answer([page("B", 4, more: false), page("A", 3, more: true)]))
        #expect(last.map(\.end) == [.finished(token(4), moreComing: false), .more(token(3))])
        let still = try plan.take(answer([page("A", 3, more: true)]))
        guard case .failed? = still.first?.end else {
            Issue.record("a feed that stands still went on")
            return
        }
    }

    @Test("More zones than fit in one request are split over several requests")
    func manyZones() throws {
        let ids = (1...3).map { CKRecordZone.ID(zoneName: "Z\($0)") }
        var plan = ZoneFeedPlan(ids.map { .init($0, .init()) }, fetchesAll: true, zonesPerRequest: 2)
        #expect(plan.request?.zones.map(\.zone.name) == ["Z1", "Z2"])
        _ = try plan.take(answer([page("Z1", 1, more: true), page("Z2", 2, more: false)]))
        #expect(plan.request?.zones.map(\.zone.name) == ["Z3", "Z1"])
        _ = try plan.take(answer([page("Z3", 3, more: false), page("Z1", 4, more: false)]))
        #expect(plan.request == nil)
    }

    @Test("A gate opens at its time, separately for each caller")
    func gate() {
        var gate = RequestGate()
        let alice = RequestGate.Caller(container: "c", person: "alice", device: "phone")
        let bob = RequestGate.Caller(container: "c", person: "bob", device: "phone")
        let start = Date(timeIntervalSince1970: 0)
        #expect(gate.remaining(for: alice, at: start) == nil)
        gate.close(for: alice, seconds: 30, at: start)
        gate.close(for: alice, seconds: 5, at: start)
        #expect(gate.remaining(for: alice, at: start) == 30)
        #expect(gate.remaining(for: bob, at: start) == nil)
        #expect(gate.remaining(for: alice, at: start.addingTimeInterval(29.5)) == 0.5)
        #expect(gate.remaining(for: alice, at: start.addingTimeInterval(30)) == nil)
    }

    @Test("A gate is closed for an hour at most, even if the server asks for longer")
    func longestHold() {
        var gate = RequestGate()
        let alice = RequestGate.Caller(container: "c", person: "alice", device: "phone")
        let start = Date(timeIntervalSince1970: 0)
        gate.close(for: alice, seconds: 31_536_000, at: start)
        #expect(gate.remaining(for: alice, at: start) == 3600)
    }

    @Test("Timeouts that are not positive, or are very long, mean no limit")
    func timeouts() {
        let start = Date(timeIntervalSince1970: 0)
        let configuration = CKOperation.Configuration()
        configuration.qualityOfService = .userInitiated
        #expect(RequestPolicy(configuration).idleTimeout == .seconds(60))
        #expect(RequestPolicy(configuration).totalTimeout == nil)
        configuration.timeoutIntervalForRequest = 0
        configuration.timeoutIntervalForResource = 90
        let policy = RequestPolicy(configuration)
        #expect(policy.idleTimeout == nil)
        let trip = RoundTrip(policy, at: start, changes: false)
        #expect(trip.remaining(at: start.addingTimeInterval(60)) == 30)
        configuration.timeoutIntervalForResource = .infinity
        #expect(RequestPolicy(configuration).totalTimeout == nil)
        configuration.timeoutIntervalForResource = .nan
        #expect(RequestPolicy(configuration).totalTimeout == nil)
    }
}
