// Owns doing a statement again and again.
import Foundation

extension StatementRunner {
    /// Runs a statement until its count is reached, a claim about it holds, or it fails; the last outcome is
    /// the one that counts.
    func watch(_ watch: LookCommand.Watch) async -> StatementOutcome {
        let tools = interpreter.tools
        var before = Rendering()
        for round in 1...watch.times {
            var outcome = await run(watch.line)
            let holds = await holds(watch.until, &outcome)
            let isLast =
                round == watch.times || outcome.complaint != nil || outcome.leavesWith != nil || holds
            if isLast || Task.isCancelled {
                outcome.rendering.data = before.data + outcome.rendering.data
                outcome.rendering.talk = before.talk + outcome.rendering.talk
                return outcome
            }
            tell(outcome.rendering, in: &before)
            do { try await tools.pause(watch.every) } catch {
                return StatementOutcome(
                    rendering: renderer.render(.interrupted, line: nil), complaint: .interrupted)
            }
        }
        return StatementOutcome()
    }

    /// Whether the claim that ends it holds; one that cannot be read is a complaint.
    private func holds(_ claim: String?, _ outcome: inout StatementOutcome) async -> Bool {
        guard let claim, outcome.complaint == nil else { return false }
        do {
            guard let request = try request("expect " + claim) else { return false }
            _ = try await interpreter.perform(request.command)
            return true
        } catch {
            let complaint = Complaint(error)
            if complaint.code != "expectation" {
                outcome.complaint = complaint
                outcome.rendering.talk += renderer.render(complaint, line: nil).talk
            }
            return false
        }
    }
}
