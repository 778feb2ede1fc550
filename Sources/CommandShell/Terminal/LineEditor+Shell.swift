import Foundation

extension LineEditor {
    /// Creates a line editor that completes commands, file names and the program's values.
    convenience init(completing runner: StatementRunner, interrupts: Interrupts, hints: Bool = false) {
        let (table, environment) = (runner.table, runner.environment)
        let completer = Completer(table: table)
        let live = LiveNames(of: runner)
        self.init(
            name: runner.program.names.name,
            interrupts: interrupts,
            complete: { line, cursor, history in
                let site = completer.site(line: line, cursor: cursor)
                let found: [Candidate] =
                    switch site.source {
                    case .words(let words): words
                    case .live(let kind, let words): words + live.names(of: kind, at: site).map(\.asName)
                    case .files:
                        FileNames.candidates(
                            site.typed, baseFolder: environment.baseFolder, home: environment.home
                        )
                        .map(\.asName)
                    case .nothing: []
                    }
                let ranked = WordUsage(history).ranked(found, after: site.head)
                return completer.completion(at: site, among: ranked)
            },
            list: { CandidateList.text($0, width: TerminalSize.current.columns) },
            hint: hints ? { ArgumentHint(table: table).text(after: $0) } : nil
        )
    }
}
