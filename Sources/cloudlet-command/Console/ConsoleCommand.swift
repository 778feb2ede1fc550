import ArgumentParser
import CommandShell
import Foundation
import Records
import RecordsWire
import Subprocess

/// `cloudlet console`: opens the console of a running server in the browser.
struct ConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console", abstract: "Open the console of a running server in the browser.",
        usage: """
            cloudlet console
            cloudlet console --print
            """,
        discussion: """
            Prints a link that signs one person in as administrator, once, within five minutes. The \
            server must run, with --console unless it is open for development.
            """
    )

    @Flag(name: .customLong("print"), help: "Only print the link; open no browser.")
    var onlyPrints = false

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        if options.json {
            try await options.call(MakeConsoleLink()) { _ in Listing() }
            return
        }
        let link = try await options.answer(to: MakeConsoleLink())
        try StandardOutput.write(link.url + "\n")
        if onlyPrints { return }
        #if os(macOS)
        let opener = "open"
        #else
        let opener = "xdg-open"
        #endif
        let result = try? await Subprocess.run(
            .name(opener), arguments: [link.url], output: .discarded, error: .discarded)
        if result?.terminationStatus.isSuccess != true {
            Messages.say("no browser could be opened; open the link yourself")
        }
    }
}
