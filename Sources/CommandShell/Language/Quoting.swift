import Foundation

/// Quotes words for a line of the shell.
public enum Quoting {
    /// Whether the tokenizer reads a text as one word only in quotes. Variables (`$`) and redirections (`>`,
    /// `|`) are not considered: see `isNeeded(inName:)`.
    public static func isNeeded(_ text: String) -> Bool {
        text.isEmpty || text.contains { $0.isWhitespace || "\"'\\#".contains($0) }
    }

    /// The word, in quotes if `isNeeded` requires it. For a name that a person gave, use `name(_:)`.
    public static func quoted(_ text: String) -> String {
        isNeeded(text) ? "\"\(escaped(text))\"" : text
    }

    /// The word with escapes, for use between double quotes.
    public static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
    }

    /// A whole command as one word of a line, in quotes; nil if it cannot be quoted.
    static func command(_ text: String) -> String? {
        word(text, escaped: escaped(text))
    }

    /// The escaped text in double quotes; nil if the line is not read as this one word.
    private static func word(_ text: String, escaped: String) -> String? {
        let quoted = "\"\(escaped)\""
        let scan = Tokenizer.scan(quoted)
        return scan.openQuote == nil && scan.words.map(\.text) == [text] ? quoted : nil
    }

    // MARK: Names that other people gave

    /// A name that a person gave, as one word of a line: it cannot be read as a flag, a command, the end of
    /// the line or a variable. Nil if the name cannot be quoted.
    ///
    /// Every name of one line without hidden characters can be quoted, unless it begins or ends with a mark
    /// that combines with the quote next to it into one character.
    public static func name(_ text: String) -> String? {
        isNeeded(inName: text) ? word(text, escaped: escaped(inName: text)) : text
    }

    /// Whether a name must be quoted.
    public static func isNeeded(inName text: String) -> Bool {
        !ShellWord.consistsOfLettersAndDigits(text, and: "._,:@+=/~-")
            // Some letters combine with a space next to them into one character, which then ends no word.
            || " \(text) ".count != text.count + 2
            || text.unicodeScalars.first == "-" && text.dropFirst().first?.isNumber != true
            || text == "help"
    }

    /// The name with escapes, for use between double quotes, in a line of this shell and after `|`, where
    /// `sh` reads the line. No part of the name is read as a variable, or by `sh` as a command.
    public static func escaped(inName text: String) -> String {
        var escaped = String.UnicodeScalarView()
        // By scalar, as `sh` reads it: a combining mark after a backtick changes nothing there.
        for scalar in text.unicodeScalars {
            if "\\\"$`".unicodeScalars.contains(scalar) { escaped.append("\\") }
            escaped.append(scalar)
        }
        return String(escaped)
    }
}
