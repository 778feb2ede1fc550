import CloudService
import Foundation
import Records
import Testing

@testable import CloudletServer
@testable import ServerData
@testable import ServerKit
@testable import TestKit

@Suite("Housekeeping", .timeLimit(.minutes(30)))
struct HousekeepingTests {
    @Test("Tombstones are deleted when they expire, even if each server runs only briefly")
    func deletions() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        let times = [0.0, 89, 91].map { $0 * 86_400 }
        var token = JSON.null
        for (run, time) in times.enumerated() {
            let configure: @Sendable (inout ServerConfiguration) -> Void = {
                $0.storage = .folder(folder)
                $0.seed = UInt64(run)
                let begin = $0.clock()
                $0.clock = { begin.addingTimeInterval(time) }
            }
            try await withServer(.loopback, configure) { world in
                let alice = try await world.signIn("alice")
                if run == 0 {
                    try await world.call("private/zones/modify", zones(create: ["Z"]), as: alice)
                    let list = try await world.get("private/zones/list", as: alice)
                    token = list.json["zones"][1]["syncToken"]
                    try await world.modify("private", [create("a")], zone: "Z", as: alice)
                    try await world.modify("private", [forceDelete("a")], zone: "Z", as: alice)
                }
                let feed: JSON = ["zones": [["zoneID": ["zoneName": "Z"], "syncToken": token]]]
                let reply = try await world.call("private/changes/zone", feed, as: alice)
                let isForgotten = run == 2
                let words = "BAD_REQUEST: client knowledge differs from server knowledge"
                #expect(reply.items("zones") == [isForgotten ? words : "ok"])
            }
        }
    }

    @Test("Reading a missing public database finds nothing, and creates nothing")
    func reading() async throws {
        try await serving { world in
            func databases() -> [String] {
                let all = FileManager.default.enumerator(atPath: world.server.dataFolder.path)
                return (all?.compactMap { $0 as? String } ?? []).filter { $0.contains("public") }
            }
            let found = try await world.lookup("public", "a")
            #expect(found.records == ["NOT_FOUND: Record not found"])
            let list = try await world.get("public/zones/list")
            #expect(list.json["zones"].elements.count == 1)
            let some = try await world.call("public/zones/lookup", ["zones": [["zoneName": "_defaultZone"]]])
            #expect(some.items("zones") == ["ok"])
            let query: JSON = ["query": ["recordType": "Party"]]
            let nothing = try await world.call("public/records/query", query)
            #expect(nothing.failure == "404 NOT_FOUND: Did not find record type: Party")
            #expect(databases() == [])
            let alice = try await world.signIn("alice")
            try await world.modify("public", [create("a")], as: alice)
            #expect(databases().isEmpty == false)
            #expect(try await world.lookup("public", "a").records == ["ok"])
            let other = try await world.call("public/records/query", query, environment: "production")
            #expect(other.failure == "404 NOT_FOUND: Did not find record type: Party")
            #expect(databases().contains { $0.contains("production") } == false)
        }
    }

    @Test("A container is created by the first write or sign-in, not by a read")
    func containers() async throws {
        try await withServer(.loopback, { $0.limits.openServerContainers = 2 }) { world in
            func containers() async throws -> [String] {
                try await world.service.containers.all().map(\.name)
            }
            for name in ["iCloud.a", "iCloud.b"] {
                let found = try await world.call("public/records/lookup", names("a"), container: name)
                #expect(found.records == ["NOT_FOUND: Record not found"])
                #expect(try await world.call("public/records/query", [:], container: name).status == 400)
                let nobody = try await world.call("private/zones/list", container: name)
                #expect(nobody.status == 421)
            }
            #expect(try await containers() == [])
            let alice = try await world.signIn("alice", container: "iCloud.a")
            #expect(try await containers() == ["iCloud.a"])
            let saved = try await world.call(
                "public/records/modify", batch([create("p")]), as: alice, container: "iCloud.b")
            #expect(saved.records == ["ok"])
            #expect(try await containers() == ["iCloud.a", "iCloud.b"])
            // Above the limit no container is created automatically; reading still finds nothing.
            let refused = try await world.call(
                "public/records/modify", batch([create("p")]), as: alice, container: "iCloud.c")
            #expect(
                refused.failure
                    == "400 BAD_REQUEST: an open server makes no more than 2 containers by itself")
            let empty = try await world.call("public/records/lookup", names("a"), container: "iCloud.c")
            #expect(empty.records == ["NOT_FOUND: Record not found"])
            _ = try await world.service.containers.create("iCloud.c")
            let welcome = try await world.call(
                "public/records/modify", batch([create("p")]), as: alice, container: "iCloud.c")
            #expect(welcome.records == ["ok"])
        }
    }

    @Test("The temporary folder of a killed server is deleted when the next one starts")
    func killed() async throws {
        let killed = try Command("serve", "--ephemeral", "--port", "0")
        _ = try await killed.waitForOutput("ready\n")
        let messages = try await killed.waitForErrors("to stop\n")
        let path = String(try #require(messages.firstMatch(of: /data in (\S+);/)?.1))
        killed.send(SIGKILL)
        // Any server that starts from now on may delete the folder, in this process or another.
        #expect(await killed.end().code == 128 + SIGKILL)
        let living = try await CloudletServer.start(.ephemeral)
        #expect(!FileManager.default.fileExists(atPath: path))
        let another = try await CloudletServer.start(.ephemeral)
        #expect(FileManager.default.fileExists(atPath: living.dataFolder.path))
        await living.stop()
        await another.stop()
    }

    @Test("Removing the lock file of a running server does not admit a second server")
    func removedLock() throws {
        let place = try URL.newFolder()
        defer { place.remove() }
        let first = try DataFolder(place)
        try Data().write(to: place.appendingPathComponent("directory.sqlite"))
        place.appendingPathComponent("cloudlet.lock").remove()
        #expect(DataFolder.isInUse(place))
        let error = #expect(throws: ServerError.self) { try DataFolder(place) }
        #expect(error?.code == .folderInUse)
        first.release()
        #expect(!DataFolder.isInUse(place))
        try DataFolder(place).release()
    }

    @Test("Only unused temporary folders are deleted")
    func sweeping() async throws {
        let place = URL.unused()
        defer { place.remove() }
        let names = ["cloudlet-kept", "cloudlet-left", "cloudlet-used", "other-left", "cloudlet-strange"]
        for name in names {
            let folder = place.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            if name != "cloudlet-strange" {
                try Data("1".utf8).write(to: folder.appendingPathComponent("cloudlet.lock"))
            }
            if name != "cloudlet-kept" { try Data().write(to: folder.appendingPathComponent("ephemeral")) }
        }
        let used = try DataFolder(place.appendingPathComponent("cloudlet-used"))
        DataFolder.sweep(place)
        let left = try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
        #expect(left == ["cloudlet-kept", "cloudlet-strange", "cloudlet-used", "other-left"])
        used.release()
    }
}
