import CloudService
import Records
import RecordsWire
import Testing

@testable import CloudletServer
@testable import ServerKit
@testable import TestKit

@Suite("People behind one address", .timeLimit(.minutes(30)))
struct SharedAddressTests {
    @Test("Large waiting answers cause refusals for anonymous requests, not for other people")
    func largeAnswers() async throws {
        try await withServer(.socket, { $0.limits.sendingBytes = 4_000_000 }) { world in
            let raw = try RawHTTP(try #require(world.server.url))
            let bob = try await world.signIn("bob")
            let address = BytePayer.network(try #require(ClientNetwork(text: "127.0.0.1")))
            let held = try world.service.traffic.sending.lease(1_000_000, for: [address])
            let question = try names("a").encoded()
            let target = ServerWorld.target("public/records/lookup")
            let anonymous = try await raw.send("POST", target, [:], question)
            #expect(anonymous.failure == "503 TRY_AGAIN_LATER: the server is sending as much as it can")
            let own = ServerWorld.target("public/records/lookup", as: bob)
            #expect(try await raw.send("POST", own, [:], question).status == 200)
            withExtendedLifetime(held) {}
        }
    }

    @Test("Slow uploads of one person do not block the saves and uploads of others")
    func uploadsOfOne() async throws {
        try await withServer(.socket, { $0.connectionsPerAddress = 500 }) { world in
            let raw = try RawHTTP(try #require(world.server.url))
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            let targets = try await Self.uploadTargets(64, world, as: alice)
            #expect(targets.count == 64)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for target in targets {
                    group.addTask {
                        try await raw.withConnection { connection in
                            try await connection.send(Self.uploadStart(target, length: 600_000))
                            return try await connection.answer().status
                        }
                    }
                }
                var refused: [Int] = []
                while refused.count < 48, let status = try await group.next() { refused.append(status) }
                #expect(refused == Array(repeating: 503, count: 48))
                try await until { world.service.traffic.receiving.bytes == 16 * 512 * 1024 }
                try await Self.expectRoom(for: bob, in: world)
                group.cancelAll()
            }
        }
    }

    @Test("A signed-in person can send the first bytes even if the address has used up its share")
    func firstBytes() async throws {
        try await withServer(.socket) { world in
            let bob = try await world.signIn("bob")
            let receiving = world.service.traffic.receiving
            let address = BytePayer.network(try #require(ClientNetwork(text: "127.0.0.1")))
            let held = try receiving.lease(world.service.limits.receivingBytes / 4, for: [address])
            #expect(throws: RecordError.self) { _ = try receiving.lease(1, for: [address]) }
            try await Self.expectRoom(for: bob, in: world)
            withExtendedLifetime(held) {}
        }
    }

    @Test("A person's upload beyond the limit is refused, and accepted when another has ended")
    func uploadBound() async throws {
        try await withServer(.socket, { $0.limits.uploadsPerPerson = 2 }) { world in
            let raw = try RawHTTP(try #require(world.server.url))
            let alice = try await world.signIn("alice")
            let targets = try await Self.uploadTargets(3, world, as: alice)
            let bytes = [UInt8](repeating: 7, count: 1000)
            let replies: [Reply] = try await raw.withConnection { first in
                try await first.send(Self.uploadStart(targets[0], length: bytes.count))
                let others: [Reply] = try await raw.withConnection { second in
                    try await second.send(Self.uploadStart(targets[1], length: bytes.count))
                    try await until { world.incomingFiles.count == 2 }
                    let refused = try await raw.send("POST", targets[2], [:], bytes)
                    try await second.send(Array(bytes.dropFirst()))
                    let done = try await second.answer()
                    return [refused, done, try await raw.send("POST", targets[2], [:], bytes)]
                }
                return others
            }
            #expect(
                replies[0].failure
                    == "503 TRY_AGAIN_LATER: 2 files of this person are being received already")
            #expect(replies[0].headers["Retry-After"] == "5")
            #expect(replies.map(\.status) == [503, 200, 200])
        }
    }

    private static func uploadTargets(
        _ count: Int, _ world: ServerWorld, as person: Person
    ) async throws -> [String] {
        let token: JSON = ["recordType": "Photo", "fieldName": "file"]
        let tokens = JSON.array(Array(repeating: token, count: count))
        let reply = try await world.call("public/assets/upload", ["tokens": tokens], as: person)
        return reply.json["tokens"].elements.compactMap { $0["url"].text }
            .map { String($0.dropFirst(ServerWorld.publicURL.count)) }
    }

    /// The head of an upload and the first byte of its file.
    private static func uploadStart(_ target: String, length: Int) -> [UInt8] {
        Array("POST \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(length)\r\n\r\n".utf8) + [7]
    }

    /// Expects that the person saves a record of 6 KB and uploads a file.
    private static func expectRoom(for person: Person, in world: ServerWorld) async throws {
        let fields: JSON = ["body": text(String(repeating: "x", count: 6000))]
        let saved = try await world.modify("public", [create("b", type: "Big", fields)], as: person)
        #expect(saved.records == ["ok"])
        let file = [UInt8](repeating: 7, count: 300_000)
        _ = try await world.upload(file, record: "f", as: person)
    }

    @Test("Uploads in progress are counted with the bodies that are being received")
    func uploads() async throws {
        try await withServer(.socket) {
            $0.limits.receivingBytes = 1_000_000
            $0.limits.requestBytes = 200_000
        } _: { world in
            let raw = try RawHTTP(try #require(world.server.url))
            let alice = try await world.signIn("alice")
            let file = String(
                try await world.uploadAddress(record: "f1", as: alice).dropFirst(ServerWorld.publicURL.count))
            let bytes = [UInt8](repeating: 7, count: 300_000)
            do {
                let bob = BytePayer.person(container: "iCloud.test", name: "_bob")
                let held = try world.service.traffic.receiving.lease(900_000, for: [bob])
                let refused = try await raw.send("POST", file, [:], bytes)
                #expect(refused.failure == "503 TRY_AGAIN_LATER: the server is receiving as much as it can")
                withExtendedLifetime(held) {}
            }
            #expect(try await raw.send("POST", file, [:], bytes).status == 200)
            try await until { world.service.traffic.receiving.bytes == 0 }
        }
    }
}
