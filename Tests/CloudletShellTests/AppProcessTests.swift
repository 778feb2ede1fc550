import Cloudlet
import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@Suite("Processes of the app")
struct AppProcessTests {
    @Test("a process runs as the current person on the current device, and its exit code is shown")
    func run() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "as alice", "on tablet", "app run 'party create Tea'", "expect name = Tea",
                "app run 'status'", "expect person = alice", "expect device = tablet",
                "app run 'party show Coffee'", "expect ended = \"with code 1\""
            )
            #expect(outcomes.compactMap(\.shellError).isEmpty)
        }
    }

    @Test("a process gets the app's token as a variable, not as an argument, which others can read")
    func token() async throws {
        try await ShellWorld.run(isClosed: true) { world in
            let program = world.folder.appendingPathComponent("program")
            let script = #"""
                #!/bin/sh
                printf '{"token":"%s"}\n' "$CLOUDLET_API_TOKEN"

                """#
            try Data(script.utf8).write(to: program)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program.path)
            let token = try #require(world.cloud.server.apiToken)
            let environments: [[String: String]?] = [nil, ["PATH": "/usr/bin:/bin"]]
            for environment in environments {
                let app = AppProcess(
                    program: program, arguments: ["status"], folder: world.folder, environment: environment,
                    apiToken: token, killedAt: nil)
                let end = try await app.run()
                #expect(end.fields == [AnswerField("token", .text(token))])
            }
            // The arguments that the command itself gives.
            let commands = ProcessCommands(session: world.cloud, names: ClownCentralApp.names)
            let address = try #require(world.cloud.server.address)
            let arguments = await commands.arguments(of: "status", at: address)
            #expect(!arguments.contains(token) && arguments.last == "status")
        }
    }

    @Test("the next process does not fetch again the pages of a killed one")
    func killed() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "as alice", "zone fill Z 50",
                "fault add slow --on changes/zone --after 3 --times 1 --seconds 10",
                "app kill 'zone fetch Z --page 10 --keep z.json' --at 'page 3 is kept'",
                "expect ended = killed",
                "app run 'zone fetch Z --page 10 --keep z.json'", "expect from = \"the last token\"",
                "expect new = 20", "expect twice = 0", "expect pages = 2"
            )
            #expect(outcomes.compactMap(\.shellError).isEmpty, "\(outcomes.compactMap(\.shellError))")
        }
    }

    @Test("a killed first sync continues after the last stored page")
    func killedSync() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "as alice", "note fill 500", "sync", "on tablet",
                "fault add slow --on changes/zone --device tablet --after 1 --times 1 --seconds 10",
                "app kill 'sync --say' --at '200 of 500 fetched'", "expect ended = killed",
                "app run sync", "expect fetched = 300", "expect pending = 0"
            )
            #expect(outcomes.compactMap(\.shellError).isEmpty, "\(outcomes.compactMap(\.shellError))")
        }
    }

    @Test("without --at, and without a listening server, the command reports what is missing")
    func usage() async throws {
        try await ShellWorld.run { world in
            let shellError = await world.runner.run("app kill 'status'").shellError
            #expect(shellError?.exit == .usage)
            #expect(shellError?.message.hasPrefix("--at WORDS is missing") == true)
        }
        var environment = ShellEnvironment.placeholder(ClownCentralApp.names)
        environment.executable = URL(fileURLWithPath: "/bin/true")
        let access = ServerAccess(
            transport: UnconnectedTransport(), description: "a test", assetFolder: .unused(),
            now: { ShellWorld.now })
        let session = CloudSession(
            with: access, container: "iCloud.org.example.app", device: "phone", devicesFolder: .unused(),
            in: environment)
        let program = CloudProgram(ClownCentralApp.names, session: session, build: "")
        let runner = StatementRunner(program: program, environment: environment)
        let shellError = await runner.run("app run status").shellError
        #expect(shellError?.code == "notListening")
        #expect(shellError?.remedy == "clown-central --ephemeral, or clown-central --server URL")
    }
}
