import ArgumentParser
import CommandShell
import Foundation
import Records

/// `--yes`; without it the command asks, or is refused where there is nobody to ask.
struct Confirmation: ParsableArguments {
    @Flag(help: "Do it without asking.")
    var yes = false

    /// Asks whether to do that. Throws when the answer is not yes.
    func ask(_ what: String) throws {
        if yes { return }
        guard isatty(STDIN_FILENO) == 1 else {
            throw ValidationError("This would \(what). Add --yes to do it.")
        }
        StandardError.write("This will \(VisibleText.escaped(what)).\nGo on? [y/N] ")
        guard ["y", "yes"].contains(readLine()?.lowercased()) else {
            Talk.say("nothing was done")
            throw ExitCode.failure
        }
    }
}
