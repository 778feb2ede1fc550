import ArgumentParser
import CloudletServer
import CommandShell
import Foundation

/// `--data DIR` or `--ephemeral`.
struct ServerPlace: ParsableArguments {
    @Option(
        help: "The data folder; created if it does not exist. Default: ./cloudlet-data",
        completion: .directory)
    var data: String?

    @Flag(help: "Keep data in a temporary folder that is deleted when the server stops.")
    var ephemeral = false

    func validate() throws {
        if data != nil, ephemeral {
            throw ValidationError("--data and --ephemeral exclude each other; give one of them.")
        }
        try Self.check(folder: data)
    }

    /// Rejects an empty folder name, for example from an unset variable. It would mean the current folder.
    static func check(folder: String?) throws {
        if folder?.isEmpty == true { throw ValidationError("--data takes a folder, but its value is empty.") }
    }

    var configuration: ServerConfiguration {
        get throws {
            if ephemeral { return .ephemeral }
            return ServerConfiguration(
                storage: .folder(URL(fileURLWithPath: try CommandSettings.dataFolder(data))))
        }
    }

    /// Starts the server. If it cannot start, logs the reason in one line.
    func start(
        _ configuration: ServerConfiguration, log: ServerLog = ServerLog()
    ) async throws -> CloudletServer {
        OpenFiles.raise()
        Memory.returnLargeBlocks()
        var configuration = configuration
        configuration.limits.openDatabases = min(
            configuration.limits.openDatabases, OpenFiles.databases(of: OpenFiles.limit))
        do {
            let server = try await CloudletServer.start(configuration)
            if server.foundFolderOpen {
                log.say(
                    "other users of this machine could read \(server.dataFolder.path); it is now private "
                        + "(chmod 700)")
            }
            return server
        } catch let error as ServerError {
            log.say("\(error)", as: .error)
            throw ExitCode.failure
        }
    }
}

/// Prints messages on standard error, so that standard output contains data only.
enum Messages {
    static func say(_ line: String) {
        StandardError.write("cloudlet: \(VisibleText.indented(line))\n")
    }
}
