import CloudSync
import Cloudlet
import CloudletServer
import CloudletTesting
import Foundation
import LocalReplica
import Records
import Testing

@Suite("Answers without progress", .timeLimit(.minutes(30)))
struct StallTests {
    /// A server whose responses never let the sync advance, and the reason that the sync reports.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var fault: Fault?
        var says: (old: String, new: String)?
        var stall: String
    }

    private static let cases = [
        Case(
            testDescription: "tokens expire before the feed is read", fault: Fault(.tokenExpired, count: nil),
            stall: "the server refused the change tokens of the zone Notes that it had just given"),
        Case(
            testDescription: "more is coming, under the same token",
            says: ("\"moreComing\":false", "\"moreComing\":true"),
            stall: "the server says that more changes of the zone Notes are coming, and sends none"),
        Case(
            testDescription: "every save is a conflict with what the server had before",
            fault: Fault(.conflict, count: nil), stall: "the last one was for sending"),
        Case(
            testDescription: "whoever is signed in may not fetch",
            fault: Fault(.signedOut, endpoint: "changes/zone", count: nil), stall: "requests in a row"),
    ]

    @Test("A sync sends a bounded number of requests, then waits and names the cause", arguments: cases)
    func bounded(_ story: Case) async throws {
        let name = "stall\(Self.cases.firstIndex { $0.testDescription == story.testDescription } ?? 0)"
        let (phone, tablet) = try await SyncWorld.pair(name) { $0.pageSize = 2 }
        for number in 0..<5 { try await phone.write("old", to: "n\(number)") }
        try await phone.sync.waitUntilIdle()
        try await tablet.write("typed", to: "own")
        var fault: Int?
        if var trouble = story.fault {
            trouble.device = tablet.name
            fault = tablet.world.server.faults.add(trouble)
        }
        if let (old, new) = story.says {
            tablet.link.revise = { target, response in
                guard target.contains("changes/zone"), case .bytes(let bytes) = response.body else {
                    return response
                }
                var revised = response
                let text = String(decoding: bytes, as: UTF8.self).replacing(old, with: new)
                revised.body = .bytes(Array(text.utf8))
                return revised
            }
        }
        let before = tablet.clock.now
        let error = await #expect(throws: SyncBlocked.self) { try await tablet.sync.waitUntilIdle() }
        let status = try #require(error?.status)
        #expect(status.activity == .blocked)
        #expect(status.why.contains(story.stall), "\(status.why)")
        #expect(status.stall?.description == status.why)
        #expect(try #require(status.until) > tablet.clock.now)
        #expect(tablet.clock.now == before)
        #expect(tablet.link.count < 100)
        // The sync tries again after the wait, with fewer requests, and then waits longer.
        let asked = tablet.link.count
        tablet.clock.advance(bySeconds: 2)
        let later = try await tablet.sync.sync(asksServer: false)
        #expect(later.stall != nil)
        #expect(tablet.link.count - asked < 20)
        // When the responses are normal again, the sync completes.
        if let fault { tablet.world.server.faults.remove(fault) }
        tablet.link.revise = nil
        try await tablet.sync.waitUntilIdle()
        #expect(await tablet.sync.status.stall == nil)
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.text("own") == "typed")
        #expect(try await tablet.text("n4") == "old")
    }

    /// A fault of the server at the first record of each batch.
    private func failFirst(_ device: Device, count: Int?) {
        device.fault(.invalidItem, on: "records/modify", count: count)
        device.link.revise = { target, response in
            guard target.contains("records/modify"), case .bytes(let bytes) = response.body else {
                return response
            }
            var revised = response
            let text = String(decoding: bytes, as: UTF8.self).replacing("BAD_REQUEST", with: "INTERNAL_ERROR")
                .replacing("\"badRequest\"", with: "\"internalError\"")
            revised.body = .bytes(Array(text.utf8))
            return revised
        }
    }

    @Test("A record that the server fails to process is sent again, and delays no other record")
    func passingFault() async throws {
        let (phone, tablet) = try await SyncWorld.pair("passingfault")
        try await phone.sync.waitUntilIdle()
        for name in ["a", "b"] { try await phone.write("text", to: name) }
        failFirst(phone, count: 3)
        let status = try await phone.sync.sync()
        #expect(status.activity == .waiting)
        #expect(try await phone.pending() == ["create a"])
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.pending() == [])
        #expect(await phone.sync.status.why == "everything is in sync")
        try await tablet.sync.sync()
        #expect(try await tablet.text("a") == "text")
        #expect(try await tablet.text("b") == "text")
    }

    @Test("A record that the server never processes is refused after ten attempts, and the status names it")
    func lastingFault() async throws {
        let (phone, _) = try await SyncWorld.pair("lastingfault")
        try await phone.sync.waitUntilIdle()
        try await phone.write("text", to: "a")
        failFirst(phone, count: 10)
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.pending() == ["create a refused"])
        let status = await phone.sync.status
        #expect(status.activity == .idle)
        #expect(status.why.contains("the server refused 1 edit (a)"))
        // Another edit is sent, and everything is in sync again.
        try await phone.write("better text", to: "a")
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.pending() == [])
        #expect(await phone.sync.status.why == "everything is in sync")
    }
}
