import Cloudlet
import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@Suite("The network and the clock at the shell")
struct NetworkTests {
    @Test("a lossy network loses every third request, alternately before and after the server has it")
    func lossy() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "network lossy")
            let names = ["One", "Two", "Three", "Four", "Five", "Six"]
            var codes: [String?] = []
            for name in names {
                codes += await world.type("party create \(name)").map(\.shellError?.code)
            }
            #expect(codes == [nil, nil, "serverResponseLost", nil, nil, "serverResponseLost"])
            let claims = await world.type("network on", "party list", "expect count 5")
            #expect(claims.compactMap(\.shellError).isEmpty)
        }
    }

    @Test("a request takes three more seconds on a slow network, a minute on a dead one, no time without one")
    func times() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice")
            let table: [(String, Double, String?)] = [
                ("on", 0, nil), ("slow", 3, nil), ("dead", 60, "networkFailure"),
                ("off", 0, "networkUnavailable"),
            ]
            for (profile, seconds, code) in table {
                await world.type("network \(profile)")
                let start = world.cloud.clock.now
                let outcomes = await world.type("party list")
                #expect(outcomes.map(\.shellError?.code) == [code], "\(profile)")
                #expect(world.cloud.clock.now.timeIntervalSince(start) == seconds, "\(profile)")
            }
            let outcomes = await world.type("party list", "on tablet", "party list")
            #expect(outcomes[0].shellError?.remedy == "network on")
            #expect(outcomes[2].shellError == nil, "the other device has a network of its own")
        }
    }

    @Test("the prompt shows the network of the device and the shift of the clock")
    func prompt() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "network dead", "clock advance 7d")
            #expect(await world.prompt == "development alice@phone [dead network, clock +7d]> ")
            await world.type("network off", "clock advance 90m")
            #expect(await world.prompt == "development alice@phone [offline, clock +7d 1h 30m]> ")
            await world.type("network on")
            #expect(await world.prompt == "development alice@phone [clock +7d 1h 30m]> ")
        }
    }

    @Test("the status shows the shift of the clock, and does not wait for a dead network")
    func status() async throws {
        try await ShellWorld.run { world in
            let before = await world.type("as alice", "status", "expect clock = none")
            #expect(before.compactMap(\.shellError).isEmpty)
            await world.type("clock advance 7d", "clock advance 90m", "network dead")
            let start = world.cloud.clock.now
            let outcomes = await world.type(
                "status", "expect clock = '+7d 1h 30m'", "expect network = dead",
                "expect account = unknown")
            #expect(outcomes.compactMap(\.shellError).isEmpty, "\(outcomes.compactMap(\.shellError))")
            #expect(world.cloud.clock.now == start)
        }
    }

    @Test("the status of a remote server does not wait for a dead network either")
    func statusElsewhere() async throws {
        // A command that waits for the dead network would take 60 seconds.
        let lines = "--timeout 30 -c 'network dead' -c status"
        let end = try await Program.shell("$cloudlet exec -- sh -c \"$app --as alice \(lines)\"")
        #expect(end.code == 0, "\(end.errors)")
        #expect(end.output.contains("dead"))
    }

    @Test("the clock advances for the shell and its server")
    func clock() async throws {
        try await ShellWorld.run { world in
            let (before, shell) = (world.cloud.clock.now, world.cloud.environment.now())
            await world.type("clock advance 7d")
            #expect(world.cloud.clock.now.timeIntervalSince(before) == 604_800)
            #expect(world.cloud.environment.now().timeIntervalSince(shell) == 604_800)
            await world.type("as alice", "record save Ball b1 size=3")
            let database = await world.cloud.container.publicCloudDatabase
            let ball = try await database.record(for: CKRecord.ID(recordName: "b1"))
            let saved = try #require(ball.modificationDate)
            #expect(saved.timeIntervalSince(before) >= 604_800)
        }
    }

    @Test(
        "the unit of a shift is a letter or a word, with or without a blank",
        arguments: [
            ("2 hours", 7200), ("2h", 7200), ("1 day", 86_400), ("90 Seconds", 90), ("30min", 1800),
            ("+1 w", 604_800),
        ] as [(String, Double)])
    func units(_ time: String, _ seconds: Double) async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type("clock advance \(time)")
            #expect(outcomes.compactMap(\.shellError).isEmpty)
            #expect(world.cloud.environment.clockShift.seconds == seconds)
        }
    }

    @Test(
        "a shift needs a duration from now on, of at most a hundred years",
        arguments: [
            "soon", "-7d", "0d", "2026-07-04", "101w101d", "5300w", "2", "2ms", "2 years", "1 day 2 hours",
        ])
    func refused(_ time: String) async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type("clock advance \(time)")
            #expect(outcomes.map(\.shellError?.code) == ["usage"])
            #expect(world.cloud.environment.clockShift.seconds == 0)
        }
    }

    @Test("the clock of a remote server cannot be moved, and the error has the next step")
    func elsewhere() async throws {
        let end = try await Program.shell("$cloudlet exec -- sh -c \"$app -c 'clock advance 7d'\"")
        #expect(end.code != 0)
        #expect(end.errors.contains("the clock cannot be moved"))
        #expect(end.errors.contains("clown-central --ephemeral"))
    }
}
