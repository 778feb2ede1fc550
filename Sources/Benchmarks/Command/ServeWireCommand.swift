import ArgumentParser
import Foundation

/// Runs the baseline server until its standard input ends.
struct ServeWireCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve-wire",
        abstract: "Runs the baseline server.",
        shouldDisplay: false
    )

    @Option(help: "The folder for files.")
    var folder: String

    func run() async throws {
        try await WireServer.run(folder: URL(fileURLWithPath: folder)) {
            ChildProcess.announce("http://127.0.0.1:\($0)")
        }
    }
}
