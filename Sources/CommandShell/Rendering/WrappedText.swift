import Foundation

/// Wraps text to the width of a terminal. Continuation lines are aligned with the second column of the first
/// line.
enum WrappedText {
    private static let narrowest = 20

    /// The text in lines of at most `width` columns. A word that is wider is not broken.
    static func fitted(_ text: String, to width: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { fitted(line: String($0), to: width) }.joined(separator: "\n")
    }

    private static func fitted(line: String, to width: Int) -> String {
        guard DisplayWidth.of(line) > width else { return line }
        let indent = min(hangingIndent(line), max(width - narrowest, 0))
        let blanks = String(repeating: " ", count: indent)
        var lines = [""]
        for word in words(line) {
            let last = lines[lines.count - 1]
            let isEmpty = last.allSatisfy(\.isWhitespace)
            if !isEmpty, DisplayWidth.of(last) + DisplayWidth.of(word.whole) > width {
                lines.append(blanks + word.text)
            } else {
                lines[lines.count - 1] = last + word.leading + word.text
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The start of the line's second column; without one, the indentation of the line.
    private static func hangingIndent(_ line: String) -> Int {
        let lead = line.prefix { $0 == " " }.count
        let rest = line.dropFirst(lead)
        guard let gap = rest.range(of: "  ") else { return lead }
        let after = rest[gap.lowerBound...].prefix { $0 == " " }.count
        return lead + rest.distance(from: rest.startIndex, to: gap.lowerBound) + after
    }

    private struct Piece {
        let leading: String
        let text: String
        var whole: String { leading + text }
    }

    private static func words(_ line: String) -> [Piece] {
        var pieces: [Piece] = []
        var rest = Substring(line)
        while !rest.isEmpty {
            let blanks = rest.prefix { $0 == " " }
            rest = rest.dropFirst(blanks.count)
            let word = rest.prefix { $0 != " " }
            rest = rest.dropFirst(word.count)
            pieces.append(Piece(leading: String(blanks), text: String(word)))
        }
        return pieces
    }
}
