import Foundation
import RecordsWire
import Testing

@testable import CloudletServer
@testable import ServerKit
@testable import TestKit

@Suite("Liveness and readiness", .timeLimit(.minutes(30)))
struct HealthTests {
    @Test("A server answers that it is live and ready, and forbids caching the answer")
    func well() async throws {
        try await serving { world in
            let live = try await world.send("GET", "/live")
            #expect(live.status == 200)
            #expect(live.json == ["status": "live"])
            let ready = try await world.send("GET", "/ready")
            #expect(ready.json == ["status": "ready"])
            #expect(ready.headers["Cache-Control"] == "no-store")
        }
    }

    @Test("A server whose data folder cannot be written is live and not ready")
    func withoutFolder() async throws {
        try await serving { world in
            let (folder, elsewhere) = (world.server.dataFolder, URL.unused())
            try FileManager.default.moveItem(at: folder, to: elsewhere)
            let ready = try await world.send("GET", "/ready")
            let live = try await world.send("GET", "/live")
            try FileManager.default.moveItem(at: elsewhere, to: folder)
            #expect(ready.failure == "503 TRY_AGAIN_LATER: the server cannot write its data folder")
            #expect(ready.headers["Retry-After"] == "10")
            #expect(live.status == 200)
            #expect(try await world.send("GET", "/ready").status == 200)
        }
    }

    @Test("A server that is stopping is live and not ready")
    func stopping() async throws {
        try await withServer(.socket) { world in
            world.server.composition.gate.close()
            let ready = try await world.send("GET", "/ready")
            #expect(ready.failure == "503 TRY_AGAIN_LATER: the server is shutting down")
            #expect(try await world.send("GET", "/live").status == 200)
        }
    }
}
