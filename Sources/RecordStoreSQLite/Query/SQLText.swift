import RecordStore

/// A piece of an SQL statement with the arguments of its question marks.
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

    static func joined(_ pieces: [SQLText], separator: String) -> SQLText {
        var result = SQLText()
        for (index, piece) in pieces.enumerated() { result.add(piece.prefixed(index == 0 ? "" : separator)) }
        return result
    }

    /// Returns the disjunction of the conditions; false if there are none.
    ///
    /// It is built as a balanced tree, because SQLite limits the depth of an expression, which a long chain
    /// of `OR` would exceed.
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

    /// Returns `column IN (?, …)`; false if there are no values.
    ///
    /// Up to 256 values, the list is padded to a power of two by repeating its last value, so that lists of
    /// different lengths share a few prepared statements.
    static func membership(_ column: String, _ values: [SortValue]) -> SQLText {
        guard let last = values.last else { return SQLText(text: "0") }
        var size = values.count > 256 ? values.count : 1
        while size < values.count { size *= 2 }
        let marks = Array(repeating: "?", count: size).joined(separator: ", ")
        let filling = Array(repeating: last, count: size - values.count)
        return SQLText(text: "\(column) IN (\(marks))", arguments: values + filling)
    }
}
