// Owns running many statements without a person at the keyboard, and the exit code at the end.
import Foundation

/// Runs statements until one fails; a failure that the next statement expects is none.
@MainActor
struct ScriptRunner {
    let runner: StatementRunner
    let outlet: Outlet
    /// Goes on after a failure, and remembers it.
    var keepsGoing = false
    /// Whether the statements come from a script, so that messages name lines and a failure ends with 3.
    var isScript = false
    let interrupts: Interrupts

    /// Runs what `next` hands out and answers the exit code.
    func run(_ next: () -> Statement?) async -> Int32 {
        var waiting = next()
        var firstFailure: Complaint?
        while let statement = waiting {
            let outcome = await interrupts.interruptible {
                await runner.run(statement.text, line: isScript ? statement.line : nil)
            }
            do {
                try outlet.write(outcome.rendering)
            } catch {
                return ExitCode.done.rawValue
            }
            if let code = outcome.leavesWith { return code }
            waiting = next()
            guard let complaint = outcome.complaint else { continue }
            if complaint.exit == .interrupted { return ExitCode.interrupted.rawValue }
            if let following = waiting, runner.expectsError(following.text) { continue }
            firstFailure = firstFailure ?? complaint
            if !keepsGoing { break }
        }
        guard let firstFailure else { return ExitCode.done.rawValue }
        return isScript ? ExitCode.scriptStopped.rawValue : firstFailure.exit.rawValue
    }
}
