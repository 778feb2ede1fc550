import Foundation

/// The remembered lines, oldest first.
struct HistoryList: Equatable, Sendable {
    private(set) var lines: [String] = []
    let limit: Int

    init(limit: Int = 1000) {
        self.limit = limit
    }

    /// Remembers a line, and answers whether it did; an earlier double moves to the end.
    mutating func add(_ line: String) -> Bool {
        var line = line
        // Tab leaves a blank behind what it completed.
        while line.last == " " { line.removeLast() }
        guard let first = line.first, !first.isWhitespace, !Self.isSecret(line) else { return false }
        // Whoever calls the line back sees all of it.
        guard VisibleText.escaped(line) == line else { return false }
        lines.removeAll { $0 == line }
        lines.append(line)
        if lines.count > limit { lines.removeFirst(lines.count - limit) }
        return true
    }

    private static func isSecret(_ line: String) -> Bool {
        line.range(of: "password\\s*=", options: [.regularExpression, .caseInsensitive]) != nil
    }

    /// The lines as a file keeps them: one a line, so a line break inside a statement is escaped.
    var fileText: String {
        lines.map { Self.escaped($0) + "\n" }.joined()
    }

    /// Reads what `fileText` wrote.
    init(fileText: String, limit: Int = 1000) {
        self.init(limit: limit)
        for line in fileText.split(separator: "\n") { _ = add(Self.unescaped(String(line))) }
    }

    private static func escaped(_ line: String) -> String {
        line.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\n", with: "\\n")
    }

    private static func unescaped(_ line: String) -> String {
        var text = ""
        var isEscaped = false
        for character in line {
            if isEscaped {
                text.append(character == "n" ? "\n" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                text.append(character)
            }
        }
        return text
    }
}
