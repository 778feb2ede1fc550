// Owns what Tab offers where the shell's language is typed.
import Foundation

extension LineEditor {
    /// A line editor that completes commands and what an interpreter knows.
    convenience init(completing interpreter: Interpreter, interrupts: Interrupts, hints: Bool = false) {
        let completer = Completer(table: .standard)
        let live = LiveNames(interpreter: interpreter)
        let tools = interpreter.tools
        self.init(
            interrupts: interrupts,
            complete: { line, cursor, history in
                let site = completer.site(line: line, cursor: cursor)
                let found: [Candidate] =
                    switch site.source {
                    case .words(let words): words
                    case .live(let kind, let words):
                        words + live.names(of: kind, beginningWith: site.typed).map(\.asName)
                    case .files:
                        FileNames.candidates(site.typed, baseFolder: tools.baseFolder, home: tools.home)
                            .map(\.asName)
                    case .nothing: []
                    }
                let ranked = WordUsage(history).ranked(found, behind: site.head)
                return completer.completion(at: site, among: ranked)
            },
            list: { CandidateList.text($0, width: TerminalSize.current.columns) },
            hint: hints ? { ArgumentHint(table: .standard).text(behind: $0) } : nil
        )
    }
}
