// Owns a file of the house as the rules see it: lines, tokens and comments.

/// A Swift file, lexed once. Rules are pure functions from it to findings.
struct SourceFile: Sendable {
    /// From the package's root, such as `Sources/Records/Record.swift`.
    let path: String
    /// Without their line ends.
    let lines: [String]
    let tokens: [Token]
    let comments: [Comment]

    private let commentsByLine: [Int: [Comment]]
    private let firstTokens: [Int: Int]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let source = BlankedSource(text)
        tokens = Token.tokens(of: source.code)
        comments = source.comments
        commentsByLine = Dictionary(grouping: source.comments, by: \.line)
        firstTokens = Dictionary(
            tokens.enumerated().map { ($0.element.line, $0.offset) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The comments directly above a line, nearest first, attributes between being skipped.
    func commentsAbove(line: Int) -> [Comment] {
        var found: [Comment] = []
        var above = line - 1
        while above > 0 {
            if let token = firstTokens[above] {
                guard tokens[token].text == "@" else { break }
            } else if let comments = commentsByLine[above] {
                found += comments
            } else {
                break
            }
            above -= 1
        }
        return found
    }

    /// Whether a plain comment of a few words explains a line, at its end or directly above it.
    func hasReason(at line: Int) -> Bool {
        (commentsAbove(line: line) + (commentsByLine[line] ?? []))
            .contains { $0.kind == .plain && $0.text.split(separator: " ").count >= 3 }
    }

    /// The position of the mark that closes the bracket at `open`; nil if none does.
    func close(of open: Int) -> Int? {
        let pairs = ["(": ")", "[": "]", "{": "}"]
        guard let closing = pairs[tokens[open].text] else { return nil }
        var depth = 0
        for place in open..<tokens.count {
            if tokens[place].text == tokens[open].text {
                depth += 1
            } else if tokens[place].text == closing {
                depth -= 1
                if depth == 0 {
                    return place
                }
            }
        }
        return nil
    }

    /// The text of the token at a position; empty beyond the ends.
    func text(_ place: Int) -> String {
        tokens.indices.contains(place) ? tokens[place].text : ""
    }
}
