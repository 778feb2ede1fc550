import Cloudlet
import Foundation
import LocalReplica
import Records
import Synchronization
import TestKit
import Testing

@testable import CloudSync

@Suite("A push during a fetch", .timeLimit(.minutes(30)))
struct PushDuringFetchTests {
    @Test("A zone is fetched again if its push arrives while a page is being fetched")
    func duringPage() async throws {
        let (phone, tablet) = try await SyncWorld.pair("pushduringpage")
        try await phone.write("first", to: "n")
        try await phone.sync.waitUntilIdle()
        let base = try #require(tablet.link.base)
        tablet.link.base = LateTransport(base: base) { target in
            guard target.contains("changes/zone") else { return }
            tablet.link.base = base
            try await phone.write("second", to: "n")
            try await phone.sync.waitUntilIdle()
            await tablet.sync.receive([.zone("Notes")])
        }
        #expect(try await tablet.sync.sync().activity == .idle)
        #expect(try await tablet.text("n") == "second")
    }

    @Test("A zone that is pushed during each of its fetches does not hold up the other steps")
    func busyZone() async throws {
        let (phone, tablet) = try await SyncWorld.pair("pushbusy")
        try await phone.write("first", to: "n")
        try await phone.sync.waitUntilIdle()
        try await tablet.sync.waitUntilIdle()
        let targets = Mutex<[String]>([])
        tablet.link.hook = { target in
            let zones = targets.withLock { targets in
                targets.append(target.contains("changes/zone") ? "zone" : "other")
                return targets.count { $0 == "zone" }
            }
            if zones <= 5, target.contains("changes/zone") {
                await tablet.sync.receive([.zone("Notes"), .database])
            }
        }
        await tablet.sync.receive([.zone("Notes"), .database])
        _ = try await tablet.sync.sync(asksServer: false, endsWaits: false)
        tablet.link.hook = nil
        #expect(targets.withLock { Array($0.prefix(2)) } == ["zone", "other"])
    }

    @Test("A pushed zone that cannot be fetched does not hold up the other steps, nor other zones")
    func failingZone() async throws {
        let (phone, tablet) = try await SyncWorld.pair("pushfailing")
        try await phone.write("first", to: "n")
        try await phone.sync.waitUntilIdle()
        try await tablet.sync.waitUntilIdle()
        // A zone that this device does not know, and that comes after the other one by its name.
        try await phone.replica.write { try $0.add(zone: "Plans") }
        try await phone.write("second", to: "n")
        try await phone.write("new", to: "p", zone: "Plans")
        try await phone.sync.waitUntilIdle()
        let count = Mutex(0)
        tablet.link.hook = { target in
            guard target.contains("changes/zone") else { return }
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number != 2 { throw CloudTransportError.unreachable("the zone cannot be fetched") }
        }
        await tablet.sync.receive([.zone("Notes"), .database])
        #expect(try await tablet.sync.sync(asksServer: false, endsWaits: false).activity == .waiting)
        #expect(count.withLock(\.self) == 1)
        #expect(try await tablet.sync.sync(asksServer: false, endsWaits: true).activity == .waiting)
        #expect(count.withLock(\.self) == 3)
        #expect(try await tablet.text("p", zone: "Plans") == "new")
        #expect(try await tablet.text("n") == "first")
        tablet.link.hook = nil
        try await tablet.sync.waitUntilIdle()
        #expect(try await tablet.text("n") == "second")
    }

    @Test("Pushed zones are fetched first, then stale ones, then those pushed again, and failed ones last")
    func turns() async throws {
        let (phone, _) = try await SyncWorld.pair("pushturns")
        try await phone.replica.write { writer in
            for zone in ["Again", "Failed", "First", "Idle", "Stale"] {
                try writer.markCreated(ZoneID(name: zone))
                // A new zone is stale until its first fetch.
                let isStale = ["Failed", "Stale"].contains(zone)
                try writer.setToken(Data(), of: ZoneID(name: zone), moreComing: isStale)
            }
        }
        var memory = SyncMemory(container: phone.container, batchLimit: 1)
        memory.pushedZones = ["Again", "Failed", "First"]
        memory.fetchedZones = ["Again", "Stale"]
        memory.failedZones = ["Failed"]
        let zones = try await phone.replica.read { try $0.zones() }
        #expect(memory.zonesToFetch(of: zones) == ["First", "Stale", "Again", "Failed"])
    }

    @Test("A page whose import fails moves no token, and no later page is stored")
    func failedImport() async throws {
        struct Failure: Error {}
        let fails = Mutex(false)
        let (phone, tablet) = try await SyncWorld.pair("pushimport") { configuration in
            configuration.pageSize = 1
            configuration.imports = { writer, page in
                let records = page.versions.compactMap { try? writer.reader.record($0.id) }
                #expect(records.count == page.versions.count)
                if page.versions.contains(where: { $0.id.name == "b" }), fails.withLock(\.self) {
                    throw Failure()
                }
            }
        }
        for name in ["a", "b", "c"] { try await phone.write("here", to: name) }
        try await phone.sync.waitUntilIdle()
        fails.withLock { $0 = true }
        #expect(try await tablet.sync.sync().activity == .waiting)
        let state = try await tablet.replica.read { reader in
            (
                try reader.count(in: "Notes"), try reader.zones().first { $0.name == "Notes" }?.isStale,
                try reader.token(of: "Notes")
            )
        }
        #expect(try await tablet.text("b") == nil)
        #expect(try await tablet.text("c") == nil)
        #expect(state.0 <= 1)
        #expect(state.1 == true)
        #expect(try await tablet.sync.sync().activity == .waiting)
        #expect(try await tablet.replica.read { try $0.token(of: "Notes") } == state.2)
        fails.withLock { $0 = false }
        try await tablet.sync.waitUntilIdle()
        for name in ["a", "b", "c"] { #expect(try await tablet.text(name) == "here") }
    }
}

/// Runs a closure between the arrival of a response and its delivery.
private struct LateTransport: CloudTransport {
    let base: any CloudTransport
    let delay: @Sendable (String) async throws -> Void

    func send(_ request: CloudRequest) async throws -> CloudResponse {
        let response = try await base.send(request)
        try await delay(request.target)
        return response
    }
}
