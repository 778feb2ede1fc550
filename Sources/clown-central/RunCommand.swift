import ArgumentParser
import CloudletShell
import ClownCentral
import CommandShell
import Foundation

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the commands in a script; - is standard input.",
        discussion: """
            The commands are those of the shell, one per line. A backslash at the end or an
            open quote continues a line in the next, and # begins a comment. A failure ends
            the script with code 3 and names its line, unless the next command expects it.

            Examples:
              clown-central run party.clown --as alice
              echo 'party list' | clown-central run -
            """
    )

    @Argument(help: "The script; - is standard input.", completion: .file())
    var script: String

    @ParentCommand var shell: ClownCentralCommand

    func validate() throws {
        let rivals = [
            ("-c", !shell.flags.input.command.isEmpty), ("--file", shell.flags.input.file != nil),
        ]
        guard let rival = rivals.first(where: \.1) else { return }
        throw ValidationError("run takes its commands from the script: leave out \(rival.0)")
    }

    @MainActor
    func run() async throws {
        try await shell.run(script == "-" ? .standardInput : .file(URL(fileURLWithPath: script)))
    }
}
