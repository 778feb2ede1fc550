import CloudService
import CloudletServer
import CloudletTesting
import Logging
import Records
import RecordsWire
import Synchronization
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Alerts of a server", .timeLimit(.minutes(30)))
struct AlertServiceTests {
    @Test("Silence raises an alert once; apps' requests clear it once, and a probe's do not")
    func silence() async throws {
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            $0.alerts = "silence>10m, quota>90%"
            $0.alertSender = { _ in }
        }
        try await withServer(.loopback, configure) { world in
            try await world.createContainer()
            var states: [[Bool]] = []
            for step in 0..<6 {
                states.append(await world.service.alerts.due().map(\.isRaised))
                world.clock.advance(bySeconds: 400)
                _ = try await world.send("GET", "/live")
                if step > 2 { _ = try await world.call("public/records/lookup", names("p")) }
            }
            #expect(states == [[], [], [true], [], [false], []])
        }
    }

    @Test("An alert that failed is logged and sent again in a minute, and delays no request")
    func failure() async throws {
        let notebook = LogRecorder()
        let (asked, ask) = AsyncStream<Duration>.makeStream()
        let (minutes, minute) = AsyncStream<Void>.makeStream()
        let (sent, send) = AsyncStream<String>.makeStream()
        let (answers, answer) = AsyncStream<Bool>.makeStream()
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            $0.logger = Logger(label: "test") { _ in LogRecorder.Writer(notebook: notebook) }
            $0.countsRequests = false
            $0.alerts = "silence>10m"
            $0.idle = { duration in
                ask.yield(duration)
                for await _ in minutes { return }
                throw CancellationError()
            }
            $0.alertSender = { json in
                send.yield(json)
                for await isTaken in answers {
                    if isTaken { return }
                    throw AlertRefused()
                }
            }
        }
        try await withServer(.loopback, configure) { world in
            var (waits, alerts) = (asked.makeAsyncIterator(), sent.makeAsyncIterator())
            #expect(await waits.next() == .seconds(60))
            world.clock.advance(bySeconds: 700)
            minute.yield()
            let first = try #require(await alerts.next())
            #expect(first.contains(#""rule":"silence>10m","state":"raised""#))
            // The sender has not returned yet.
            let reply = try await world.send("GET", "/live")
            #expect(reply.status == 200)
            answer.yield(false)
            _ = await waits.next()
            let warnings = notebook.lines.withLock { $0.filter { $0.contains("an alert was not sent") } }
            #expect(warnings.count == 1 && warnings[0].contains("nobody took it"), "\(warnings)")
            minute.yield()
            #expect(await alerts.next() == first)
            answer.yield(true)
            _ = await waits.next()
            // The alert was delivered, so a minute later there is nothing to send.
            minute.yield()
            _ = await waits.next()
            send.finish()
            #expect(await alerts.next() == nil)
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

/// The error with which a test refuses an alert.
private struct AlertRefused: Error, CustomStringConvertible {
    var description: String { "nobody took it" }
}
