import RecordStore

/// A piece of a statement and the values that its question marks stand for.
struct SQLText {
    var text = ""
    var arguments: [SortValue] = []

    mutating func add(_ piece: String, _ values: SortValue...) {
        text += piece
        arguments += values
    }

    mutating func add(_ other: SQLText) {
        text += other.text
        arguments += other.arguments
    }

    func prefixed(_ prefix: String) -> SQLText {
        SQLText(text: prefix + text, arguments: arguments)
    }

    func parenthesised() -> SQLText {
        SQLText(text: "(" + text + ")", arguments: arguments)
    }

    /// The pieces with something between them.
    static func joined(_ pieces: [SQLText], separator: String) -> SQLText {
        var result = SQLText()
        for (index, piece) in pieces.enumerated() { result.add(piece.prefixed(index == 0 ? "" : separator)) }
        return result
    }

    /// Whether one of the pieces holds; with none, none does.
    ///
    /// The pieces are paired, and the pairs, and so on, because the engine refuses expressions that are as
    /// deep as a long chain of `OR` would be.
    static func anyOf(_ pieces: [SQLText]) -> SQLText {
        var level = pieces
        while level.count > 1 {
            level = stride(from: 0, to: level.count, by: 2).map { start in
                let pair = Array(level[start..<min(start + 2, level.count)])
                return pair.count == 1 ? pair[0] : joined(pair, separator: " OR ").parenthesised()
            }
        }
        return level.first ?? SQLText(text: "0")
    }

    /// `IN (?, …)` for values, of which there is at least one.
    ///
    /// A list of ordinary length is filled up to a power of two by repeating its last value, so that lists of
    /// any such length share few statements.
    static func membership(_ column: String, _ values: [SortValue]) -> SQLText {
        guard let last = values.last else { return SQLText(text: "0") }
        var size = values.count > 256 ? values.count : 1
        while size < values.count { size *= 2 }
        let marks = Array(repeating: "?", count: size).joined(separator: ", ")
        let filling = Array(repeating: last, count: size - values.count)
        return SQLText(text: "\(column) IN (\(marks))", arguments: values + filling)
    }
}
