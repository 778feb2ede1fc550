import CloudletServer
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Calls about schemas", .timeLimit(.minutes(30)))
struct SchemaThreadTests {
    @Test(
        "Schemas are read, checked and listed on other threads than those that answer requests",
        arguments: [
            ("GET", "/operator/1/containers/iCloud.test/development/schema"),
            ("POST", "/operator/1/containers/iCloud.test/development/schema/check"),
            ("GET", "/dev/schema?container=iCloud.test"),
        ])
    func calls(method: String, path: String) async throws {
        let gate = GatedExecutor()
        try await withServer(.loopback, { $0.bodyThreads = gate.threads }) { world in
            defer { gate.open() }
            let alice = try await world.signIn("alice")
            let saved = try await world.modify("public", [create("p")], as: alice)
            #expect(saved.records == ["ok"])
            let schema: JSON = ["schema": "DEFINE SCHEMA"]
            let body = try method == "POST" ? schema.encoded() : []
            async let reply = world.send(
                method, path, headers: ["Authorization": "Bearer \(world.server.operatorKey)"], body: body)
            await gate.waitForWork()
            // Other requests are answered meanwhile.
            let other = try await world.send("GET", "/limits")
            #expect(other.status == 200)
            gate.open()
            let answer = try await reply
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.text.contains("Party"))
        }
    }
}
