import ArgumentParser
import CloudletShell
import ClownCentral
import CommandShell
import Foundation

@main
enum Main {
    /// Prints the manual page and returns the exit code.
    private static func printManual() -> Int32 {
        let files = [
            (
                "./clown-central.conf",
                "Settings of a project: NAME = VALUE, one per line. It may also be in a folder above."
            ),
            ("~/.config/clown-central/clown-central.conf", "Settings of the user."),
            (
                "~/.local/share/clown-central",
                "The data of the embedded server. clown-central remove-data deletes this and the next four."
            ),
            (
                "~/.local/share/clown-central-devices",
                "The devices' copies of people's data; for other servers, one folder per server."
            ),
            (
                "~/.local/state/clown-central/histories",
                "The lines typed at prompts, a file for each server and container."
            ),
            ("~/.local/state/clown-central/confirmed-servers", "Servers that may have credentials."),
            ("~/.config/clown-central/favourites", "Commands saved under a name: favourite save."),
            (
                "~/.config/clown-central/startup.clown",
                "Commands that run first in each shell at a terminal."
            ),
        ]
        do {
            let page = try ManualPage(
                table: ClownCentralCommand._dumpHelp(), version: ClownCentralApp.version,
                sections: [
                    ManualPage.Section("Commands of the shell", ClownCentralApp.commands),
                    ManualPage.Section("Environment", CloudShellFlags<ClownCentralApp>.variables),
                    ManualPage.Section("Files", files),
                ])
            return Shell.say(page.text)
        } catch {
            return Shell.printError("\(error)", isJSON: false)
        }
    }

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let isJSON = arguments.contains("--json")
        if arguments == ["--generate-manual"] { exit(printManual()) }
        // Only after a subcommand does `help` ask for that subcommand's help. After another word it belongs
        // to a shell command, which must follow `-c`.
        let isCommand = ["run", "demo", "new", "remove-data"].contains(arguments.first)
        let helped = isCommand ? HelpWord.replaced(in: arguments) : arguments
        do {
            var command = try ClownCentralCommand.parseAsRoot(helped)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let code as ExitCode {
            exit(code.rawValue)
        } catch let error as ConfigurationError {
            let message = "\(error.place): \(error.reason)"
            exit(Shell.printError(message, remedy: error.nextStep, isJSON: isJSON))
        } catch {
            let code = ClownCentralCommand.exitCode(for: error)
            let message = ClownCentralCommand.fullMessage(for: error) + "\n"
            if code == .success {
                exit(Shell.say(message))
            }
            let hint = ClownCentralApp.hint(for: arguments).map { "  \($0)\n" } ?? ""
            let words = ClownCentralCommand.message(for: error)
            let usage = Shell.printError(words, text: message + hint, isJSON: isJSON)
            exit(code == .validationFailure ? usage : code.rawValue)
        }
    }
}
