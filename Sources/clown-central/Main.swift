// Owns the start of the program, and the exit code of a command line that makes no sense.
import ArgumentParser
import ClownCentral
import Foundation

/// The program.
@main
enum Main {
    private static let usageCode: Int32 = 2

    static func main() async {
        do {
            var command = try ClownCentralCommand.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let code as ExitCode {
            exit(code.rawValue)
        } catch {
            let code = ClownCentralCommand.exitCode(for: error)
            let message = ClownCentralCommand.fullMessage(for: error) + "\n"
            if code == .success {
                exit(ClownCentralApp.say(message))
            }
            let arguments = Array(CommandLine.arguments.dropFirst())
            let hint = ClownCentralApp.hint(for: arguments).map { "  \($0)\n" } ?? ""
            try? FileHandle.standardError.write(contentsOf: Data((message + hint).utf8))
            exit(code == .validationFailure ? usageCode : code.rawValue)
        }
    }
}
