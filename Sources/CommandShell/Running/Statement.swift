import Foundation

/// A statement and the number of its first line.
public struct Statement: Equatable, Sendable {
    /// The number of the statement's first line, from 1.
    public let line: Int
    /// The text of the statement.
    public let text: String

    /// Splits a text into statements, including blank ones and comments.
    public static func statements(in text: String) -> [Statement] {
        var reader = StatementReader()
        var statements: [Statement] = []
        var start = 1
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(
            String.init)
        for (index, line) in lines.enumerated() {
            if !reader.isPending { start = index + 1 }
            if let statement = reader.take(line) {
                statements.append(Statement(line: start, text: statement))
            }
        }
        if let rest = reader.finish() { statements.append(Statement(line: start, text: rest)) }
        return statements
    }
}
