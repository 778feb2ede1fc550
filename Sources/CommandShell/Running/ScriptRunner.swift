import Foundation

/// Runs statements until one fails; a failure that the next statement expects is none.
@MainActor
struct ScriptRunner {
    /// Runs one statement; Ctrl-C and the server are behind this.
    let run: (Statement) async -> StatementOutcome
    /// Whether a statement claims that the one before failed.
    let expectsError: (String) -> Bool
    let outlet: Outlet
    /// Goes on after a failure, and remembers it.
    var keepsGoing = false
    /// Whether the statements come from a script, so that a failure ends with 3 whatever it was.
    var isScript = false

    /// Runs what `next` hands out and answers the exit code.
    func play(_ next: () -> Statement?) async -> Int32 {
        var waiting = next()
        var firstFailure: Complaint?
        while let statement = waiting {
            let outcome = await run(statement)
            do {
                try outlet.write(outcome.rendering)
            } catch StandardOutput.Failure.closed {
                return ExitStatus.done.rawValue
            } catch {
                outlet.talk("error: \(error)\n")
                return ExitStatus.failed.rawValue
            }
            if let code = outcome.leavesWith { return code }
            if outcome.complaint?.exit == .interrupted { return ExitStatus.interrupted.rawValue }
            waiting = next()
            guard let complaint = outcome.complaint else { continue }
            if let following = waiting, expectsError(following.text) { continue }
            firstFailure = firstFailure ?? complaint
            if !keepsGoing { break }
        }
        guard let firstFailure else { return ExitStatus.done.rawValue }
        return isScript ? ExitStatus.scriptStopped.rawValue : firstFailure.exit.rawValue
    }
}
