import CloudletServer
import Foundation
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Start and stop of a server", .timeLimit(.minutes(30)))
struct LifeTests {
    @Test("Several servers in one process have separate data", arguments: Transport.allCases)
    func many(transport: Transport) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await withServer(transport) { world in
                        let alice = try await world.signIn("alice")
                        let saved = try await world.modify("public", [create("r\(number)")], as: alice)
                        #expect(saved.records == ["ok"])
                        let query: JSON = ["query": ["recordType": "Party"]]
                        let found = try await world.call("public/records/query", query)
                        #expect(found.json["records"].texts("recordName") == ["r\(number)"])
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A second server on a folder is refused with the folder and the next step")
    func folderInUse() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        let first = try await CloudletServer.start(data: folder)
        let error = await #expect(throws: ServerError.self) { try await CloudletServer.start(data: folder) }
        #expect(error?.code == .folderInUse)
        #expect(error?.description.contains(folder.lastPathComponent) == true)
        #expect(
            error?.description.contains("process id \(ProcessInfo.processInfo.processIdentifier)") == true)
        #expect(error?.nextStep.isEmpty == false)
        // No process has this ID.
        try Data("\(Int32.max)".utf8).write(to: folder.appendingPathComponent("cloudlet.lock"))
        let unnamed = await #expect(throws: ServerError.self) { try await CloudletServer.start(data: folder) }
        #expect(unnamed?.description.contains("is in use by another server") == true)
        await first.stop()
        let second = try await CloudletServer.start(data: folder)
        await second.stop()
    }

    @Test("An unusable folder is refused; the server does not create another one")
    func folderUnusable() async throws {
        let file = URL.unused()
        try Data("x".utf8).write(to: file)
        defer { file.remove() }
        let error = await #expect(throws: ServerError.self) { try await CloudletServer.start(data: file) }
        #expect(error?.code == .folderUnusable)
    }

    @Test("A damaged directory database is refused with a server error, and the folder is unlocked")
    func damaged() async throws {
        let folder = try URL.newFolder()
        defer { folder.remove() }
        let directory = folder.appendingPathComponent("directory.sqlite")
        try Data(repeating: 0x41, count: 8192).write(to: directory)
        let error = await #expect(throws: ServerError.self) { try await CloudletServer.start(data: folder) }
        #expect(error?.code == .databaseUnusable)
        #expect(error?.reason.contains("file is not a database") == true)
        #expect(error?.reason.contains("look at the server's log") == false)
        try FileManager.default.removeItem(at: directory)
        await (try await CloudletServer.start(data: folder)).stop()
    }

    @Test("A folder of a newer version is refused and stays unchanged")
    func folderTooNew() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        await (try await CloudletServer.start(data: folder)).stop()
        for format in ["4\n", "x", ""] {
            try Data(format.utf8).write(to: folder.appendingPathComponent("format"))
            let error = await #expect(throws: ServerError.self) {
                try await CloudletServer.start(data: folder)
            }
            #expect(error?.code == .folderTooNew, "\(format)")
            #expect(error?.nextStep.contains("later") == true)
            #expect(error?.reason.hasSuffix("and this version reads 3 at most") == true)
        }
        #expect(CloudletServer.build.hasSuffix(", storage format 3"))
        try Data("1\n".utf8).write(to: folder.appendingPathComponent("format"))
        await (try await CloudletServer.start(data: folder)).stop()
    }

    @Test("A stopped server cannot be reached, not even in process")
    func stopped() async throws {
        let world = try await ServerWorld.start(.loopback)
        let alice = try await world.signIn("alice")
        await world.stop()
        let error = await #expect(throws: CloudTransportError.self) {
            try await world.modify("public", [create("p")], as: alice)
        }
        #expect(error == .unreachable("the server has stopped"))
    }

    @Test("A port in use is refused, and the folder is unlocked")
    func portTaken() async throws {
        let world = try await ServerWorld.start(.socket)
        let folder = URL.unused()
        defer { folder.remove() }
        let port = try #require(world.server.url?.port)
        let error = await #expect(throws: ServerError.self) {
            try await CloudletServer.start(data: folder, port: port)
        }
        #expect(error?.code == .addressUnavailable)
        await (try await CloudletServer.start(data: folder)).stop()
        await world.stop()
    }

    @Test(
        "A restarted server has kept its zones, records, files, schema and sessions",
        arguments: Transport.allCases)
    func restart(transport: Transport) async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        let place: @Sendable (inout ServerConfiguration) -> Void = { $0.storage = .folder(folder) }
        let content = Array("kept".utf8)
        let first = try await ServerWorld.start(transport, place)
        let alice = try await first.signIn("alice")
        let receipt = try await first.upload(content, record: "f1", as: alice)
        _ = try await first.call("public/records/modify", batch([first.photo("f1", receipt)]), as: alice)
        _ = try await first.call("private/zones/modify", zones(create: ["Notes"]), as: alice)
        _ = try await first.call(
            "private/records/modify", batch([create("n1", ["t": text("x")])], zone: "Notes"), as: alice
        )
        let zones = try await first.get("private/zones/list", as: alice)
        let page: JSON = ["query": ["recordType": "Photo"]]
        await first.stop()
        let second = try await ServerWorld.start(
            transport,
            { configuration in
                place(&configuration)
                configuration.seed = 2
            })
        #expect(try await second.get("private/zones/list", as: alice).json == zones.json)
        let found = try await second.call("public/records/query", page).json["records"][0]
        let address = try #require(found["fields"]["file"]["value"]["downloadURL"].text)
        #expect(try await second.send("GET", address).bytes == content)
        let wrong = batch([create("n2", ["t": number(1)])], zone: "Notes")
        let refused = try await second.call("private/records/modify", wrong, as: alice)
        #expect(refused.records[0].contains("defined to be: STRING"))
        let token = zones.json["zones"][1]["syncToken"]
        let feed: JSON = ["zones": [["zoneID": ["zoneName": "Notes"], "syncToken": token]]]
        #expect(try await second.call("private/changes/zone", feed, as: alice).items("zones") == ["ok"])
        await second.stop()
    }

    @Test("Each restart with the same seed creates different tokens, which are reproducible")
    func sameSeed() async throws {
        var tokensOfRuns: [[String]] = []
        for _ in 0..<2 {
            let folder = URL.unused()
            defer { folder.remove() }
            var made: [String] = []
            for name in ["alice", "bob", "alice"] {
                let world = try await ServerWorld.start(.loopback) { $0.storage = .folder(folder) }
                let person = try await world.signIn(name)
                let client = JSON.string("device \(made.count)")
                let push = try await world.device("tokens/create", ["clientId": client], as: person)
                let token = try #require(push.json["apnsToken"].text)
                let saved = try await world.modify("public", [create("\(made.count)")], as: person)
                #expect(saved.records == ["ok"])
                made += [person.token, token]
                await world.stop()
            }
            #expect(Set(made).count == 6)
            tokensOfRuns.append(made)
        }
        #expect(tokensOfRuns[0] == tokensOfRuns[1])
    }

    @Test(
        "A stopped ephemeral server has deleted its folder, and can be stopped again",
        arguments: Transport.allCases
    )
    func ephemeral(transport: Transport) async throws {
        let world = try await ServerWorld.start(transport)
        let folder = world.server.dataFolder.path
        _ = try await world.signIn("alice")
        #expect(FileManager.default.fileExists(atPath: folder))
        await world.stop()
        #expect(!FileManager.default.fileExists(atPath: folder))
        await world.stop()
    }

    @Test(
        "A server that stops under load answers or refuses, and keeps every acknowledged write",
        arguments: Transport.allCases)
    func shutdown(transport: Transport) async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        let place: @Sendable (inout ServerConfiguration) -> Void = { $0.storage = .folder(folder) }
        let world = try await ServerWorld.start(transport, place)
        let alice = try await world.signIn("alice")
        let kept = try await withThrowingTaskGroup(of: [String].self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var kept: [String] = []
                    for number in 0..<1000 {
                        let name = "w\(worker)-\(number)"
                        let save = batch([create(name)])
                        guard let reply = try? await world.call("public/records/modify", save, as: alice),
                            reply.status == 200
                        else { return kept }
                        #expect(reply.records == ["ok"])
                        kept.append(name)
                        if number == 3, worker == 0 { await world.stop() }
                    }
                    return kept
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(kept.count < 8000)
        let again = try await ServerWorld.start(transport, place)
        for start in stride(from: 0, to: kept.count, by: 200) {
            let items = kept[start..<min(start + 200, kept.count)].map {
                JSON.object(["recordName": .string($0)])
            }
            let reply = try await again.call("public/records/lookup", ["records": .array(items)])
            #expect(reply.records.allSatisfy { $0 == "ok" })
        }
        await again.stop()
    }
}
