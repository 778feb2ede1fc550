import Foundation

/// The lines of the history, oldest first.
struct HistoryList: Equatable, Sendable {
    private(set) var lines: [String] = []
    let limit: Int

    init(limit: Int = 1000) {
        self.limit = limit
    }

    /// Adds a line and returns whether it was added. An earlier duplicate is removed. Lines that begin with
    /// white space, contain `password=` or have hidden characters are not added.
    mutating func add(_ line: String) -> Bool {
        var line = line
        // Completion may have added a space at the end.
        while line.last == " " { line.removeLast() }
        guard let first = line.first, !first.isWhitespace, !Self.isSecret(line) else { return false }
        // A recalled line must show all its characters.
        guard VisibleText.escaped(line) == line else { return false }
        lines.removeAll { $0 == line }
        lines.append(line)
        if lines.count > limit { lines.removeFirst(lines.count - limit) }
        return true
    }

    private static func isSecret(_ line: String) -> Bool {
        line.range(of: "password\\s*=", options: [.regularExpression, .caseInsensitive]) != nil
    }

    /// The text of a history file: one statement per line, with line breaks inside a statement escaped.
    var fileText: String {
        lines.map { Self.escaped($0) + "\n" }.joined()
    }

    /// Parses what `fileText` returns.
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
