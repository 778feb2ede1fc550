import PostgreSQLSupport

/// A piece of an SQL statement with the arguments of its question marks.
struct PostgresFragment {
    var text = ""
    var arguments: [PostgresValue] = []

    init(_ text: String = "", _ arguments: PostgresValue...) {
        self.text = text
        self.arguments = arguments
    }

    static let never = PostgresFragment("FALSE")

    mutating func add(_ piece: String, _ values: PostgresValue...) {
        text += piece
        arguments += values
    }

    mutating func add(_ other: PostgresFragment) {
        text += other.text
        arguments += other.arguments
    }

    func enclosed(_ before: String, _ after: String) -> PostgresFragment {
        var result = self
        result.text = before + text + after
        return result
    }

    static func joined(_ pieces: [PostgresFragment], separator: String) -> PostgresFragment {
        var result = PostgresFragment()
        for (index, piece) in pieces.enumerated() {
            if index > 0 { result.text += separator }
            result.add(piece)
        }
        return result
    }

    /// The text with numbers for the question marks, from `$2`: `$1` is the database.
    var numbered: String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count + 2 * arguments.count)
        var number = 1
        for byte in text.utf8 {
            if byte == UInt8(ascii: "?") {
                number += 1
                result += "$\(number)".utf8
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
