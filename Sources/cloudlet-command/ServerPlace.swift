import ArgumentParser
import CloudletServer
import CommandShell
import Foundation

/// `--data DIR` or `--ephemeral`.
struct ServerPlace: ParsableArguments {
    @Option(
        help: "The folder to keep data in; made if it is not there. Default: ./cloudlet-data",
        completion: .directory)
    var data: String?

    @Flag(help: "Keep data in a temporary folder that goes when the server stops.")
    var ephemeral = false

    func validate() throws {
        if data != nil, ephemeral {
            throw ValidationError("--data and --ephemeral exclude each other; give one of them.")
        }
        try Self.check(folder: data)
    }

    /// Refuses a folder without a name, as an unset variable gives it: it would be the present one.
    static func check(folder: String?) throws {
        if folder?.isEmpty == true { throw ValidationError("--data takes a folder; it was given nothing.") }
    }

    var configuration: ServerConfiguration {
        get throws {
            if ephemeral { return .ephemeral }
            return ServerConfiguration(
                storage: .folder(URL(fileURLWithPath: try Surroundings.dataFolder(data))))
        }
    }

    /// Starts the server, or says in one line why it cannot.
    func start(_ configuration: ServerConfiguration) async throws -> CloudletServer {
        OpenFiles.raise()
        Memory.returnLargeBlocks()
        var configuration = configuration
        configuration.limits.openDatabases = min(
            configuration.limits.openDatabases, OpenFiles.databases(of: OpenFiles.limit))
        do {
            let server = try await CloudletServer.start(configuration)
            if server.foundFolderOpen {
                Talk.say(
                    "other users of this machine could look into \(server.dataFolder.path); it is closed to "
                        + "them now (chmod 700)")
            }
            return server
        } catch let error as ServerError {
            Talk.say("\(error)")
            throw ExitCode.failure
        }
    }
}

/// What the command says to people: on standard error, so that standard output stays data.
enum Talk {
    static func say(_ line: String) {
        StandardError.write("cloudlet: \(VisibleText.indented(line))\n")
    }
}
