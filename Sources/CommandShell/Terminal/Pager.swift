import Foundation
import Subprocess

/// Shows texts that do not fit on the screen.
struct Pager: Sendable {
    /// The command line of the pager; nil if paging is off.
    let command: String?

    init(of names: ProgramNames, environment: [String: String]) {
        let named = environment[names.variable("PAGER")] ?? environment["PAGER"]
        let chosen = named ?? "less -FRX"
        command = chosen.isEmpty || chosen == "cat" || environment["TERM"] == "dumb" ? nil : chosen
    }

    /// Whether a text does not fit on the screen and there is a pager.
    func isNeeded(for text: String, rows: Int) -> Bool {
        command != nil && text.count { $0 == "\n" } >= rows
    }

    /// Shows a text and waits for the pager to end. Returns false if the pager failed.
    func show(_ text: String) async -> Bool {
        guard let command else { return false }
        let result = try? await ShellPipe.run(
            command, reading: text, output: .currentStandardOutput, error: .currentStandardError)
        return result?.terminationStatus.isSuccess ?? false
    }
}
