import Foundation

/// A word of a line, without its quotes, and its position.
public struct Word: Hashable, Sendable {
    /// The word.
    public let text: String
    /// The range of characters in the line, including quotes.
    public let range: Range<Int>
    /// Whether the word begins with a quote. A quoted word is never a flag.
    public let isQuoted: Bool

    /// Creates a word.
    public init(_ text: String, range: Range<Int> = 0..<0, isQuoted: Bool = false) {
        self.text = text
        self.range = range
        self.isQuoted = isQuoted
    }
}
