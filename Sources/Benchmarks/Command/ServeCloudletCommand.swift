import ArgumentParser
import CloudletServer
import Foundation

/// Starts the server on a folder and serves until its standard input ends.
struct ServeCloudletCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve-cloudlet",
        abstract: "Runs the server to be measured.",
        shouldDisplay: false
    )

    @Option(help: "The folder with the data.")
    var data: String

    func run() async throws {
        OpenFiles.raise()
        Memory.returnLargeBlocks()
        var configuration = ServerConfiguration(storage: .folder(URL(fileURLWithPath: data)))
        configuration.port = 0
        // The load signs in by name.
        configuration.access = .open
        // All the load comes from this machine.
        configuration.connectionsPerAddress = .max
        let server = try await CloudletServer.start(configuration)
        ChildProcess.announce(server.url?.absoluteString ?? "")
        await ChildProcess.standardInputEnded()
        await server.stop()
    }
}
