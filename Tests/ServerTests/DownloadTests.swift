// Owns the proof that files go out: whole, in part, or not at all when the reader has them (sheet 4).

import RecordsWire
import Testing

@Suite("Downloads", .timeLimit(.minutes(2)))
struct DownloadTests {
    private static let content = Array("0123456789".utf8)

    /// The address of a file of ten bytes, and its checksum.
    private static func address(_ world: ServerWorld) async throws -> (String, String) {
        let alice = try await world.signIn("alice")
        let receipt = try await world.upload(content, record: "f1", as: alice)
        let saved = try await world.call(
            "public/records/modify", batch([world.photo("f1", receipt)]), as: alice)
        let value = saved.json["records"][0]["fields"]["file"]["value"]
        return (try #require(value["downloadURL"].text), try #require(value["fileChecksum"].text))
    }

    @Test("The placeholder for a file name may stay where it is, raw or encoded", arguments: Way.allCases)
    func placeholder(way: Way) async throws {
        try await serving(way) { world in
            let (address, _) = try await Self.address(world)
            for suffix in ["", "/${f}", "/%24%7Bf%7D", "/photo.jpg", "/${f}?x=1", "?o=2", "/a%20b.jpg"] {
                let reply = try await world.send("GET", address + suffix)
                #expect(reply.status == 200, "\(suffix)")
                #expect(reply.bytes == Self.content, "\(suffix)")
            }
        }
    }

    @Test("A download address expires", arguments: Way.allCases)
    func expiry(way: Way) async throws {
        try await serving(way) { world in
            let (address, _) = try await Self.address(world)
            world.clock.advance(bySeconds: 3599)
            #expect(try await world.send("GET", address).status == 200)
            world.clock.advance(bySeconds: 1)
            let late = try await world.send("GET", address)
            #expect(late.failure == "403 ACCESS_DENIED: the URL is not valid or has expired")
        }
    }
}
