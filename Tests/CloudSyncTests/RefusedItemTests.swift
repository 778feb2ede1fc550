import CloudSync
import Cloudlet
import CloudletTesting
import Foundation
import LocalReplica
import Records
import Testing

@testable import TestKit

@Suite("A single item that the server refuses", .timeLimit(.minutes(30)))
struct RefusedItemTests {
    @Test("Without a subscription, edits are sent and fetched, and the subscription is requested again")
    func subscription() async throws {
        let (phone, tablet) = try await SyncWorld.pair("refusedsubscription") { $0.subscribes = true }
        phone.refuse { $0["subscriptionID"] as? String == "sync-zone-Notes" }
        try await phone.write("text", to: "n")
        let status = try await phone.sync.sync()
        #expect(status.activity == .idle)
        let why = "everything is in sync, but the server refused the subscription to the zone Notes"
        #expect(status.why.hasPrefix(why), "\(status.why)")
        #expect(try #require(status.until) > phone.clock.now)
        #expect(try await phone.pending() == [])
        try await tablet.sync.waitUntilIdle()
        #expect(try await tablet.text("n") == "text")
        try await tablet.write("text of the tablet", to: "n")
        try await tablet.sync.waitUntilIdle()
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.text("n") == "text of the tablet")
        #expect(try await phone.replica.read { try $0.databaseState().isSubscribed })

        phone.link.revise = nil
        #expect(try await phone.sync.sync().why == "everything is in sync")
        #expect(try await phone.replica.read { try $0.zones() }.allSatisfy(\.isSubscribed))
    }

    @Test("The edits of a zone that cannot be created wait; those of other zones are sent")
    func zone() async throws {
        let phone = try await SyncWorld.device(of: "refusedzone", "phone") { $0.zones = ["Notes", "Bills"] }
        phone.refuse { ($0["zoneID"] as? [String: Any])?["zoneName"] as? String == "Bills" }
        try await phone.write("chairs", to: "bill", zone: "Bills")
        try await phone.write("text", to: "n")
        let status = try await phone.sync.sync()
        #expect(status.activity == .waiting)
        #expect(status.why.hasPrefix("the server refused the zone Bills"), "\(status.why)")
        #expect(try await phone.pending() == ["create bill"])

        phone.link.revise = nil
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.pending() == [])
        let tablet = try await SyncWorld.device(of: "refusedzone", "tablet") {
            $0.zones = ["Notes", "Bills"]
        }
        try await tablet.sync.waitUntilIdle()
        #expect(try await tablet.text("n") == "text")
        #expect(try await tablet.text("bill", zone: "Bills") == "chairs")
    }

    @Test("A record that the server cannot return delays no other, and is fetched by name later")
    func record() async throws {
        let (phone, tablet) = try await SyncWorld.pair("unreadable") { $0.pageSize = 2 }
        for name in ["a", "b", "c", "d", "e"] { try await phone.write("text", to: name) }
        try await phone.sync.waitUntilIdle()
        tablet.refuse { $0["recordName"] as? String == "b" }
        try await tablet.write("typed", to: "own")
        let status = try await tablet.sync.sync()
        #expect(status.activity == .idle)
        #expect(
            status.why
                == "everything is in sync, but the server cannot return 1 record (b); "
                + "they are requested again in an hour")
        for name in ["a", "c", "d", "e"] { #expect(try await tablet.text(name) == "text") }
        #expect(try await tablet.text("b") == nil)
        #expect(try await tablet.pending() == [])

        // If the server cannot return a record, a fetch from the beginning does not remove the local version.
        tablet.link.revise = nil
        #expect(try await tablet.sync.sync().why == "everything is in sync")
        #expect(try await tablet.text("b") == "text")
        #expect(try await tablet.replica.read { try $0.unfetched() } == [])
        tablet.refuse { $0["recordName"] as? String == "b" }
        try await tablet.replica.write { try $0.startOver("Notes") }
        #expect(try await tablet.sync.sync().activity == .idle)
        #expect(try await tablet.text("b") == "text")
        #expect(try await tablet.replica.read { try $0.unfetched() }.map(\.name) == ["b"])
    }

    @Test("A child of a record deleted elsewhere is sent once the record, edited here, exists again")
    func editedParent() async throws {
        let (phone, tablet) = try await SyncWorld.pair("deletedparent")
        try await phone.write("text", to: "n")
        try await phone.sync.waitUntilIdle()
        try await tablet.sync.waitUntilIdle()
        try await phone.delete("n")
        try await phone.sync.waitUntilIdle()
        try await tablet.write("edited", to: "n")
        try await tablet.replica.write { writer in
            var line = ReplicaRecord(type: "Line", id: RecordID(name: "line", zone: "Notes"))
            line.parent = "n"
            try writer.save(line)
        }
        try await tablet.sync.waitUntilIdle()
        #expect(try await tablet.pending() == [])
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.text("n") == "edited")
        let line = try await phone.replica.read { try $0.record(RecordID(name: "line", zone: "Notes")) }
        #expect(line?.parent == "n")
    }

    @Test("A deletion ends the wait for a record that the server could not return")
    func deletedRecord() async throws {
        let (phone, tablet) = try await SyncWorld.pair("unreadablegone")
        for name in ["a", "b"] { try await phone.write("text", to: name) }
        try await phone.sync.waitUntilIdle()
        tablet.refuse { $0["recordName"] as? String == "b" && $0["fields"] != nil }
        #expect(try await tablet.sync.sync().why.contains("1 record (b)"))
        try await phone.delete("b")
        try await phone.sync.waitUntilIdle()
        #expect(try await tablet.sync.sync().why == "everything is in sync")
        #expect(try await tablet.replica.read { try $0.unfetched() } == [])
    }
}

extension Device {
    /// Replaces the items of responses for which the closure returns true by errors.
    fileprivate func refuse(_ isRefused: @escaping @Sendable ([String: Any]) -> Bool) {
        link.revise = { _, response in
            guard case .bytes(let bytes) = response.body,
                let root = try? JSONSerialization.jsonObject(with: Data(bytes)),
                let changed = try? JSONSerialization.data(withJSONObject: Self.refused(root, isRefused))
            else { return response }
            var revised = response
            revised.body = .bytes(Array(changed))
            return revised
        }
    }

    private static func refused(_ node: Any, _ isRefused: ([String: Any]) -> Bool) -> Any {
        if let list = node as? [Any] { return list.map { refused($0, isRefused) } }
        guard let item = node as? [String: Any] else { return node }
        guard isRefused(item) else { return item.mapValues { refused($0, isRefused) } }
        var refusal = item.filter { ["recordName", "subscriptionID", "zoneID"].contains($0.key) }
        refusal["serverErrorCode"] = "INTERNAL_ERROR"
        refusal["reason"] = "not this one"
        return refusal
    }
}
