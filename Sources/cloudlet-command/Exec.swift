// Owns `cloudlet exec`: a command with a server of its own.

import ArgumentParser
import CloudletServer
import Foundation
import Subprocess

/// Runs a command beside an ephemeral server and passes its exit code on.
struct Exec: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a command beside an ephemeral server.",
        discussion: "The command finds the server's address in CLOUDLET_URL. Its exit code is passed on."
    )

    @Argument(parsing: .postTerminator, help: "The command and its arguments, after --.")
    var command: [String] = []

    func validate() throws {
        if command.isEmpty { throw ValidationError("Name the command after --: cloudlet exec -- swift test") }
    }

    func run() async throws {
        var configuration = ServerConfiguration.ephemeral
        configuration.port = 0
        let server = try await ServerPlace.parse([]).start(configuration)
        let code = await passedOn(server.url?.absoluteString ?? "")
        await server.stop()
        if code != 0 { throw ExitCode(code) }
    }

    private func passedOn(_ address: String) async -> Int32 {
        do {
            let result = try await Subprocess.run(
                .name(command[0]), arguments: Arguments(Array(command.dropFirst())),
                environment: .inherit.updating(["CLOUDLET_URL": address]), input: .currentStandardInput,
                output: .currentStandardOutput,
                error: .currentStandardError
            )
            switch result.terminationStatus {
            case .exited(let code): return code
            case .signaled(let signal): return 128 + signal
            }
        } catch {
            Talk.say("cannot run \(command[0]): \(error)")
            return 127
        }
    }
}
