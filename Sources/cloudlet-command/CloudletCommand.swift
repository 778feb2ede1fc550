import ArgumentParser
import CloudletServer
import CommandShell
import Foundation
import Records

/// `cloudlet`: runs and administers a record server.
@main
struct CloudletCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cloudlet",
        abstract: "Run and manage a Cloudlet record server.",
        usage: """
            cloudlet serve --data ./data --port 8080
            cloudlet container create iCloud.org.example.app --data ./data
            cloudlet exec -- swift test
            """,
        discussion: """
            Data goes to standard output, messages to standard error. Exit codes: 0 success, 1 \
            failure, 2 wrong usage, 4 access denied, 5 conflict, 6 throttled or quota exceeded, 130 \
            interrupted.

            Completion: source <(cloudlet --generate-completion-script bash), or zsh, or fish. Man page: \
            cloudlet --generate-manual | man -l -
            """,
        version: "cloudlet \(SoftwareVersion.version) (\(CloudletServer.build))",
        subcommands: [
            Serve.self, Exec.self, ContainerCommand.self, SchemaCommand.self, RoleCommand.self,
            TokenCommand.self, KeyCommand.self, UserCommand.self, ConsoleCommand.self, OperatorCommand.self,
            AuditCommand.self, LogsCommand.self, TelemetryCommand.self, Backup.self, Restore.self,
            Migrate.self, NewEpoch.self, Doctor.self,
            ShellCommand.self, ConfigCommand.self,
        ]
    )

    /// Runs the command of the arguments and ends the process with its exit code.
    static func main() async {
        StandardOutput.surviveClosedPipes()
        UserMask.tighten()
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments == ["--generate-manual"] { Foundation.exit(printManual()) }
        do {
            var command = try await asyncParseAsRoot(HelpWord.replaced(in: arguments))
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            Foundation.exit(
                report(CommandResult(error, arguments: arguments), isJSON: arguments.contains("--json")))
        }
    }

    /// Prints the manual page and returns the exit code.
    private static func printManual() -> Int32 {
        do {
            let files = [
                (
                    "./cloudlet.conf",
                    "Settings of a project: NAME = VALUE, one per line. It may also be in a folder above."
                ),
                ("~/.config/cloudlet/cloudlet.conf", "Settings of the user."),
                ("./cloudlet-data", "The data of a server, if --data names no other folder."),
                (
                    "./cloudlet-data-devices",
                    "The devices' files of cloudlet shell, if --devices names no other folder."
                ),
                ("~/.local/state/cloudlet/confirmed-servers", "Servers that may have credentials."),
                ("~/.local/state/cloudlet-shell", "The histories of cloudlet shell."),
                ("~/.config/cloudlet-shell", "Settings, favourites and start-up file of cloudlet shell."),
            ]
            let page = try ManualPage(
                table: _dumpHelp(), version: configuration.version,
                sections: [
                    ManualPage.Section("Environment", CommandSettings.variables),
                    ManualPage.Section("Files", files),
                ])
            try StandardOutput.write(page.text)
            return 0
        } catch {
            return report(CommandResult(error, arguments: []), isJSON: false)
        }
    }

    /// Prints how a command ended and returns its exit code. If printing fails, the result is the exit code
    /// of that failure.
    private static func report(_ result: CommandResult, isJSON: Bool) -> Int32 {
        do {
            try result.say(isJSON: isJSON)
            return result.code
        } catch {
            return report(CommandResult(error, arguments: []), isJSON: isJSON)
        }
    }
}
