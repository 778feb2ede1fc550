import CloudService
import RecordsWire
import Testing

@testable import CloudletServer
@testable import ServerKit
@testable import TestKit

@Suite("People behind one address", .timeLimit(.minutes(2)))
struct SharedAddressTests {
    @Test("Large answers to some refuse those who are not signed in, and not other people")
    func largeAnswers() async throws {
        try await played(.socket, { $0.limits.sendingBytes = 4_000_000 }) { world in
            let raw = try RawHTTP(try #require(world.server.url))
            let bob = try await world.signIn("bob")
            let address = BytePayer.origin(try #require(NetworkOrigin(text: "127.0.0.1")))
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

    @Test("Uploads in progress are counted with the bodies that are being received")
    func uploads() async throws {
        try await played(.socket) {
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
