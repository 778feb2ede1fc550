import CloudService
import CloudletServer
import Records
import RecordsWire
import Testing

@testable import CloudConsole
@testable import ServerKit
@testable import TestKit

@Suite("The cost of decoding a form", .timeLimit(.minutes(30)))
struct FormCostTests {
    private static let schemaPath = ServerWorld.place + "/schema"

    private func world(
        _ bodies: GatedExecutor? = nil, _ scenario: (ServerWorld, ConsoleVisitor) async throws -> Void
    ) async throws {
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            $0.access = .closed
            $0.console = .on
            $0.passwordCost = .quick
            if let bodies { $0.bodyThreads = bodies.threads }
        }
        try await withServer(.loopback, configure) { world in
            try await world.createContainer()
            try await world.add(operator: "dora", .developer, in: "iCloud.test")
            try await scenario(world, try await ConsoleVisitor.signedIn("dora", world))
        }
    }

    @Test("A form is not read for an operator who may send none of the page's forms")
    func role() async throws {
        try await world { world, _ in
            try await world.add(operator: "vera", .viewer, in: "iCloud.test")
            let vera = try await ConsoleVisitor.signedIn("vera", world)
            // If the server read the form, it would report the wrong CSRF token first.
            let reply = try await vera.post(Self.schemaPath, ["action": "check"], csrfToken: "wrong")
            #expect(reply.status == 403)
            #expect(reply.text.contains("nly a developer may do this, and you are a viewer"))
        }
    }

    @Test("A form has at most 64 KB, 3 MB on the page of the schema, and 4 MB with the files of a record")
    func size() async throws {
        try await world { _, dora in
            for (path, most) in [("/types", 65_536), ("/schema", 3_145_728), ("/new?type=X", 4_194_304)] {
                for length in [most, most + 1] {
                    let csrfToken = await dora.csrfToken
                    let rest = "x=&csrfToken=\(PercentEncoding.encode(csrfToken))".utf8.count
                    let reply = try await dora.post(
                        ServerWorld.place + path, ["x": String(repeating: "y", count: length - rest)])
                    let isTooLong = reply.text.contains("larger than the maximum of \(most) bytes")
                    #expect(isTooLong == (length > most), "\(path) \(length)")
                    _ = try await dora.get(ServerWorld.place + "/types")
                }
            }
        }
    }

    @Test("A long form and a long schema are decoded on other threads than requests are answered on")
    func threads() async throws {
        let gate = GatedExecutor()
        try await world(gate) { world, dora in
            defer { gate.open() }
            let comment = String(repeating: "-- nothing\n", count: 3000)
            async let reply = dora.post(
                Self.schemaPath, ["action": "check", "text": "DEFINE SCHEMA\n" + comment])
            await gate.waitForWork()
            // Meanwhile, the server answers other requests.
            let other = try await world.send("GET", "/limits")
            #expect(other.status == 200)
            gate.open()
            let answer = try await reply
            #expect(answer.status == 200)
        }
    }

    @Test(
        "Schemas are compared away from the threads that answer others",
        arguments: [("schema", ""), ("deploy", ""), ("schema", "DEFINE SCHEMA")])
    func comparisons(page: String, text: String) async throws {
        let gate = GatedExecutor()
        try await world(gate) { world, dora in
            defer { gate.open() }
            let path = ServerWorld.place + "/" + page
            async let reply =
                text.isEmpty ? dora.get(path) : dora.post(path, ["action": "check", "text": text])
            await gate.waitForWork()
            let other = try await world.send("GET", "/limits")
            #expect(other.status == 200)
            gate.open()
            let answer = try await reply
            #expect(answer.status == 200)
        }
    }
}
