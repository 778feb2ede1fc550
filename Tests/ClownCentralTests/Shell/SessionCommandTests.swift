import Foundation
import Synchronization
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@Suite("Variables, addresses, watch and timing with a server")
struct SessionCommandTests {
    /// The output of a line, including its notes.
    private func said(_ line: String, in world: ShellWorld) async -> String {
        let outcome = await world.runner.run(line)
        return outcome.rendering.data + outcome.rendering.messages
    }

    @Test("A variable has the value of `set`, and $_ is the first record of the last answer")
    func names() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "set where 37.78,-122.40", "party create Tea --at $where")
            #expect(await said("party show $_", in: world).contains("37.78,-122.4"))
            #expect(await said("party list --near $where --within 1km", in: world).contains("Tea"))
            await world.type("set where")
            #expect(await said("party list --near $where", in: world).contains("$where"))
        }
    }

    @Test("A command with an address does not change the current person and device")
    func asSomebody() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "on mac")
            #expect(await said("bob@phone: status", in: world).contains("bob"))
            let status = await world.data("status")
            #expect(status.contains("alice"))
            #expect(status.contains("mac"))
        }
    }

    @Test("If the person of an address cannot sign in, the person and the device stay the same")
    func notSomebody() async throws {
        try await ShellWorld.run(isClosed: true) { world in
            await world.type("on mac")
            let outcome = await world.runner.run("bob@phone: status")
            #expect(outcome.shellError?.code == "signInRefused")
            await world.type("status")
            #expect(await world.runner.run("expect device = mac").isHeldClaim)
            #expect(await world.runner.run("expect person = none").isHeldClaim)
        }
    }

    @Test("Watching ends when a claim holds")
    func watch() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice")
            let outcome = await world.runner.run("watch 'party create Tea' --times 5 --until 'name = Tea'")
            #expect(outcome.shellError == nil)
            #expect(
                await world.runner.run("watch 'batch save 1' --times 3 --until 'count = 7'").shellError == nil
            )
            await world.type("party list")
            #expect(await world.runner.run("expect count 1").isHeldClaim)
            let bad = await world.runner.run("watch 'party list' --until 'nonsense of it'")
            #expect(bad.shellError != nil)
        }
    }

    @Test("`timing` prints the number of requests, and `monitor` each request")
    func timing() async throws {
        try await ShellWorld.run { world in
            let heard = Heard()
            world.runner.environment.announcer.listen { heard.add($0) }
            await world.type("as alice", "party create Tea", "timing on", "monitor on")
            let took = /took 0 ms \(server [0-9]+ ms\) and [0-9]+ requests?\n/
            #expect(await said("party list", in: world).contains(took))
            #expect(heard.lines.contains { $0.hasPrefix("records/query  200  ") })
            let count = heard.lines.count
            await world.type("monitor off", "party list")
            #expect(heard.lines.count == count)
        }
    }

    @Test("--dry-run runs nothing, --timeout stops a command, and --quiet prints no notes")
    func flags() async throws {
        let dry = try await Program.shell("$app --ephemeral --dry-run -c 'as alice' -c 'party create Tea'")
        #expect(dry.code == 0)
        #expect(dry.output.isEmpty)
        #expect(dry.errors.contains("would do: party create Tea"))
        let late = try await Program.shell(
            """
            $app --ephemeral --as alice --timeout 0.2 -c 'fault add slow --seconds 30' -c 'party list'
            """)
        #expect(late.code == 1)
        #expect(late.errors.contains("the command took longer than"))
        let config = try await Program.shell(
            "CLOUDLET_API_TOKEN=secret $app --ephemeral --mode csv -c 'config list'")
        #expect(config.output.contains("api-token,(hidden),CLOUDLET_API_TOKEN\n"))
        #expect(config.output.contains("mode,csv,--mode\n"))
        #expect(config.output.contains("on,terminal,default\n"))
        let quiet = try await Program.shell("$app --ephemeral --quiet -c 'as alice' -c 'party list'")
        #expect(quiet.errors.isEmpty)
    }

    private final class Heard: Sendable {
        private let kept = Mutex<[String]>([])

        var lines: [String] { kept.withLock { $0 } }

        func add(_ line: String) { kept.withLock { $0.append(line) } }
    }
}
