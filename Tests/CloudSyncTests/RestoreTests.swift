import CloudSync
import Cloudlet
import CloudletServer
import CloudletTesting
import Foundation
import LocalReplica
import Testing

@testable import TestKit

@Suite("Sync with a server that lost data", .timeLimit(.minutes(30)))
struct RestoreTests {
    private func withServer(
        _ body: (_ server: LossyServer, _ phone: Device, _ tablet: Device) async throws -> Void
    ) async throws {
        let server = try await LossyServer.start()
        let phone = try await SyncWorld.device(of: "alice", "phone", in: server.world)
        let tablet = try await SyncWorld.device(of: "alice", "tablet", in: server.world)
        try await body(server, phone, tablet)
        await server.stop()
    }

    @Test("After a restore, every device has the server's records; pending edits are kept and sent")
    func restored() async throws {
        try await withServer { server, phone, tablet in
            for name in ["kept", "changed", "deleted"] { try await phone.write("before", to: name) }
            try await phone.sync.waitUntilIdle()
            try await tablet.sync.waitUntilIdle()
            try await server.backUp(holding: [:])
            // The server acknowledges these changes and loses them with the restore.
            try await phone.write("after", to: "changed")
            try await phone.write("after", to: "lost")
            try await phone.delete("deleted")
            try await phone.sync.waitUntilIdle()
            try await tablet.sync.waitUntilIdle()
            // These edits are not sent before the restore.
            try await tablet.write("before unsent", to: "kept")
            try await tablet.write("unsent", to: "new")
            _ = try await server.restore([phone, tablet])
            for device in [phone, tablet, phone] { try await device.sync.waitUntilIdle() }
            for device in [phone, tablet] {
                #expect(try await device.text("kept") == "before unsent")
                #expect(try await device.text("changed") == "before")
                #expect(try await device.text("deleted") == "before")
                #expect(try await device.text("lost") == nil)
                #expect(try await device.text("new") == "unsent")
                #expect(try await device.pending() == [])
            }
        }
    }

    @Test("A device that syncs long after a restore misses no record that was created since")
    func late() async throws {
        try await withServer { server, phone, tablet in
            try await phone.write("a", to: "first")
            try await phone.sync.waitUntilIdle()
            try await tablet.sync.waitUntilIdle()
            try await server.backUp(holding: [:])
            for number in 0..<5 { try await phone.write("lost", to: "lost\(number)") }
            try await phone.sync.waitUntilIdle()
            _ = try await server.restore([phone, tablet])
            // The tablet saves as many changes as the phone has seen, and more.
            for number in 0..<8 {
                try await tablet.write("new", to: "new\(number)")
                try await tablet.sync.waitUntilIdle()
            }
            try await phone.sync.waitUntilIdle()
            for number in 0..<8 { #expect(try await phone.text("new\(number)") == "new") }
            for number in 0..<5 { #expect(try await phone.text("lost\(number)") == nil) }
        }
    }

    @Test("With unreadable change tokens, everything is fetched again, and deleted records are removed")
    func unreadableTokens() async throws {
        let (phone, tablet) = try await SyncWorld.pair("unreadabletokens")
        for name in ["a", "b"] { try await phone.write("text", to: name) }
        for device in [phone, tablet] { try await device.sync.waitUntilIdle() }
        try await phone.delete("a")
        try await phone.sync.waitUntilIdle()
        try await tablet.replica.write { writer in
            try writer.setToken(Data("{}".utf8), of: "Notes", moreComing: false)
            try writer.setDatabaseToken(Data("{}".utf8))
        }
        #expect(try await tablet.sync.sync().activity == .idle)
        #expect(try await tablet.text("a") == nil)
        #expect(try await tablet.text("b") == "text")
    }

    @Test("A zone that the server lost is removed here, and the status reports its pending edits")
    func lostZone() async throws {
        try await withServer { server, phone, tablet in
            _ = try await phone.container.userRecordID()
            try await server.backUp(holding: [:])
            try await phone.write("sent", to: "n")
            try await phone.sync.waitUntilIdle()
            try await tablet.sync.waitUntilIdle()
            try await phone.write("unsent", to: "m")
            _ = try await server.restore([phone, tablet])
            #expect(try await tablet.sync.sync().activity == .idle)
            #expect(try await tablet.text("n") == nil)
            let blocked = await #expect(throws: SyncBlocked.self) { try await phone.sync.waitUntilIdle() }
            #expect(blocked?.status.why.hasPrefix("1 edit waits: the zone Notes was deleted") == true)
            try await phone.replica.write { try $0.resume("Notes") }
            for device in [phone, tablet] { try await device.sync.waitUntilIdle() }
            #expect(try await tablet.text("m") == "unsent")
        }
    }

    @Test("A device fetches everything again from a database that replaced another one")
    func replaced() async throws {
        try await withServer { server, phone, tablet in
            try await phone.write("old", to: "n")
            for device in [phone, tablet] { try await device.sync.waitUntilIdle() }
            _ = try await server.reset()
            let third = try await SyncWorld.device(of: "alice", "third", in: server.world)
            try await third.write("new", to: "n")
            try await third.sync.waitUntilIdle()
            for device in [phone, tablet] {
                try await device.sync.waitUntilIdle()
                #expect(try await device.text("n") == "new")
            }
        }
    }

    @Test("A restore signs everybody out, and edits wait until the next sign-in")
    func sessions() async throws {
        try await withServer { server, phone, tablet in
            try await phone.write("a", to: "n")
            try await phone.sync.waitUntilIdle()
            try await server.backUp(holding: [:])
            _ = try await server.restore([tablet])
            phone.link.base = tablet.world.server.transport
            try await phone.write("a b", to: "n")
            #expect(try await phone.sync.sync().activity == .blocked)
            #expect(try await phone.pending() == ["update n"])
            try await phone.move(to: server.world)
            await phone.sync.accountChanged()
            try await phone.sync.waitUntilIdle()
            try await tablet.sync.waitUntilIdle()
            #expect(try await tablet.text("n") == "a b")
        }
    }

    @Test("An empty or truncated file is fetched again", arguments: [0, 3])
    func damagedFile(size: UInt64) async throws {
        let (phone, tablet) = try await SyncWorld.pair("damagedfile\(size)")
        let file = phone.files.appendingPathExtension("jpg")
        try Data("picture".utf8).write(to: file)
        defer { file.remove() }
        let asset = try phone.replica.keepFile(at: file)
        var bill = ReplicaRecord(type: "Bill", id: RecordID(name: "b", zone: "Notes"))
        bill[field: "photo"] = .asset(asset)
        let saved = bill
        try await phone.replica.write { try $0.save(saved) }
        try await phone.sync.waitUntilIdle()
        try await tablet.sync.waitUntilIdle()
        let kept = try #require(tablet.replica.file(of: asset))
        let handle = try FileHandle(forWritingTo: kept)
        try handle.truncate(atOffset: size)
        try handle.close()
        #expect(tablet.replica.file(of: asset) == nil)
        // Restarts the app.
        let clock = tablet.clock
        var configuration = SyncConfiguration(
            zones: ["Notes"], now: { clock.now }, pause: { clock.advance(bySeconds: $0 / .seconds(1)) })
        configuration.subscribes = false
        let sync = CloudSync(
            container: tablet.container, replica: tablet.replica, configuration: configuration)
        try await sync.waitUntilIdle()
        let again = try #require(tablet.replica.file(of: asset))
        #expect(try Data(contentsOf: again) == Data("picture".utf8))
    }
}
