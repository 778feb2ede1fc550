import Foundation

/// Puts lines together: a backslash at the end or an open quote goes on in the next line.
struct StatementReader {
    private var pending: String?

    /// Whether a statement has begun that is not complete.
    var isPending: Bool { pending != nil }

    /// Takes a line and answers the statement that it completes, if it does.
    mutating func take(_ line: String) -> String? {
        let text = (pending ?? "") + line
        let scan = Tokenizer.scan(text)
        if scan.openQuote != nil {
            pending = text + "\n"
            return nil
        }
        let backslashes = text.reversed().prefix { $0 == "\\" }.count
        if scan.comment == nil, backslashes % 2 == 1 {
            pending = text.dropLast() + " "
            return nil
        }
        pending = nil
        return text
    }

    /// What is left when no line follows.
    mutating func finish() -> String? {
        defer { pending = nil }
        return pending
    }
}
