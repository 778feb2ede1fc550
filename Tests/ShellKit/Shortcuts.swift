@testable import ClownCentral
@testable import CommandShell

extension CommandTable {
    /// The commands of Clown Central.
    static let standard = CommandTable(of: ClownCentralProgram.described)
}

extension Parser {
    /// The action of a line's command.
    func parse(_ line: String) throws -> CommandAction? { try request(line)?.action }
}

extension ShellState {
    /// A line with its variables replaced; `$_` is `last`.
    func expanded(_ line: String, last: String) -> String {
        let entry = Entry([AnswerField("id", .text(last))])
        change { $0.last = .answer(Answer(form: .record, entries: [entry])) }
        return Substitution.replaced(in: line, currentValues())
    }
}
