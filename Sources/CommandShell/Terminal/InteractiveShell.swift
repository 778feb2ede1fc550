import Foundation

/// The shell at a terminal.
@MainActor
final class InteractiveShell {
    private let runner: StatementRunner
    private let output: OutputChannels
    private let interrupts: Interrupts
    private let pager: Pager
    private let textEditor: TextEditor
    private let editor: LineEditor
    /// The history file of the current place, for example a server and container.
    private var historyFile: HistoryFile?
    /// The lines that the arrow keys find. They include failed ones, so that a person can correct them.
    private var history = HistoryList()

    init(runner: StatementRunner, output: OutputChannels, interrupts: Interrupts) {
        self.runner = runner
        self.output = output
        self.interrupts = interrupts
        let (names, environment) = (runner.program.names, runner.environment)
        pager = Pager(of: names, environment: environment.variables)
        textEditor = TextEditor(
            of: names, environment: environment.variables, folder: environment.workFolder)
        editor = LineEditor(
            completing: runner, interrupts: interrupts, hints: runner.renderer.dataPaint.isOn)
        environment.announcer.listen { [messages = editor.messages] in messages?.add($0) }
    }

    /// Reads and runs lines until the person leaves, and returns the exit code.
    func run() async -> Int32 {
        var reader = StatementReader()
        while true {
            await findHistory()
            let prompt = reader.isPending ? "      ...> " : await runner.program.prompt
            switch editor.read(prompt: prompt) {
            case .end:
                output.message("\n")
                await runner.program.disconnect()
                return ExitStatus.done.rawValue
            case .interrupted:
                reader = StatementReader()
            case .line(let line):
                let wasPending = reader.isPending
                guard let typed = reader.take(line) else {
                    if !wasPending, let quote = reader.openQuote {
                        output.message(
                            "the quote is open: close it with \(quote), or drop the line with Ctrl-C\n")
                    }
                    continue
                }
                guard let text = await edited(typed) else { continue }
                remember(text)
                if let code = await run(text) {
                    await runner.program.disconnect()
                    return code
                }
            }
        }
    }

    /// Runs typed or edited text, which may contain several statements, and returns the exit code if one of
    /// them leaves the shell. Only text without failures is added to the history file.
    private func run(_ text: String) async -> Int32? {
        var hasFailed = false
        defer { if !hasFailed { historyFile?.append(text) } }
        let statements = Statement.statements(in: text)
        for (index, statement) in statements.enumerated() {
            var runner = runner
            runner.renderer.width = TerminalSize.current.columns
            let outcome = await interrupts.interruptible { [runner] in await runner.run(statement.text) }
            await show(outcome.rendering)
            if let code = outcome.exitCode { return code }
            hasFailed = runner.fails(outcome, before: statements.dropFirst(index + 1).first)
            if hasFailed { break }
        }
        return nil
    }

    private func show(_ rendering: Rendering) async {
        var rendering = rendering
        // The output of a program after `|` must pass the terminal's filter too.
        let data = VisibleText.styled(rendering.data)
        if pager.isNeeded(for: data, rows: TerminalSize.current.rows), await pager.show(data) {
            rendering.data = ""
        }
        try? output.write(rendering)
    }

    // MARK: History

    /// Loads the history of the current place if the place has changed.
    private func findHistory() async {
        let file = HistoryFile(
            of: runner.program.names, environment: runner.environment.variables,
            place: await runner.program.historyPlace)
        if file.file == historyFile?.file { return }
        historyFile = file
        history = file.load()
        editor.remember(history)
    }

    private func remember(_ text: String) {
        guard history.add(text) else { return }
        editor.remember(history)
    }

    /// The statement to run: for `edit`, the text that was saved in the editor; otherwise the typed text. Nil
    /// if there is nothing to run.
    private func edited(_ typed: String) async -> String? {
        guard let given = runner.textToEdit(typed) else { return typed }
        do {
            if let text = try await textEditor.edited(given.isEmpty ? history.lines.last ?? "" : given) {
                output.say(text + "\n")
                return text
            }
            output.message("nothing was saved, so nothing was run\n")
        } catch {
            try? output.write(runner.renderer.render(ShellError(error), line: nil))
        }
        return nil
    }
}
