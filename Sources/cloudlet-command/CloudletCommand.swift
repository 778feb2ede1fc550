// Owns the server's command line: its name, its version and its subcommands.

import ArgumentParser

/// `cloudlet`: runs and looks after a record server.
@main
struct CloudletCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cloudlet",
        abstract: "Run and look after a Cloudlet record server.",
        usage: """
            cloudlet serve --data ./data --port 8080
            cloudlet exec -- swift test
            """,
        version: "0.1.0",
        subcommands: [Serve.self, Exec.self]
    )
}
