import CloudService
import CloudletServer
import CloudletTesting
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Alerts of a server", .timeLimit(.minutes(2)))
struct AlertServiceTests {
    @Test("Silence raises an alert once, and requests clear it once")
    func silence() async throws {
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            $0.alerts = "silence>10m, quota>90%"
            $0.alertSender = { _ in }
        }
        try await played(.loopback, configure) { world in
            try await world.createContainer()
            var states: [[Bool]] = []
            for step in 0..<6 {
                states.append(await world.service.alerts.due().map(\.isRaised))
                world.clock.advance(bySeconds: 400)
                if step > 2 { _ = try await world.send("GET", "/live") }
            }
            #expect(states == [[], [], [true], [], [false], []])
        }
    }

    @Test("A rule that cannot be read keeps the server from starting")
    func badRule() async throws {
        var configuration = ServerConfiguration.ephemeral
        configuration.alerts = "load>5%"
        let error = await #expect(throws: ServerError.self) {
            _ = try await CloudletServer.start(configuration)
        }
        #expect(error?.code == .alertsUnusable)
        #expect(error?.reason.contains("load>5%") == true)
    }
}
