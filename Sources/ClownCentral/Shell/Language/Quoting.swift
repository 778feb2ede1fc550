// Owns putting a word into quotes so that the tokenizer reads it back as it was.
import Foundation

/// Quotes words.
enum Quoting {
    /// Whether a word reads as something else without quotes.
    static func isNeeded(_ text: String) -> Bool {
        text.isEmpty || text.contains { $0.isWhitespace || "\"'\\#".contains($0) }
    }

    /// The word in quotes if it needs them.
    static func quoted(_ text: String) -> String {
        isNeeded(text) ? "\"\(escaped(text))\"" : text
    }

    /// The word as it stands between double quotes.
    static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
    }
}
