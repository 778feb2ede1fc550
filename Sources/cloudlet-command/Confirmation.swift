import ArgumentParser
import CommandShell
import Foundation
import Records

/// `--yes`. Without it, the command asks at a terminal and fails elsewhere.
struct Confirmation: ParsableArguments {
    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    /// Asks for confirmation of an action.
    ///
    /// - Throws: `ExitCode.failure` if the answer is not yes; `ValidationError` if nobody can be asked.
    func ask(_ what: String) throws {
        if yes { return }
        guard isatty(STDIN_FILENO) == 1 else {
            throw ValidationError("This would \(what). Add --yes to confirm it.")
        }
        StandardError.write("This will \(VisibleText.escaped(what)).\n")
        guard StandardError.isConfirmed("Continue?") else {
            Messages.say("nothing was changed")
            throw ExitCode.failure
        }
    }
}
