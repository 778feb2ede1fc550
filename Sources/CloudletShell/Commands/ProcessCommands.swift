import Cloudlet
import CommandShell
import Foundation

/// Commands that run another command in a process of its own, which can be killed.
struct ProcessCommands {
    let session: CloudSession
    let names: ProgramNames

    private static let group = "Apps"

    var commands: [CommandSpec] {
        [
            CommandSpec(
                ["app", "run"],
                group: Self.group,
                summary: "run a command in a separate process, as this person on this device",
                arguments: [ArgumentSpec("COMMAND", .text)],
                details: "Needs a server that listens: --ephemeral or --server.",
                examples: ["app run 'zone fetch Jokes --keep jokes.json'"]
            ) { arguments in
                let line = try arguments.requiredWord("COMMAND").text
                return .work { try await run(line, killedAt: nil) }
            },
            CommandSpec(
                ["app", "kill"],
                group: Self.group,
                summary: "run a command in a separate process, and kill the process when it prints a text",
                arguments: [ArgumentSpec("COMMAND", .text)],
                flags: [FlagSpec("at", "WORDS", .text, "the text that it prints")],
                details: """
                    The process is killed at once, as when the system removes an app from memory.
                    """,
                examples: ["app kill 'zone fetch Jokes --page 20 --keep jokes.json' --at 'page 2'"]
            ) { arguments in
                let line = try arguments.requiredWord("COMMAND")
                guard let words = arguments.text("at") else {
                    throw ShellError.usage(
                        "--at WORDS is missing: the text at which the process is killed", at: line.range)
                }
                return .work { try await run(line.text, killedAt: words) }
            },
        ]
    }

    private func run(_ line: String, killedAt words: String?) async throws -> Answer {
        let environment = session.environment
        guard let program = environment.executable else {
            throw ShellError(
                code: "noProgram", message: "the program of this app cannot be found",
                remedy: "start the app by the path of its file")
        }
        guard let address = session.server.address else {
            throw ShellError(
                code: "notListening", message: "the server accepts connections of this process only",
                remedy: "\(names.invocation) --ephemeral, or \(names.invocation) --server URL")
        }
        let device = await session.context.device
        let folder = session.devicesFolder.appendingPathComponent(
            ServerAccess.escaped("files of \(device)"))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let app = AppProcess(
            program: program, arguments: await arguments(of: line, at: address), folder: folder,
            environment: environment.variables.isEmpty ? nil : environment.variables,
            apiToken: session.server.apiToken, killedAt: words)
        let end = try await app.run()
        let fields = [AnswerField("ended", .text(end.description))] + end.fields
        return Answer(
            form: .record, entries: [Entry(fields)], notes: ["the process ended: \(end.description)"])
    }

    /// Arguments that give another process the same person, device, container, time and data.
    func arguments(of line: String, at address: URL) async -> [String] {
        let (context, environment) = (await session.context, session.environment)
        var arguments = names.invocation.split(separator: " ").dropFirst().map(String.init)
        arguments += [
            "--server", address.absoluteString, "--on", context.device, "--json",
            "--devices", session.devicesFolder.path, "--seed", "\(await session.nextSeed())",
        ]
        if let person = context.person { arguments += ["--as", person] }
        if let file = session.server.trustedCertificates { arguments += ["--trust-certificate", file.path] }
        if environment.isClockFixed { arguments += ["--now", environment.now().formatted(.iso8601)] }
        if context.place.container != session.initialContainer {
            arguments += ["-c", "container use \(Quoting.name(context.place.container) ?? "")"]
        }
        if context.place.environment != .development {
            arguments += ["-c", "environment \(context.place.environment.rawValue)"]
        }
        return arguments + ["-c", line]
    }
}
