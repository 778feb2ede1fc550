import Foundation

/// The arguments of the `watch` command.
struct Watch: Equatable, Sendable {
    var line: String
    var every: TimeInterval
    var times: Int
    /// The claim that ends the repetition when it holds.
    var until: String?
}

extension StatementRunner {
    /// Repeats a statement until the count is reached, the claim holds, or the statement fails. The last
    /// outcome is the result.
    func watch(_ watch: Watch) async -> StatementOutcome {
        var before = Rendering()
        for round in 1...watch.times {
            if renderer.isForScreen, !renderer.isQuiet {
                let moment = MomentText.iso(environment.now())
                emit(Rendering(messages: "run \(round) of \(watch.times), \(moment)\n"), in: &before)
            }
            var outcome = await run(watch.line)
            let holds = holds(watch.until, &outcome)
            let isLast =
                round == watch.times || outcome.shellError != nil || outcome.exitCode != nil || holds
            if isLast || Task.isCancelled {
                outcome.rendering.data = before.data + outcome.rendering.data
                outcome.rendering.messages = before.messages + outcome.rendering.messages
                return outcome
            }
            emit(outcome.rendering, in: &before)
            do { try await environment.pause(watch.every) } catch {
                return StatementOutcome(
                    rendering: renderer.render(.interrupted, line: nil), shellError: .interrupted)
            }
        }
        return StatementOutcome()
    }

    /// Whether the claim holds. If it cannot be parsed, the outcome gets the error.
    private func holds(_ claim: String?, _ outcome: inout StatementOutcome) -> Bool {
        guard let claim, outcome.shellError == nil else { return false }
        do {
            return try holds(claim)
        } catch {
            let shellError = ShellError(error)
            outcome.shellError = shellError
            outcome.rendering.messages += renderer.render(shellError, line: nil).messages
            return false
        }
    }
}
