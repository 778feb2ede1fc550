// Owns the conversation at a terminal: prompt, line, result, again.
import Foundation

/// The shell that somebody types at.
@MainActor
final class InteractiveShell {
    private let runner: StatementRunner
    private let outlet: Outlet
    private let interrupts: Interrupts
    private let pager: Pager
    private let historyFile: HistoryFile
    private var history: HistoryList
    private let editor: LineEditor
    /// Lines that made no sense: they can be called back and mended, and no later run is offered them.
    private var mistakes: Set<String> = []

    init(
        runner: StatementRunner,
        outlet: Outlet,
        interrupts: Interrupts,
        environment: [String: String]
    ) {
        self.runner = runner
        self.outlet = outlet
        self.interrupts = interrupts
        pager = Pager(environment: environment)
        historyFile = HistoryFile(environment: environment)
        history = historyFile.load()
        editor = LineEditor(
            completing: runner.interpreter, interrupts: interrupts, hints: runner.renderer.dataPaint.isOn)
        editor.remember(history)
        runner.interpreter.tools.announcer.listen { [news = editor.news] in news?.add($0) }
    }

    /// Talks until somebody leaves, and answers the exit code.
    func run() async -> Int32 {
        var reader = StatementReader()
        while true {
            let prompt = reader.isPending ? "      ...> " : await runner.interpreter.prompt
            switch editor.read(prompt: prompt) {
            case .end:
                outlet.talk("\n")
                await runner.interpreter.hangUp()
                return ExitCode.done.rawValue
            case .interrupted:
                reader = StatementReader()
            case .line(let line):
                guard let statement = reader.take(line) else { continue }
                remember(statement)
                if let code = await run(statement) { return code }
            }
        }
    }

    private func run(_ statement: String) async -> Int32? {
        var runner = runner
        runner.renderer.width = TerminalSize.current.columns
        let outcome = await interrupts.interruptible { [runner] in await runner.run(statement) }
        if outcome.complaint?.exit == .usage {
            mistakes.insert(statement)
        } else {
            mistakes.remove(statement)
        }
        historyFile.save(history.without(mistakes))
        await show(outcome.rendering)
        return outcome.leavesWith
    }

    private func show(_ rendering: Rendering) async {
        var rendering = rendering
        if pager.isNeeded(for: rendering.data, rows: TerminalSize.current.rows),
            await pager.show(rendering.data)
        {
            rendering.data = ""
        }
        try? outlet.write(rendering)
    }

    private func remember(_ statement: String) {
        guard history.add(statement) else { return }
        editor.remember(history)
    }
}
