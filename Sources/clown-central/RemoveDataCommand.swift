import ArgumentParser
import CloudletShell
import ClownCentral
import CommandShell
import Foundation

struct RemoveDataCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-data",
        abstract: "Delete everything that clown-central has stored on this machine.",
        discussion: """
            It lists and deletes:
              ~/.local/share/clown-central          the data of the embedded server (--data)
              ~/.local/share/clown-central-devices  the devices' copies of people's data
              ~/.local/state/clown-central          histories and confirmed servers
              ~/.config/clown-central/favourites    favourites
            Other users of the machine can read none of them. Your clown-central.conf and
            startup.clown stay, and so does a folder that --devices named. At a terminal it
            asks first; without a terminal and without --yes, it only lists them, and so it
            does with --dry-run. Other flags that it takes: --data and --no-input.

            Examples:
              clown-central remove-data --dry-run
              clown-central remove-data --yes
            """
    )

    @ParentCommand var shell: ClownCentralCommand

    func validate() throws {
        let taken: Set = ["--data", "--yes", "--no-input", "--dry-run"]
        try shell.refuseFlags(except: taken, in: "remove-data")
    }

    @MainActor
    func run() async throws {
        let flags = shell.flags
        let machine = Machine.current
        let settings = try flags.settings(machine, container: ClownCentralApp.container)
        if let data = settings["data"] { try settings.checkFolder("data", at: data) }
        let isSure = flags.shell.yes
        let data = settings["data"].map { URL(fileURLWithPath: $0, isDirectory: true) }
        let app = ClownCentralApp(machine: machine)
        guard !flags.shell.dryRun else {
            if app.listData(data) { StandardError.write("nothing was deleted, because of --dry-run\n") }
            return
        }
        guard isSure || (!flags.shell.noInput && isatty(STDIN_FILENO) == 1) else {
            guard app.listData(data) else { throw ExitCode.success }
            throw ValidationError("nothing was deleted: add --yes to delete all of this")
        }
        let question: ((String) -> Bool)? = isSure ? nil : { StandardError.isConfirmed($0) }
        throw ExitCode(app.removeData(data, ask: question))
    }
}
