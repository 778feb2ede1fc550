// Owns the way of one statement: parse, do, remember, render.
import Foundation

/// Runs statements one after the other.
struct StatementRunner: Sendable {
    let interpreter: Interpreter
    var renderer: Renderer
    let now: @Sendable () -> Date

    /// Runs a statement; whatever happens becomes an outcome. `line` is its number in a script.
    func run(_ text: String, line: Int? = nil) async -> StatementOutcome {
        var renderer = renderer
        do {
            guard let request = try request(text) else { return StatementOutcome() }
            renderer.isJSON = renderer.isJSON || request.isJSON
            let answer = try await interpreter.perform(request.command)
            let isClaim = if case .expect = request.command { true } else { false }
            if !isClaim { await interpreter.remember(.answer(answer)) }
            return StatementOutcome(
                rendering: renderer.render(answer),
                complaint: answer.failures.first,
                leavesWith: answer.leavesWith,
                isHeldClaim: isClaim
            )
        } catch {
            var complaint = Complaint(error)
            if complaint.code != "expectation" { await interpreter.remember(.complaint(complaint)) }
            complaint.line = line
            return StatementOutcome(rendering: renderer.render(complaint, line: text), complaint: complaint)
        }
    }

    /// Runs a statement between two others, which see nothing of its result.
    func runAside(_ text: String) async -> StatementOutcome {
        let last = await interpreter.lastResult
        let outcome = await run(text)
        await interpreter.remember(last)
        return outcome
    }

    /// Whether a statement claims that the one before failed.
    func expectsError(_ text: String) -> Bool {
        if case .expect(.error) = try? request(text)?.command { true } else { false }
    }

    private func request(_ text: String) throws -> Request? {
        try Parser(table: .standard, now: now()).request(text)
    }
}
