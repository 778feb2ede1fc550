import ArgumentParser
import CloudletServer
import CommandShell
import Foundation
import Records
import RecordsWire
import Subprocess
import UnixSignals

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// Runs a command with an ephemeral server and returns the command's exit code.
struct Exec: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec", abstract: "Run a command with an ephemeral server.",
        usage: """
            cloudlet exec -- swift test
            cloudlet exec --schema app.ckdb -- swift test
            cloudlet exec --container iCloud.org.example.app --user paul -- ./import.sh
            """,
        discussion: """
            Starts a server with a new container, an API token for it and a signed-in person, and \
            passes them to the command in CLOUDLET_URL, CLOUDLET_CONTAINER, CLOUDLET_ENVIRONMENT, \
            CLOUDLET_API_TOKEN, CLOUDLET_WEB_AUTH_TOKEN, CLOUDLET_USER and \
            CLOUDLET_USER_RECORD_NAME, which CKContainer.default() reads. With \
            CLOUDLET_OPERATOR_KEY_FILE the command can run other cloudlet commands. Forwards signals \
            and the exit code, and deletes all data at the end. With --schema, it compares the \
            types, fields and indexes that a successful command needed with that file, which shows \
            whether the tested schema can be deployed.
            """
    )

    @Option(help: "The container to create. Default: CLOUDLET_CONTAINER, or else iCloud.org.example.app")
    var container: String?

    @OptionGroup var place: EnvironmentOption

    @Option(help: "The person to sign in; - for nobody.")
    var user = "tester"

    @Option(
        help: "A schema file (.ckdb): fail if it lacks a type, field or index that the command needed.",
        completion: .file())
    var schema: String?

    @Flag(help: "Add the missing parts to the schema file, or create the file; comments are lost.")
    var repair = false

    @Argument(parsing: .postTerminator, help: "The command and its arguments, after --.")
    var command: [String] = []

    func validate() throws {
        if command.isEmpty { throw ValidationError("Name the command after --: cloudlet exec -- swift test") }
        if repair, schema == nil {
            throw ValidationError("--repair needs the file to repair: --schema app.ckdb")
        }
    }

    func run() async throws {
        let check = try schema.map { try SchemaFileCheck(file: $0, repairs: repair) }
        var configuration = ServerConfiguration.ephemeral
        configuration.port = 0
        configuration.access = .open
        let server = try await ServerPlace.parse([]).start(configuration)
        // The command's files belong to the user; the server has already created its own private folder.
        UserMask.restore()
        do {
            let container = try containerName
            let code = await runCommand(try await variables(of: server, container))
            if code != 0 { throw ExitCode(code) }
            try await check?.run(OperatorClient(of: server), container, place.environment)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    // MARK: The environment of the command

    private var containerName: String {
        get throws {
            try CommandSettings.settings(["container": container])["container"] ?? "iCloud.org.example.app"
        }
    }

    /// Creates the container, its token and the signed-in person, and returns the environment variables of
    /// the command.
    private func variables(
        of server: CloudletServer, _ container: String
    ) async throws -> [Environment.Key: String?] {
        let client = OperatorClient(of: server)
        for warning in try await client.send(CreateContainer(container)).warnings {
            Messages.say("warning: " + warning)
        }
        let token = try await client.send(CreateToken(for: container, try place.environment))
        var variables: [Environment.Key: String?] = [
            "CLOUDLET_URL": server.url?.absoluteString ?? "",
            "CLOUDLET_CONTAINER": container,
            "CLOUDLET_ENVIRONMENT": try place.environment.rawValue,
            "CLOUDLET_API_TOKEN": token.text,
            "CLOUDLET_OPERATOR_KEY_FILE": server.dataFolder.appendingPathComponent("operator.key").path,
            "CLOUDLET_WEB_AUTH_TOKEN": nil,
            "CLOUDLET_USER": nil,
            "CLOUDLET_USER_RECORD_NAME": nil,
        ]
        if user == "-" { return variables }
        let session = try await client.send(SignInByName(user, container: container))
        variables["CLOUDLET_WEB_AUTH_TOKEN"] = session.webAuthToken
        variables["CLOUDLET_USER"] = user
        variables["CLOUDLET_USER_RECORD_NAME"] = session.userRecordName
        return variables
    }

    // MARK: Running the command

    /// Runs the command and returns its exit code.
    ///
    /// Ctrl-C at a terminal reaches the command directly, and this process waits for the command to end.
    /// Other signals are forwarded.
    private func runCommand(_ variables: [Environment.Key: String?]) async -> Int32 {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup, .sigquit)
        let (children, child) = AsyncStream.makeStream(of: pid_t.self)
        return await withTaskGroup(of: Int32?.self) { group in
            group.addTask {
                for await child in children {
                    for await signal in signals { forward(signal, to: child) }
                }
                return nil
            }
            group.addTask { await result(variables, child) }
            for await code in group {
                guard let code else { continue }
                group.cancelAll()
                return code
            }
            return 127
        }
    }

    /// Forwards a signal. The terminal has already sent SIGINT and SIGQUIT to its whole foreground process
    /// group.
    private func forward(_ signal: UnixSignal, to child: pid_t) {
        let isFromTerminal = isatty(STDIN_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) == getpgrp()
        switch signal {
        case .sigterm: kill(child, SIGTERM)
        case .sighup: kill(child, SIGHUP)
        case .sigint where !isFromTerminal: kill(child, SIGINT)
        case .sigquit where !isFromTerminal: kill(child, SIGQUIT)
        default: break
        }
    }

    private func result(
        _ variables: [Environment.Key: String?], _ child: AsyncStream<pid_t>.Continuation
    ) async -> Int32 {
        do {
            let result = try await Subprocess.run(
                executable, arguments: Arguments(Array(command.dropFirst())),
                environment: .inherit.updating(variables), input: .currentStandardInput,
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
            let (reason, code) = startFailure
            Messages.say("cannot run \(command[0]): \(reason)")
            return code
        }
    }

    private var isPath: Bool { command[0].contains("/") }

    private var executable: Executable {
        isPath ? .path(FilePath(command[0])) : .name(command[0])
    }

    /// Why the command did not start, and the exit code that shells use for it.
    private var startFailure: (reason: String, code: Int32) {
        if !isPath { return ("there is no such command in PATH", 127) }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: command[0], isDirectory: &isFolder) else {
            return ("there is no such file", 127)
        }
        if isFolder.boolValue { return ("it is a folder", 126) }
        if !FileManager.default.isExecutableFile(atPath: command[0]) {
            return ("it is not executable; allow it: chmod +x \(command[0])", 126)
        }
        return ("it is neither a program nor a script that begins with a line such as #!/bin/sh", 126)
    }
}
