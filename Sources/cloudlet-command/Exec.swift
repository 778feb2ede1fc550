// Owns `cloudlet exec`: a command with a server of its own.

import ArgumentParser
import CloudletServer
import Foundation
import Subprocess
import UnixSignals

/// Runs a command beside an ephemeral server and passes its exit code on.
struct Exec: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec", abstract: "Run a command beside an ephemeral server.",
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

    /// Runs the command and returns its exit code.
    ///
    /// An interrupt at the terminal reaches the command by itself and does not end us before it; a request to
    /// terminate is handed on.
    private func passedOn(_ address: String) async -> Int32 {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let (children, child) = AsyncStream.makeStream(of: pid_t.self)
        return await withTaskGroup(of: Int32?.self) { group in
            group.addTask {
                for await child in children {
                    for await signal in signals where signal == .sigterm { kill(child, SIGTERM) }
                }
                return nil
            }
            group.addTask { await result(address, child) }
            for await code in group {
                guard let code else { continue }
                group.cancelAll()
                return code
            }
            return 127
        }
    }

    private func result(_ address: String, _ child: AsyncStream<pid_t>.Continuation) async -> Int32 {
        do {
            let result = try await Subprocess.run(
                .name(command[0]), arguments: Arguments(Array(command.dropFirst())),
                environment: .inherit.updating(["CLOUDLET_URL": address]), input: .currentStandardInput,
                output: .currentStandardOutput, error: .currentStandardError
            ) { execution in
                child.yield(execution.processIdentifier.value)
                child.finish()
            }
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
