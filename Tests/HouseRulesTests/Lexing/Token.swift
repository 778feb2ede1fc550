// Owns cutting blanked code into words and marks.

/// A word, a number, a quotation mark or an operator.
struct Token: Equatable, Sendable {
    let text: String
    let line: Int
    /// Offsets of its bytes: two tokens touch when one's `end` is the other's `start`.
    let start: Int
    let end: Int

    /// A word or a number; also a name in backticks.
    var isWord: Bool {
        text.utf8.first.map(Self.isWordByte) ?? false
    }

    /// A word that begins with a capital, as types do.
    var isTypeName: Bool {
        text.first.map { $0.isUppercase } ?? false
    }

    static func tokens(of code: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        var place = 0
        var line = 1
        while place < code.count {
            let byte = code[place]
            if byte <= UInt8(ascii: " ") {
                line += byte == UInt8(ascii: "\n") ? 1 : 0
                place += 1
                continue
            }
            let length = isWordByte(byte) ? wordLength(code[place...]) : markLength(code[place...])
            let text = String(decoding: code[place..<place + length], as: UTF8.self)
            tokens.append(Token(text: text, line: line, start: place, end: place + length))
            place += length
        }
        return tokens
    }

    private static func wordLength(_ code: ArraySlice<UInt8>) -> Int {
        code.prefix(while: isWordByte).count
    }

    /// The marks of more than one character that the rules need whole.
    private static func markLength(_ code: ArraySlice<UInt8>) -> Int {
        ["!==", "===", "!=", "==", "->"].first { code.starts(with: $0.utf8) }?.utf8.count ?? 1
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "$"),
            0x80...0xFF:
            true
        default:
            false
        }
    }
}
