import Foundation

extension StatementRunner {
    /// The line with the values of its variables. Unknown variables are left unchanged.
    ///
    /// An argument that is a command itself, for example that of `watch`, is later read as a line of its own.
    /// Its variables are replaced as in such a line, so that a value stays one word there, too.
    ///
    /// - Throws: `ShellError` if a file name contains `$_` and the value of `$_` is no plain file name.
    func expanded(_ text: String, _ value: (_ name: String) -> String?) throws -> String {
        guard text.contains("$") else { return text }
        try state.checkRecordName(in: Self.redirection(of: text).file)
        let line = Substitution.replaced(in: text, value)
        guard let written = try? Tokenizer.words(in: text),
            let words = try? Tokenizer.words(in: Self.redirection(of: line).line),
            let arguments = parser.arguments(in: Completer.withoutAddress(words))
        else { return line }
        /// The same word before the values were inserted: each value stays one word.
        func original(_ word: Word) -> Word? {
            let index = words.firstIndex { $0.range == word.range }
            return index.flatMap { written.indices.contains($0) ? written[$0] : nil }
        }
        for file in arguments.words(of: .file) { try state.checkRecordName(in: original(file)) }
        guard let word = arguments.word(Parser.commandArgument).flatMap(original) else { return line }
        let command = try expanded(word.text, value)
        let quoted = command == word.text ? nil : Quoting.command(command)
        let head = Substitution.replaced(in: String(text.prefix(word.range.lowerBound)), value)
        let tail = Substitution.replaced(in: String(text.dropFirst(word.range.upperBound)), value)
        return head + (quoted ?? String(Array(text)[word.range])) + tail
    }
}
