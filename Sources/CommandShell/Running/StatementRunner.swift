import Foundation

/// Runs statements one after the other.
public struct StatementRunner: Sendable {
    /// Whose commands they are.
    public let program: any ShellProgram
    /// What commands are given from outside.
    public let environment: ShellEnvironment
    let table: CommandTable
    var renderer: Renderer
    /// Names, the last result, and where answers go.
    let state = ShellState()
    /// The file that statements with a line number are from, where it is not the script of the run.
    var script: String?
    /// Whether the answer as a whole goes to a file or a program, and nothing of it to the screen before.
    var isRedirected = false
    /// Says what would be done, and does nothing.
    var isRehearsal = false
    /// Seconds after which a command is given up; never if nil.
    var timeout: TimeInterval?

    init(program: some ShellProgram, environment: ShellEnvironment, renderer: Renderer) {
        self.program = program
        self.environment = environment
        self.renderer = renderer
        table = CommandTable(of: program)
    }

    /// A runner for a program, whose answers are plain text, or JSON.
    public init(program: some ShellProgram, environment: ShellEnvironment, isJSON: Bool = false) {
        self.init(program: program, environment: environment, renderer: Renderer(isJSON: isJSON))
    }

    /// Lets what goes on by itself live as long as `body` does.
    public func living<T>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T
    ) async rethrows -> T {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [program] in await program.live() }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    /// Runs a statement; whatever happens becomes an outcome. `line` is its number in a script.
    public func run(_ text: String, line: Int? = nil) async -> StatementOutcome {
        do {
            let text = state.expanded(text)
            let way = Self.way(of: text)
            _ = try way.file.map(writable)
            var runner = self
            if way.file != nil || way.program != nil { runner.isRedirected = true }
            // Colours are for people at a terminal.
            if runner.isRedirected || state.current.output != nil {
                runner.renderer.dataPaint = Paint(isOn: false)
                runner.renderer.isForScreen = false
            }
            let start = StopWatch(self)
            var outcome = try await sent(try await runner.inPlace(way.line, line: line), way)
            if state.current.isTiming {
                outcome.rendering.talk += start.text(until: StopWatch(self)) + "\n"
            }
            return outcome
        } catch {
            return complain(await program.complaint(about: error), about: text, line: line)
        }
    }

    /// Shows what a command that does several others has of them so far, or keeps it for the end.
    func tell(_ part: Rendering, in whole: inout Rendering) {
        if let show = environment.show, !isRedirected {
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

    /// `alice@phone: COMMAND` does a command in another place, once.
    private func inPlace(_ text: String, line: Int?) async throws -> StatementOutcome {
        guard let match = text.wholeMatch(of: /\s*([\w.-]+)@([\w.-]+):\s+(.+)/.dotMatchesNewlines()) else {
            return await perform(text, line: line)
        }
        let address = ShellAddress(person: String(match.output.1), device: String(match.output.2))
        guard let goBack = try await program.enter(address) else { return await perform(text, line: line) }
        let outcome = await perform(String(match.output.3), line: line)
        await goBack()
        return outcome
    }

    private func perform(_ text: String, line: Int?) async -> StatementOutcome {
        var runner = self
        if let mode = state.current.mode { runner.renderer.mode = mode }
        do {
            guard let request = try request(text) else { return StatementOutcome() }
            if request.isJSON { runner.renderer.mode = .json }
            if isRehearsal, !request.isHarmless {
                let line = VisibleText.escaped(text.trimmingCharacters(in: .whitespaces))
                return StatementOutcome(rendering: Rendering(talk: "would do: \(line)\n"))
            }
            return try await runner.perform(request.action)
        } catch {
            let complaint = await program.complaint(about: error)
            if complaint.code != Self.failedClaim { await remember(.complaint(complaint)) }
            return runner.complain(complaint, about: text, line: line)
        }
    }

    private func perform(_ action: CommandAction) async throws -> StatementOutcome {
        switch action {
        case .shell(let act): return try await act(self)
        case .claim(let expectation):
            let answer = try check(expectation)
            return StatementOutcome(rendering: renderer.render(answer), isHeldClaim: true)
        case .help(let topic):
            return await answered(Answer(form: .text(try HelpText(table: table).text(topic: topic))))
        case .leave(let code): return await answered(Answer(form: .talk, leavesWith: code))
        case .work(let work): return await answered(try await limited(work))
        }
    }

    /// The outcome of an answer, which the next claim is about.
    public func answered(_ given: Answer) async -> StatementOutcome {
        var answer = given
        for (index, failure) in given.failures.enumerated() {
            answer.failures[index] = await program.complaint(about: failure)
        }
        await remember(.answer(answer))
        return StatementOutcome(
            rendering: renderer.render(answer), complaint: answer.failures.first,
            leavesWith: answer.leavesWith)
    }

    /// Keeps what a command came to, for the `expect` that may follow.
    private func remember(_ result: LastResult) async {
        state.change { $0.last = result }
        await program.noted(result)
    }

    // MARK: Claims

    /// The code of a claim that does not hold. Such a failure is no result to claim anything about.
    private static let failedClaim = "expectation"

    private func check(_ expectation: Expectation) throws -> Answer {
        let checker = ExpectationChecker(result: state.current.last, now: environment.now())
        if let failure = checker.failure(of: expectation) {
            throw Complaint(
                code: Self.failedClaim, message: "the expectation does not hold: \(failure)")
        }
        return Answer(form: .talk, facts: [Field("expect", .text("ok"))])
    }

    /// Whether a claim about the last result holds; throws a complaint for one that cannot be read.
    func holds(_ claim: String) throws -> Bool {
        guard case .claim(let expectation)? = try request("expect " + claim)?.action else { return false }
        let checker = ExpectationChecker(result: state.current.last, now: environment.now())
        return checker.failure(of: expectation) == nil
    }

    /// Whether a statement claims that the one before failed.
    public func expectsError(_ text: String) -> Bool {
        if case .claim(.error)? = try? request(text)?.action { true } else { false }
    }

    /// Whether a statement failed and the one after it, if there is one, does not claim so.
    func fails(_ outcome: StatementOutcome, before next: Statement?) -> Bool {
        guard outcome.complaint != nil else { return false }
        return next.map { !expectsError($0.text) } ?? true
    }

    // MARK: One statement

    /// Gives a command no more time than there is.
    private func limited(_ work: @escaping @Sendable () async throws -> Answer) async throws -> Answer {
        guard let timeout else { return try await work() }
        let pause = environment.pause
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
        let last = state.current.last
        let outcome = await run(text)
        await remember(last)
        return outcome
    }

    /// The text that `edit` begins with, if a line asks for the editor; an empty one for the last line.
    func textToEdit(_ line: String) -> String? {
        let arguments = try? Parser(table: table, now: environment.now()).arguments(line)
        return arguments.flatMap(ShellCommands.textToEdit)
    }

    func request(_ text: String) throws -> Request? {
        try Parser(table: table, now: environment.now()).request(text)
    }

    /// Whether answers are JSON.
    public var isJSON: Bool { renderer.isJSON }

    /// The outcome of a command that only says something, and whose answer nothing is claimed about.
    public func said(_ words: String) -> StatementOutcome {
        StatementOutcome(rendering: renderer.render(Answer.talk(words)))
    }
}
