// Owns the way of one statement: parse, do, remember, render.
import Foundation

/// Runs statements one after the other.
struct StatementRunner: Sendable {
    let interpreter: Interpreter
    var renderer: Renderer
    let now: @Sendable () -> Date

    /// Lets what goes on by itself live as long as `body` does.
    func living<T>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T
    ) async rethrows -> T {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [keeper = interpreter.keeper] in await keeper.run() }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    /// Runs a statement; whatever happens becomes an outcome. `line` is its number in a script.
    func run(_ text: String, line: Int? = nil) async -> StatementOutcome {
        var renderer = renderer
        do {
            guard let request = try request(text) else { return StatementOutcome() }
            renderer.isJSON = renderer.isJSON || request.isJSON
            if case .look(.watch(let again, let every, let times)) = request.command {
                return await watch(again, every: every, times: times, isJSON: renderer.isJSON)
            }
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

    /// Runs a statement again and again; the last outcome is the one that counts.
    private func watch(
        _ text: String, every: TimeInterval, times: Int, isJSON: Bool
    ) async -> StatementOutcome {
        var runner = self
        runner.renderer.isJSON = isJSON
        let tools = interpreter.tools
        var before = Rendering()
        for round in 1...times {
            var outcome = await runner.run(text)
            let isLast = round == times || outcome.complaint != nil || outcome.leavesWith != nil
            if isLast || Task.isCancelled {
                outcome.rendering.data = before.data + outcome.rendering.data
                outcome.rendering.talk = before.talk + outcome.rendering.talk
                return outcome
            }
            if let show = tools.show {
                show(outcome.rendering)
            } else {
                before.data += outcome.rendering.data
                before.talk += outcome.rendering.talk
            }
            do { try await tools.pause(every) } catch {
                return StatementOutcome(
                    rendering: renderer.render(.interrupted, line: nil), complaint: .interrupted)
            }
        }
        return StatementOutcome()
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
