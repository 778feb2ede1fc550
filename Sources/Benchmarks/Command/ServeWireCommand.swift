import ArgumentParser

/// Starts a server that answers from memory and serves until its standard input ends.
struct ServeWireCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve-wire",
        abstract: "Runs the baseline server.",
        shouldDisplay: false
    )

    func run() async throws {
        try await WireServer.run { ChildProcess.announce("http://127.0.0.1:\($0)") }
    }
}
