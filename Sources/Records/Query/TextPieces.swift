/// The pieces of a text that can be folded one after the other: their folded forms together are the folded
/// form of the text.
///
/// Foundation moves the rest of a text for each character whose folded form has another length. For a long
/// text, the time would grow with the square of the length. The folded form of a character depends only on
/// the marks that follow it, so a piece ends where a letter or digit begins.
package struct TextPieces: Sequence, IteratorProtocol {
    private var rest: Substring.UnicodeScalarView

    /// The number of scalars after which a piece ends before the next letter or digit.
    private static let shortest = 128
    /// The maximum number of scalars of a piece. Only a text with so many marks and symbols in a row is cut
    /// elsewhere than before a letter or digit.
    package static let longest = 1024

    package init(_ text: String) {
        rest = text.unicodeScalars[...]
    }

    package mutating func next() -> String? {
        if rest.isEmpty { return nil }
        var (end, count) = (rest.startIndex, 0)
        while end < rest.endIndex, count < Self.longest {
            if count >= Self.shortest, rest[end].isLetterOrDigit { break }
            rest.formIndex(after: &end)
            count += 1
        }
        let piece = String(rest[..<end])
        rest = rest[end...]
        return piece
    }
}

extension Unicode.Scalar {
    /// Whether this begins a character. Marks are excluded, even those that count as alphabetic.
    fileprivate var isLetterOrDigit: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber: true
        default: false
        }
    }
}
