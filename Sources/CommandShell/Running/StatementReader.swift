import Foundation

/// Joins lines to statements. A line that ends with a backslash or has an open quote continues on the next
/// line.
struct StatementReader {
    private var pending: String?
    /// The quote that the incomplete statement has not closed; nil if there is none.
    private(set) var openQuote: Character?

    /// Whether a statement has begun that is not complete.
    var isPending: Bool { pending != nil }

    /// Adds a line. Returns the statement if the line completes one, else nil.
    mutating func take(_ line: String) -> String? {
        let text = (pending ?? "") + line
        let scan = Tokenizer.scan(text)
        openQuote = scan.openQuote.map { Array(text)[$0] }
        if openQuote != nil {
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

    /// The incomplete statement at the end of the input; nil if there is none.
    mutating func finish() -> String? {
        defer { pending = nil }
        return pending
    }
}
