// Owns the start of the program, and the exit code of a command line that makes no sense.
import ArgumentParser
import ClownCentral
import CommandText
import Foundation

/// The program.
@main
enum Main {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let isJSON = arguments.contains("--json")
        do {
            var command = try ClownCentralCommand.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let code as ExitCode {
            exit(code.rawValue)
        } catch let error as ConfigurationError {
            let message = "\(error.place): \(error.reason)"
            exit(ClownCentralApp.complain(message, remedy: error.nextStep, isJSON: isJSON))
        } catch {
            let code = ClownCentralCommand.exitCode(for: error)
            let message = ClownCentralCommand.fullMessage(for: error) + "\n"
            if code == .success {
                exit(ClownCentralApp.say(message))
            }
            let hint = ClownCentralApp.hint(for: arguments).map { "  \($0)\n" } ?? ""
            let words = ClownCentralCommand.message(for: error)
            let usage = ClownCentralApp.complain(words, text: message + hint, isJSON: isJSON)
            exit(code == .validationFailure ? usage : code.rawValue)
        }
    }
}
