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

    @Test("A full public database is found among more containers than are measured in one minute")
    func manyContainers() async throws {
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            $0.limits.quota = QuotaRules()
            $0.limits.quota?.publicRecordBytes = 1000
            $0.limits.quota?.publicRecordBytesPerUser = 0
            $0.limits.quota?.publicPersonPercent = 100
            $0.alerts = "quota>90%"
            $0.alertSender = { _ in }
        }
        try await withServer(.loopback, configure) { world in
            for number in 100..<301 { try await world.createContainer("iCloud.a\(number)") }
            let ann = try await world.signIn("ann")
            let text = String(repeating: "x", count: 700)
            try await world.save("p", ["name": ["value": .string(text)]], as: ann)
            var alerts: [Alert] = []
            for _ in 0..<2 {
                alerts += await world.service.alerts.due()
                world.clock.advance(bySeconds: 60)
            }
            #expect(alerts.map(\.subject) == ["iCloud.test development"], "\(alerts)")
            // The full database is remembered while others are measured, and forgotten with its container.
            world.clock.advance(bySeconds: 600)
            #expect(await world.service.alerts.due().isEmpty)
            try await world.service.containers.delete("iCloud.test")
            #expect(await world.service.alerts.due().map(\.isRaised) == [false])
        }
    }

    @Test("An alert says how many people have nearly used up their quota, and not who they are")
    func nearlyFullPeople() async throws {
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            $0.limits.quota = QuotaRules()
            $0.limits.quota?.personBytes = 2000
            $0.alerts = "people>0"
            $0.alertSender = { _ in }
        }
        try await withServer(.loopback, configure) { world in
            let ann = try await world.signIn("ann-who-stores-much")
            let bob = try await world.signIn("bob")
            _ = try await world.modify("private", [create("r")], as: bob)
            #expect(await world.service.alerts.due().isEmpty)
            let note = create("r", ["text": text(String(repeating: "x", count: 1600))])
            let saved = try await world.modify("private", [note], as: ann)
            try #require(saved.records == ["ok"], "\(saved.text)")
            world.clock.advance(bySeconds: 300)
            #expect(await world.service.alerts.due().isEmpty)
            world.clock.advance(bySeconds: 300)
            let alerts = await world.service.alerts.due()
            #expect(alerts.map(\.value) == ["1 person"], "\(alerts)")
            #expect(!"\(alerts)".contains(ann.name) && !"\(alerts)".contains(ann.recordName))
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
