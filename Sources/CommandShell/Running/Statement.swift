import Foundation

/// One statement with the number of the line that it begins at.
public struct Statement: Equatable, Sendable {
    /// The number of the line that it begins at.
    public let line: Int
    /// What was typed.
    public let text: String

    /// The statements of a text, blank ones and comments included.
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
