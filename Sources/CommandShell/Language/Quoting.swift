import Foundation

/// Quotes words.
public enum Quoting {
    /// Whether a word reads as something else without quotes.
    public static func isNeeded(_ text: String) -> Bool {
        text.isEmpty || text.contains { $0.isWhitespace || "\"'\\#".contains($0) }
    }

    /// The word in quotes if it needs them.
    public static func quoted(_ text: String) -> String {
        isNeeded(text) ? "\"\(escaped(text))\"" : text
    }

    /// The word as it stands between double quotes.
    public static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
    }

    // MARK: Names that somebody else gave

    /// The name as one word that is no flag, no command, no way out of the line, and stands for nothing else;
    /// nothing when it cannot be written so.
    ///
    /// A name of one line that is shown as it is can be written unless it begins or ends with a mark that
    /// would become one character with the quote beside it.
    public static func name(_ text: String) -> String? {
        if !isNeeded(inName: text) { return text }
        let quoted = "\"\(escaped(inName: text))\""
        let scan = Tokenizer.scan(quoted)
        return scan.openQuote == nil && scan.words.map(\.text) == [text] ? quoted : nil
    }

    /// Whether a name reads as something else without quotes.
    public static func isNeeded(inName text: String) -> Bool {
        let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "._,:@+=/~-".contains($0) }
        return !isPlain || text.isEmpty || text.hasPrefix("-") && text.dropFirst().first?.isNumber != true
            || text == "help"
    }

    /// The name as it stands between double quotes; nothing in it stands for a variable.
    public static func escaped(inName text: String) -> String {
        escaped(text).replacingOccurrences(of: "$", with: "\\$")
    }
}
