// Owns the way of one statement: parse, do, remember, render.
import CommandText
import Foundation

/// Runs statements one after the other.
struct StatementRunner: Sendable {
    let interpreter: Interpreter
    var renderer: Renderer
    let now: @Sendable () -> Date
    /// Names, and where answers go.
    var state = ShellState()
    /// The file that statements with a line number are from, where it is not the script of the run.
    var script: String?
    /// Whether the answer as a whole goes to a file or a program, and nothing of it to the screen before.
    var isRedirected = false
    /// Says what would be done, and does nothing.
    var isRehearsal = false
    /// Seconds after which a command is given up; never if nothing.
    var timeout: TimeInterval?

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
        do {
            let text = state.expanded(text, last: await interpreter.lastIdentifier)
            let way = Self.way(of: text)
            _ = try way.file.map(writable)
            var runner = self
            if way.file != nil || way.program != nil { runner.isRedirected = true }
            // Colours are for people at a terminal.
            if runner.isRedirected || state.current.output != nil {
                runner.renderer.dataPaint = Paint(isOn: false)
                runner.renderer.isForScreen = false
            }
            let start = StopWatch(interpreter)
            var outcome = try await sent(try await runner.asSomebody(way.line, line: line), way)
            if state.current.isTiming {
                outcome.rendering.talk += start.text(until: StopWatch(interpreter)) + "\n"
            }
            return outcome
        } catch {
            return complain(Complaint(error), about: text, line: line)
        }
    }

    /// Shows what a command that does several others has of them so far, or keeps it for the end.
    func tell(_ part: Rendering, in whole: inout Rendering) {
        if let show = interpreter.tools.show, !isRedirected {
            show(part)
        } else {
            whole.data += part.data
            whole.talk += part.talk
        }
    }

    /// The line that shows a statement of a script, where scripts are shown.
    func echo(of text: String) -> String {
        state.current.isEchoing && !text.allSatisfy(\.isWhitespace)
            ? "> \(VisibleText.escaped(text))\n" : ""
    }

    /// `alice@phone: COMMAND` does a command as somebody else, from another device, once.
    private func asSomebody(_ text: String, line: Int?) async throws -> StatementOutcome {
        guard let match = text.wholeMatch(of: /\s*([\w.-]+)@([\w.-]+):\s+(.+)/.dotMatchesNewlines()) else {
            return await perform(text, line: line)
        }
        let before = try await interpreter.move(to: String(match.output.1), on: String(match.output.2))
        let outcome = await perform(String(match.output.3), line: line)
        await interpreter.goBack(to: before)
        return outcome
    }

    private func perform(_ text: String, line: Int?) async -> StatementOutcome {
        var runner = self
        if let mode = state.current.mode { runner.renderer.mode = mode }
        do {
            guard let request = try request(text) else { return StatementOutcome() }
            if request.isJSON { runner.renderer.mode = .json }
            if isRehearsal, !request.command.isHarmless {
                let line = VisibleText.escaped(text.trimmingCharacters(in: .whitespaces))
                return StatementOutcome(rendering: Rendering(talk: "would do: \(line)\n"))
            }
            return try await runner.perform(request)
        } catch {
            let complaint = Complaint(error)
            if complaint.code != "expectation" { await interpreter.remember(.complaint(complaint)) }
            return runner.complain(complaint, about: text, line: line)
        }
    }

    private func perform(_ request: Request) async throws -> StatementOutcome {
        switch request.command {
        case .look(.watch(let watch)): return await self.watch(watch)
        case .shell(let command): return try await perform(command)
        default: break
        }
        let answer = try await limited { [interpreter] in try await interpreter.perform(request.command) }
        let isClaim = if case .expect = request.command { true } else { false }
        if !isClaim { await interpreter.remember(.answer(answer)) }
        return StatementOutcome(
            rendering: renderer.render(answer),
            complaint: answer.failures.first,
            leavesWith: answer.leavesWith,
            isHeldClaim: isClaim
        )
    }

    /// Gives a command no more time than there is.
    private func limited(_ work: @escaping @Sendable () async throws -> Answer) async throws -> Answer {
        guard let timeout else { return try await work() }
        let pause = interpreter.tools.pause
        return try await withThrowingTaskGroup(of: Answer.self) { group in
            group.addTask(operation: work)
            group.addTask {
                try await pause(timeout)
                throw Complaint(
                    code: "timeout", message: "the command took longer than \(Int(timeout)) s",
                    remedy: "a longer --timeout, or: status")
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    private func complain(_ complaint: Complaint, about text: String, line: Int?) -> StatementOutcome {
        var complaint = complaint
        if complaint.line == nil, let line { (complaint.file, complaint.line) = (script, line) }
        return StatementOutcome(rendering: renderer.render(complaint, line: text), complaint: complaint)
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

    /// Whether a statement failed and the one after it, if there is one, does not claim so.
    func fails(_ outcome: StatementOutcome, before next: Statement?) -> Bool {
        guard outcome.complaint != nil else { return false }
        return next.map { !expectsError($0.text) } ?? true
    }

    func request(_ text: String) throws -> Request? {
        try Parser(table: .standard, now: now()).request(text)
    }
}
