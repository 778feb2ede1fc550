extension StatementRunner {
    /// The line with the values of its variables. Unknown variables are left unchanged.
    ///
    /// An argument that is a command itself, for example that of `watch`, is read as a line once more. It
    /// gets its values by the rules of that line, so that a value stays one word there, too.
    ///
    /// - Throws: `ShellError` if a file of a redirection is named by `$_` and the record's name leads
    ///   elsewhere.
    func expanded(_ text: String, _ value: (_ name: String) -> String?) throws -> String {
        guard text.contains("$") else { return text }
        try state.checkRecordName(in: Self.way(of: text).file)
        let line = Substitution.replaced(in: text, value)
        // Each value stays one word, so the words of both lines have the same positions.
        guard let words = try? Tokenizer.words(in: text), let index = commandIndex(in: line),
            index < words.count
        else { return line }
        let word = words[index]
        let command = try expanded(word.text, value)
        let written = String(Array(text)[word.range])
        let argument = command == word.text ? written : Quoting.command(command) ?? written
        let head = Substitution.replaced(in: String(text.prefix(word.range.lowerBound)), value)
        return head + argument
            + Substitution.replaced(in: String(text.dropFirst(word.range.upperBound)), value)
    }

    /// The position of the word that is a whole command itself; nil if the line has none.
    private func commandIndex(in line: String) -> Int? {
        guard let words = try? Tokenizer.words(in: Self.way(of: line).line),
            let command = parser.commandWord(in: Completer.withoutAddress(words))
        else { return nil }
        return words.firstIndex { $0.range == command.range }
    }
}
