import Cloudlet
import CloudletTesting
import Foundation
import LocalReplica
import Synchronization
import Testing

@testable import CloudSync
@testable import TestKit

@Suite("A new server for the data of a device", .timeLimit(.minutes(30)))
struct NewServerTests {
    /// Two devices that were in sync with a server, and that now use a new one without its data.
    private func moved(_ body: (Device, Device) async throws -> Void) async throws {
        let old = try await CloudletWorld.start()
        // With the same seed, both servers would give the person the same record name.
        let new = try await CloudletWorld.start(seed: 2)
        let phone = try await SyncWorld.device(of: "alice", "phone", in: old)
        let tablet = try await SyncWorld.device(of: "alice", "tablet", in: old)
        try await phone.write("one", to: "a")
        try await phone.sync.waitUntilIdle()
        try await tablet.sync.waitUntilIdle()
        try await phone.write("two", to: "b")
        for device in [phone, tablet] {
            try await device.move(to: new)
            await device.sync.accountChanged()
        }
        try await body(phone, tablet)
        await old.stop()
        await new.stop()
    }

    @Test("A new server is recognised, and no data changes")
    func recognised() async throws {
        try await moved { phone, _ in
            let status = try await phone.sync.sync()
            #expect(status.activity == .blocked)
            #expect(status.accountProblem == .unknownOwner)
            #expect(status.why.hasPrefix("the server does not know the person whose data is on this device"))
            #expect(try await phone.text("a") == "one")
            #expect(try await phone.pending() == ["create b"])
            #expect(try await phone.zonesOnServer() == [])
        }
    }

    @Test("Everything is sent again on demand, from each device, and merged")
    func sentAgain() async throws {
        try await moved { phone, tablet in
            try await tablet.write("one and more", to: "a")
            for device in [phone, tablet, phone] {
                if try await device.sync.sync().accountProblem != nil {
                    try await device.sync.resendAllRecords()
                }
                try await device.sync.waitUntilIdle()
            }
            for device in [phone, tablet] {
                #expect(try await device.text("b") == "two")
                #expect(try await device.text("a")?.contains("one and more") == true)
                #expect(try await device.pending() == [])
                #expect(try await device.sync.sync().accountProblem == nil)
            }
            let texts = (try await phone.text("a"), try await tablet.text("a"))
            #expect(texts.0 == texts.1)
        }
    }

    @Test("A record whose file is missing on the device is refused when everything is sent again")
    func missingFile() async throws {
        let old = try await CloudletWorld.start()
        let new = try await CloudletWorld.start(seed: 2)
        let phone = try await SyncWorld.device(of: "alice", "phone", in: old)
        let assets = try await phone.saveBill("bill", photos: ["a lost picture"])
        try await phone.sync.waitUntilIdle()
        try #require(phone.replica.file(of: assets[0])).remove()
        try await phone.move(to: new)
        await phone.sync.accountChanged()
        #expect(try await phone.sync.sync().accountProblem == .unknownOwner)
        try await phone.sync.resendAllRecords()
        try await phone.write("text", to: "n")
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.pending() == ["create bill refused"])
        let change = try await phone.replica.read { try $0.pendingChanges() }.first
        #expect(change?.refusal == "its file is missing on this device: edit the record to send it")
        await old.stop()
        await new.stop()
    }

    @Test("Shares are not sent again, and a note can be shared again on the new server")
    func shares() async throws {
        let old = try await CloudletWorld.start()
        let new = try await CloudletWorld.start(seed: 2)
        let phone = try await SyncWorld.device(of: "alice", "phone", in: old)
        func share(in world: CloudletWorld) async throws {
            let host = try await world.container(SyncWorld.container, as: "alice", on: "host")
            let id = CKRecord.ID(recordName: "a", zoneID: SharedNotes.zoneID)
            let root = try await host.privateCloudDatabase.record(for: id)
            _ = try await world.share(root, of: host, with: [])
            try await phone.sync.waitUntilIdle()
        }
        func count() async throws -> Int { try await phone.replica.shares(in: SharedNotes.ownZone).count }
        try await phone.write("one", to: "a")
        try await phone.sync.waitUntilIdle()
        try await share(in: old)
        #expect(try await count() == 1)
        try await phone.move(to: new)
        await phone.sync.accountChanged()
        #expect(try await phone.sync.sync().accountProblem == .unknownOwner)
        #expect(try await phone.sync.resendAllRecords() == 1)
        #expect(try await phone.pending() == ["create a"])
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.pending() == [])
        #expect(try await count() == 0)
        try await share(in: new)
        #expect(try await count() == 1)
        #expect(try await phone.pending() == [])
        await old.stop()
        await new.stop()
    }

    @Test("A sync that is requested while everything is marked for sending runs a pass of its own")
    func syncMeanwhile() async throws {
        try await moved { phone, _ in
            _ = try await phone.sync.sync()
            let wanted = Mutex<Task<SyncStatus, any Error>?>(nil)
            phone.link.hook = { _ in
                let isFirst = wanted.withLock { wanted in
                    guard wanted == nil else { return false }
                    wanted = Task { try await phone.sync.sync() }
                    return true
                }
                if isFirst { try await until { await !phone.sync.memory.waiting.isEmpty } }
            }
            try await phone.sync.resendAllRecords()
            let status = try await wanted.withLock(\.self)?.value
            #expect(status?.activity == .idle)
            #expect(try await phone.pending() == [])
        }
    }

    @Test("All data is deleted on demand, also offline, and the new data is fetched")
    func forgotten() async throws {
        try await moved { phone, tablet in
            try await phone.sync.resendAllRecords()
            try await phone.sync.waitUntilIdle()
            try await tablet.write("never sent", to: "c")
            tablet.link.isCut = true
            try await tablet.sync.deleteLocalData()
            #expect(try await tablet.text("a") == nil)
            #expect(try await tablet.pending() == [])
            tablet.link.isCut = false
            try await tablet.sync.waitUntilIdle()
            #expect(try await tablet.text("a") == "one")
            #expect(try await tablet.text("b") == "two")
            #expect(try await tablet.text("c") == nil)
        }
    }

    @Test("The data of a person whom the server knows is not sent as another person's")
    func notOfOthers() async throws {
        let world = try await CloudletWorld.start()
        let phone = try await SyncWorld.device(of: "alice", "phone", in: world)
        try await phone.write("one", to: "a")
        try await phone.sync.waitUntilIdle()
        let mine = await #expect(throws: SyncBlocked.self) { try await phone.sync.resendAllRecords() }
        #expect(
            mine?.status.why == "the data on this device belongs to the signed-in person already; call sync()"
        )
        try await phone.container.connection.account?.signIn(as: "bob", to: phone.container)
        await phone.sync.accountChanged()
        #expect(try await phone.sync.sync().accountProblem == .otherPerson)
        let others = await #expect(throws: SyncBlocked.self) { try await phone.sync.resendAllRecords() }
        #expect(others?.status.accountProblem == .otherPerson)
        #expect(try await phone.text("a") == "one")
        await world.stop()
    }
}
