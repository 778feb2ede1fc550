// Owns the conversation at a terminal: prompt, line, result, again.
import CommandText
import Foundation

/// The shell that somebody types at.
@MainActor
final class InteractiveShell {
    private let runner: StatementRunner
    private let outlet: Outlet
    private let interrupts: Interrupts
    private let environment: [String: String]
    private let pager: Pager
    private let textEditor: TextEditor
    private let editor: LineEditor
    /// Where the lines are kept that were typed at the present server and container.
    private var historyFile: HistoryFile?
    /// The lines that the arrow keys find: those that failed, too, so that they can be mended.
    private var history = HistoryList()

    init(
        runner: StatementRunner,
        outlet: Outlet,
        interrupts: Interrupts,
        environment: [String: String]
    ) {
        self.runner = runner
        self.outlet = outlet
        self.interrupts = interrupts
        self.environment = environment
        pager = Pager(environment: environment)
        textEditor = TextEditor(environment: environment, folder: runner.interpreter.tools.workFolder)
        editor = LineEditor(
            completing: runner.interpreter, interrupts: interrupts, hints: runner.renderer.dataPaint.isOn)
        runner.interpreter.tools.announcer.listen { [news = editor.news] in news?.add($0) }
    }

    /// Talks until somebody leaves, and answers the exit code.
    func run() async -> Int32 {
        var reader = StatementReader()
        while true {
            await findHistory()
            let prompt = reader.isPending ? "      ...> " : await runner.interpreter.prompt
            switch editor.read(prompt: prompt) {
            case .end:
                outlet.talk("\n")
                await runner.interpreter.hangUp()
                return ExitCode.done.rawValue
            case .interrupted:
                reader = StatementReader()
            case .line(let line):
                guard let typed = reader.take(line), let text = await edited(typed) else { continue }
                remember(text)
                if let code = await run(text) { return code }
            }
        }
    }

    /// Does what was typed, or what came out of the editor: several statements, maybe. What succeeded is kept
    /// for later runs; what failed can be called back in this one.
    private func run(_ text: String) async -> Int32? {
        var hasFailed = false
        defer { if !hasFailed { historyFile?.keep(text) } }
        let statements = Statement.statements(in: text)
        for (index, statement) in statements.enumerated() {
            var runner = runner
            runner.renderer.width = TerminalSize.current.columns
            let outcome = await interrupts.interruptible { [runner] in await runner.run(statement.text) }
            await show(outcome.rendering)
            if let code = outcome.leavesWith { return code }
            hasFailed = runner.fails(outcome, before: statements.dropFirst(index + 1).first)
            if hasFailed { break }
        }
        return nil
    }

    private func show(_ rendering: Rendering) async {
        var rendering = rendering
        // What a program behind `|` printed goes past the filter of a terminal here.
        let data = VisibleText.styled(rendering.data)
        if pager.isNeeded(for: data, rows: TerminalSize.current.rows), await pager.show(data) {
            rendering.data = ""
        }
        try? outlet.write(rendering)
    }

    // MARK: Lines from before

    /// Goes on with the lines of the present server and container, where that has changed.
    private func findHistory() async {
        let file = HistoryFile(environment: environment, place: await runner.interpreter.historyPlace)
        if file.file == historyFile?.file { return }
        historyFile = file
        history = file.load()
        editor.remember(history)
    }

    private func remember(_ text: String) {
        guard history.add(text) else { return }
        editor.remember(history)
    }

    /// The statement itself; for `edit` what was saved in the editor, which then stands for it. Nothing where
    /// there is nothing to do.
    private func edited(_ typed: String) async -> String? {
        guard case .shell(.edit(let given))? = try? runner.request(typed)?.command else { return typed }
        do {
            if let text = try await textEditor.edited(given ?? history.lines.last ?? "") {
                outlet.say(text + "\n")
                return text
            }
            outlet.talk("nothing was saved, so nothing is done\n")
        } catch {
            try? outlet.write(runner.renderer.render(Complaint(error), line: nil))
        }
        return nil
    }
}
