// Owns a word of a command line together with the place it was typed at.
import Foundation

/// One word of a line, without its quotes, and where it stands.
struct Word: Hashable, Sendable {
    let text: String
    /// The characters of the line that the word covers, quotes included.
    let range: Range<Int>
    /// Whether the word begins with a quote; such a word is never a flag.
    let isQuoted: Bool

    init(_ text: String, range: Range<Int> = 0..<0, isQuoted: Bool = false) {
        self.text = text
        self.range = range
        self.isQuoted = isQuoted
    }
}
