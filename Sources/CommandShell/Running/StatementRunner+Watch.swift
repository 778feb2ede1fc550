import Foundation

/// A command that is done again and again.
struct Watch: Equatable, Sendable {
    var line: String
    var every: TimeInterval
    var times: Int
    /// A claim that ends it when it holds.
    var until: String?
}

extension StatementRunner {
    /// Runs a statement until its count is reached, a claim about it holds, or it fails; the last outcome is
    /// the one that counts.
    func watch(_ watch: Watch) async -> StatementOutcome {
        var before = Rendering()
        for round in 1...watch.times {
            var outcome = await run(watch.line)
            let holds = holds(watch.until, &outcome)
            let isLast =
                round == watch.times || outcome.complaint != nil || outcome.leavesWith != nil || holds
            if isLast || Task.isCancelled {
                outcome.rendering.data = before.data + outcome.rendering.data
                outcome.rendering.talk = before.talk + outcome.rendering.talk
                return outcome
            }
            tell(outcome.rendering, in: &before)
            do { try await environment.pause(watch.every) } catch {
                return StatementOutcome(
                    rendering: renderer.render(.interrupted, line: nil), complaint: .interrupted)
            }
        }
        return StatementOutcome()
    }

    /// Whether the claim that ends it holds; one that cannot be read is a complaint.
    private func holds(_ claim: String?, _ outcome: inout StatementOutcome) -> Bool {
        guard let claim, outcome.complaint == nil else { return false }
        do {
            return try holds(claim)
        } catch {
            let complaint = Complaint(error)
            outcome.complaint = complaint
            outcome.rendering.talk += renderer.render(complaint, line: nil).talk
            return false
        }
    }
}
