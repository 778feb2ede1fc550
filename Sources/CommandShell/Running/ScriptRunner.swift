import Foundation

/// Runs statements until one fails. A failure that the next statement expects does not count.
@MainActor
struct ScriptRunner {
    /// Runs one statement, including the handling of Ctrl-C.
    let run: (Statement) async -> StatementOutcome
    /// Whether a statement claims that the previous one failed, as `expect error` does.
    let expectsError: (String) -> Bool
    let output: OutputChannels
    /// Whether to continue after a failure. The exit code still reports the first failure.
    var keepsGoing = false
    /// Whether the statements come from a script: then the exit code of any failure is 3.
    var isScript = false

    /// Runs the statements that `next` returns until it returns nil, and returns the exit code.
    func play(_ next: () -> Statement?) async -> Int32 {
        var waiting = next()
        var firstFailure: ShellError?
        while let statement = waiting {
            let outcome = await run(statement)
            do {
                try output.write(outcome.rendering)
            } catch StandardOutput.Failure.closed {
                return ExitStatus.done.rawValue
            } catch {
                output.message("error: \(error)\n")
                return ExitStatus.failed.rawValue
            }
            if let code = outcome.exitCode { return code }
            if outcome.shellError?.exit == .interrupted { return ExitStatus.interrupted.rawValue }
            waiting = next()
            guard let shellError = outcome.shellError else { continue }
            if let following = waiting, expectsError(following.text) { continue }
            firstFailure = firstFailure ?? shellError
            if !keepsGoing { break }
        }
        guard let firstFailure else { return ExitStatus.done.rawValue }
        return isScript ? ExitStatus.scriptStopped.rawValue : firstFailure.exit.rawValue
    }
}
