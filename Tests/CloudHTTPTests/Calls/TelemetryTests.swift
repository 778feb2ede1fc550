import CloudService
import CloudletServer
import CloudletTesting
import Foundation
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Telemetry", .timeLimit(.minutes(30)))
struct TelemetryTests {
    private func report(_ query: String = "", _ world: ServerWorld) async throws -> TelemetryReport {
        let reply = try await world.operate("GET", "telemetry" + query)
        try #require(reply.status == 200, "\(reply.text)")
        return try TelemetryReport(bytes: reply.bytes)
    }

    /// The requests of each operation in a report.
    private func counts(_ report: TelemetryReport) -> [String: Int64] {
        Dictionary(uniqueKeysWithValues: report.operations.map { ($0.name, $0.figures.requests) })
    }

    @Test("Telemetry counts each call")
    func equalsWhatWasDone() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            let bob = try await world.signIn("bob")
            _ = try await world.modify("public", [create("p1"), create("p2")], as: alice)
            _ = try await world.modify("private", [create("secret")], as: alice)
            // Two conflicts in one request count as one request with a client error.
            _ = try await world.modify("private", [create("secret"), create("secret2")], as: alice)
            _ = try await world.lookup("public", "p1", as: bob)
            _ = try await world.lookup("public", "missing", as: bob)
            _ = try await world.call("private/records/lookup", names("p1"))
            let all = try await report("?container=iCloud.test", world)
            #expect(counts(all) == ["records/modify": 3, "records/lookup": 3])
            #expect(all.total.requests == 6)
            #expect(all.total.clientErrors == 3)
            #expect(all.total.serverErrors == 0)
            #expect(all.total.errors[.notFound] == 1)
            #expect(all.total.errors[.authenticationRequired] == 1)
            #expect(all.total.errors[.conflict] == 1)
            let scoped = try await report("?container=iCloud.test&scope=private", world)
            #expect(counts(scoped) == ["records/modify": 2, "records/lookup": 1])
            let one = try await report("?scope=public&operation=records%2Flookup", world)
            #expect(counts(one) == ["records/lookup": 2])
            let days = try await report("?container=iCloud.test&period=day", world)
            #expect(days.points.count == 31)
            #expect(days.points.last?.people == 2)
            #expect(days.points.last?.figures.requests == 6)
            // The server's own calls have no container.
            let everything = counts(try await report("", world))
            #expect(everything["POST /dev/sign-in"] == 2)
            #expect(everything["GET /operator/1/telemetry"] == 4)
        }
    }

    @Test("No name of a person or record, and no token is in telemetry and metrics")
    func privacy() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            _ = try await world.modify("private", [create("my-diary", type: "SecretType")], as: alice)
            let texts = [
                try await world.operate("GET", "telemetry?scope=private&period=day").text,
                try await world.send(
                    "GET", "/metrics", headers: ["Authorization": "Bearer \(world.server.operatorKey)"]
                ).text,
            ]
            for text in texts {
                #expect(text.contains("records/modify"))
                for secret in ["my-diary", "SecretType", "alice", alice.recordName, alice.token] {
                    #expect(!text.contains(secret), "\(secret)")
                }
            }
        }
    }

    @Test("Without the operator's key, telemetry and metrics are refused")
    func strangers() async throws {
        try await withServer(.socket) { world in
            for path in ["/metrics", "/operator/1/telemetry"] {
                for headers: CloudHeaders in [[:], ["Authorization": "Bearer wrong"]] {
                    let reply = try await world.send("GET", path, headers: headers)
                    #expect(reply.status == 401)
                    #expect(!reply.text.contains("cloudlet_"))
                }
            }
        }
    }

    @Test("Metrics are in Prometheus format, and their counters match the requests")
    func metrics() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            _ = try await world.lookup("public", "missing", as: alice)
            _ = try await world.lookup("public", "missing", as: alice)
            let reply = try await world.send(
                "GET", "/metrics", headers: ["Authorization": "Bearer \(world.server.operatorKey)"])
            #expect(reply.headers["Content-Type"]?.hasPrefix("text/plain; version=0.0.4") == true)
            let place = #"container="iCloud.test",environment="development",database="public""#
            let labels = place + #",operation="records/lookup""#
            let lines = reply.text.split(separator: "\n")
            for line in [
                "cloudlet_requests_total{\(labels)} 2", "cloudlet_client_errors_total{\(labels)} 2",
                "cloudlet_errors_total{\(labels),code=\"notFound\"} 2",
                "cloudlet_request_duration_seconds_count{\(labels)} 2",
                "cloudlet_request_duration_seconds_bucket{\(labels),le=\"+Inf\"} 2",
                "# TYPE cloudlet_request_duration_seconds histogram",
            ] {
                #expect(lines.contains(line[...]), "\(line)")
            }
            for line in lines where !line.hasPrefix("#") {
                #expect(line.wholeMatch(of: /[a-z_]+\{[^{}]*\} [0-9.e+-]+/) != nil, "\(line)")
            }
        }
    }

    @Test("Missing containers are counted together, and unknown parameter values are refused")
    func invented() async throws {
        try await withServer(.loopback, { $0.limits.telemetryKeys = 8 }) { world in
            let alice = try await world.signIn("alice")
            for number in 0..<20 {
                _ = try await world.call(
                    "public/records/lookup", names("x"), container: "iCloud.no-\(number)")
            }
            _ = try await world.lookup("public", "x", as: alice)
            let own = try await report("?container=iCloud.test", world)
            #expect(counts(own) == ["records/lookup": 1])
            let others = try await report(
                "?container=\(PercentEncoding.encode(TelemetryKey.otherName))", world)
            #expect(others.total.requests == 20)
            for query in ["?scope=secret", "?period=year", "?environment=moon"] {
                #expect(try await world.operate("GET", "telemetry" + query).status == 400)
            }
        }
    }

    @Test("Telemetry assigns requests to hours and minutes by the server's clock")
    func periods() async throws {
        try await withServer(.loopback) { world in
            _ = try await world.signIn("alice")
            world.clock.advance(bySeconds: 3 * 3600)
            _ = try await world.signIn("alice")
            _ = try await world.signIn("alice")
            let hours = try await report("?operation=POST%20%2Fdev%2Fsign-in", world)
            #expect(hours.points.map(\.figures.requests).suffix(4) == [1, 0, 0, 2])
            #expect(hours.points.count == 48)
            let minutes = try await report("?operation=POST%20%2Fdev%2Fsign-in&period=minute", world)
            #expect(minutes.total.requests == 2)
        }
    }

    @Test("Counts survive a restart, and are deleted with their container")
    func restart() async throws {
        try await withFolder { folder in
            let data = folder.appendingPathComponent("data")
            let first = try await ServerWorld.start(.loopback) { $0.storage = .folder(data) }
            let alice = try await first.signIn("alice")
            _ = try await first.lookup("public", "missing", as: alice)
            await first.stop()
            let second = try await ServerWorld.start(.loopback) { $0.storage = .folder(data) }
            let kept = try await report("?container=iCloud.test", second)
            #expect(counts(kept) == ["records/lookup": 1])
            let deleted = try await second.operate(
                "POST", "containers/iCloud.test/delete", ["confirm": "iCloud.test"])
            #expect(deleted.status == 200, "\(deleted.text)")
            #expect(try await report("?container=iCloud.test", second).total.requests == 0)
            await second.stop()
        }
    }

    @Test("Counts are stored a minute after the first request, so a killed server loses at most a minute")
    func kill() async throws {
        try await withFolder { folder in
            let data = folder.appendingPathComponent("data")
            let (asked, ask) = AsyncStream<Duration>.makeStream()
            let (minutes, minute) = AsyncStream<Void>.makeStream()
            let world = try await ServerWorld.start(.loopback) {
                $0.storage = .folder(data)
                $0.idle = { duration in
                    ask.yield(duration)
                    for await _ in minutes { return }
                    throw CancellationError()
                }
            }
            let alice = try await world.signIn("alice")
            _ = try await world.lookup("public", "missing", as: alice)
            var waits = asked.makeAsyncIterator()
            let firstWait = await waits.next()
            #expect(firstWait == .seconds(60))
            minute.yield()
            // The next wait begins when the counts are stored.
            let secondWait = await waits.next()
            #expect(secondWait == .seconds(60))
            _ = try await world.lookup("public", "missing", as: alice)
            // A copy of the files has the state that a killed server would leave.
            let killed = folder.appendingPathComponent("killed")
            try FileManager.default.copyItem(at: data, to: killed)
            let second = try await ServerWorld.start(.loopback) { $0.storage = .folder(killed) }
            let kept = try await report("?container=iCloud.test", second)
            #expect(counts(kept) == ["records/lookup": 1])
            await second.stop()
            await world.stop()
        }
    }

    @Test("A delivered push, and the poll that waited for it, are counted")
    func pushes() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            _ = try await world.modify("public", [create("p0")], as: alice)
            let subscribed = try await world.subscribe("public", [subscription("s")], as: alice)
            try #require(subscribed.status == 200, "\(subscribed.text)")
            let courier = try await world.courier(of: alice, on: "phone")
            _ = try await world.modify("public", [create("p1")], as: alice)
            #expect(try await world.polled(courier) == "p1")
            let all = try await report("", world)
            #expect(all.total.pushesSent == 1)
            #expect(all.operations.first { $0.name == TelemetryKey.pushOperation }?.figures.pushesSent == 1)
            let poll = try #require(all.operations.first { $0.name == "push/poll" })
            #expect(poll.figures.requests == 1)
            #expect(poll.figures.latency == nil)
        }
    }
}
