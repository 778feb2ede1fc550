import Foundation

/// Runs statements one after the other.
public struct StatementRunner: Sendable {
    /// The program whose commands are run.
    public let program: any ShellProgram
    /// The environment of the commands: clocks, folders, and the connections to a terminal.
    public let environment: ShellEnvironment
    let table: CommandTable
    var renderer: Renderer
    /// The state that lasts from one statement to the next.
    let state = ShellState()
    /// The name of the script that is running, if it is not the main script.
    var script: String?
    /// Whether the answer is written to a file or program. Then no part of it is printed before the end.
    var isRedirected = false
    /// Whether to print what would be done instead of doing it.
    var isDryRun = false
    /// The maximum duration of a command in seconds; nil means no limit.
    var timeout: TimeInterval?

    init(program: some ShellProgram, environment: ShellEnvironment, renderer: Renderer) {
        self.program = program
        self.environment = environment
        self.renderer = renderer
        table = CommandTable(of: program)
    }

    /// Creates a runner for a program, with answers as plain text or JSON.
    public init(program: some ShellProgram, environment: ShellEnvironment, isJSON: Bool = false) {
        self.init(program: program, environment: environment, renderer: Renderer(isJSON: isJSON))
    }

    /// Runs the program's background work while `body` runs.
    public func withBackgroundWork<T>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T
    ) async rethrows -> T {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [program] in await program.runInBackground() }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    /// Runs a statement. Errors become part of the outcome.
    ///
    /// - Parameter line: The number of the statement's line in a script.
    public func run(_ text: String, line: Int? = nil) async -> StatementOutcome {
        do {
            let text = try expanded(text, state.currentValues())
            let redirection = Self.redirection(of: text)
            if isDryRun, redirection.file != nil || redirection.program != nil {
                return try await dryRun(text, redirection, line: line)
            }
            _ = try redirection.file.map(writable)
            var runner = self
            if redirection.file != nil || redirection.program != nil { runner.isRedirected = true }
            // Colours are for terminals only.
            if runner.isRedirected || state.current.output != nil {
                runner.renderer.dataPaint = Paint(isOn: false)
                runner.renderer.isForScreen = false
            }
            let start = ClockReading(self)
            var outcome = try await redirected(
                try await runner.inPlace(redirection.line, line: line), by: redirection)
            if state.current.isTiming {
                outcome.rendering.messages += start.text(until: ClockReading(self)) + "\n"
            }
            return outcome
        } catch {
            let shellError = await program.shellError(about: error)
            if !isClaim(text) { await remember(.shellError(shellError)) }
            return failed(shellError, about: text, line: line)
        }
    }

    /// Whether a statement, in which nothing is substituted yet, is a claim about the last result.
    private func isClaim(_ text: String) -> Bool {
        if case .claim? = try? request(text)?.action { true } else { false }
    }

    /// Prints a partial outcome of a command that runs several statements, or keeps it until the end.
    func emit(_ part: Rendering, in whole: inout Rendering) {
        if let show = environment.show, !isRedirected {
            show(part)
        } else {
            whole.data += part.data
            whole.messages += part.messages
        }
    }

    /// The line that echoes a statement; empty if echoing is off.
    func echo(of text: String) -> String {
        state.current.isEchoing && !text.allSatisfy(\.isWhitespace)
            ? "> \(VisibleText.escaped(text))\n" : ""
    }

    /// Runs a statement at the address in front of it, as in `alice@phone: COMMAND`.
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
            if isDryRun, !request.isHarmless { return Self.wouldDo(text) }
            if !isDryRun, let spec = request.spec, let refusal = await program.whyDisabled(spec) {
                throw refusal
            }
            return try await runner.perform(request.action)
        } catch {
            let shellError = await program.shellError(about: error)
            if shellError.code != Self.failedClaim { await remember(.shellError(shellError)) }
            return runner.failed(shellError, about: text, line: line)
        }
    }

    /// Checks the command of a redirected statement, and says what the whole statement would do.
    private func dryRun(
        _ text: String, _ redirection: Redirection, line: Int?
    ) async throws -> StatementOutcome {
        let outcome = try await inPlace(redirection.line, line: line)
        return outcome.shellError == nil ? Self.wouldDo(text) : outcome
    }

    private static func wouldDo(_ text: String) -> StatementOutcome {
        let line = VisibleText.escaped(text.trimmingCharacters(in: .whitespaces))
        return StatementOutcome(rendering: Rendering(messages: "would do: \(line)\n"))
    }

    private func perform(_ action: CommandAction) async throws -> StatementOutcome {
        switch action {
        case .shell(let act): return try await act(self)
        case .claim(let expectation):
            let answer = try check(expectation)
            return StatementOutcome(rendering: renderer.render(answer), isHeldClaim: true)
        case .help(let topic):
            return await answered(Answer(form: .text(try HelpText(table: table).text(topic: topic))))
        case .exit(let code): return await answered(Answer(form: .message, exitCode: code))
        case .work(let work):
            let answer = try await limited { [program] in
                await program.prepare()
                return try await work()
            }
            return await answered(answer)
        }
    }

    /// Creates the outcome of an answer and stores it as the last result, which the next claim refers to.
    public func answered(_ given: Answer) async -> StatementOutcome {
        var answer = given
        for (index, failure) in given.failures.enumerated() {
            answer.failures[index] = await program.shellError(about: failure)
        }
        await remember(.answer(answer))
        return StatementOutcome(
            rendering: renderer.render(answer), shellError: answer.failures.first,
            exitCode: answer.exitCode)
    }

    /// Stores a result for the next claim.
    private func remember(_ result: LastResult) async {
        state.change { $0.last = result }
        await program.handle(result)
    }

    // MARK: Claims

    /// The code of a failed claim. Such an error is not stored as the last result.
    private static let failedClaim = "expectation"

    private func check(_ expectation: Expectation) throws -> Answer {
        let checker = ExpectationChecker(result: state.current.last, now: environment.now())
        if let failure = checker.failure(of: expectation) {
            throw ShellError(
                code: Self.failedClaim, message: "the expectation does not hold: \(failure)")
        }
        return Answer(form: .message, facts: [AnswerField("expect", .text("ok"))])
    }

    /// Whether a claim about the last result holds.
    ///
    /// - Throws: `ShellError` if the claim cannot be parsed.
    func holds(_ claim: String) throws -> Bool {
        guard case .claim(let expectation)? = try request("expect " + claim)?.action else { return false }
        let checker = ExpectationChecker(result: state.current.last, now: environment.now())
        return checker.failure(of: expectation) == nil
    }

    /// Whether a statement claims that the previous one failed, as `expect error` does.
    public func expectsError(_ text: String) -> Bool {
        if case .claim(.error)? = try? request(text)?.action { true } else { false }
    }

    /// Whether a statement failed and the next one, if any, does not expect it.
    func fails(_ outcome: StatementOutcome, before next: Statement?) -> Bool {
        guard outcome.shellError != nil else { return false }
        return next.map { !expectsError($0.text) } ?? true
    }

    // MARK: One statement

    /// Runs work with the time limit of a command.
    private func limited(_ work: @escaping @Sendable () async throws -> Answer) async throws -> Answer {
        guard let timeout else { return try await work() }
        let pause = environment.pause
        return try await withThrowingTaskGroup(of: Answer.self) { group in
            group.addTask(operation: work)
            group.addTask {
                try await pause(timeout)
                throw Self.tookTooLong(timeout)
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    /// The error of a command that reached the time limit.
    static func tookTooLong(_ timeout: TimeInterval) -> ShellError {
        ShellError(
            code: "timeout", message: "the command took longer than \(JSONValue.number(timeout)) s",
            remedy: "use a longer --timeout, or look at: status")
    }

    private func failed(_ shellError: ShellError, about text: String, line: Int?) -> StatementOutcome {
        var shellError = shellError
        if shellError.line == nil, let line { (shellError.file, shellError.line) = (script, line) }
        return StatementOutcome(rendering: renderer.render(shellError, line: text), shellError: shellError)
    }

    /// Runs a statement without changing the last result.
    func runAside(_ text: String) async -> StatementOutcome {
        let last = state.current.last
        let outcome = await run(text)
        await remember(last)
        return outcome
    }

    /// The initial text for the editor if the command is `edit`, else nil. If it is empty, the editor opens
    /// the last line of the history.
    func textToEdit(_ line: String) -> String? {
        (try? parser.arguments(line)).flatMap(ShellCommands.textToEdit)
    }

    var parser: Parser { Parser(table: table, now: environment.now()) }

    func request(_ text: String) throws -> Request? { try parser.request(text) }

    /// Whether each command prints one JSON document.
    public var isJSON: Bool { renderer.isJSON }

    /// Creates the outcome of a message that is not stored as the last result.
    public func messageOutcome(_ words: String) -> StatementOutcome {
        StatementOutcome(rendering: renderer.render(Answer.message(words)))
    }
}
