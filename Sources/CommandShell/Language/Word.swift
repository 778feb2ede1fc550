import Foundation

/// One word of a line, without its quotes, and where it stands.
public struct Word: Hashable, Sendable {
    /// The word.
    public let text: String
    /// The characters of the line that the word covers, quotes included.
    public let range: Range<Int>
    /// Whether the word begins with a quote; such a word is never a flag.
    public let isQuoted: Bool

    /// A word.
    public init(_ text: String, range: Range<Int> = 0..<0, isQuoted: Bool = false) {
        self.text = text
        self.range = range
        self.isQuoted = isQuoted
    }
}
