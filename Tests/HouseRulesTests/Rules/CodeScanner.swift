/// A token of Swift code, outside of comments, strings and regular expressions.
struct CodeToken: Equatable, Sendable {
    /// A name with its leading `#`, `@` or `.`, a number, one sign, or a line break.
    let text: String
    /// Counted from 1.
    let line: Int
}

/// Splits Swift code into tokens. It skips strings, comments and regular expressions; it is not a parser.
struct CodeScanner {
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private var tokens: [CodeToken] = []

    private init(_ text: String) {
        bytes = Array(text.utf8)
    }

    static func tokens(of text: String) -> [CodeToken] {
        var scanner = CodeScanner(text)
        scanner.scan(until: nil)
        return scanner.tokens
    }

    private func has(_ text: StaticString, at offset: Int) -> Bool {
        let end = offset + text.utf8CodeUnitCount
        guard end <= bytes.count else { return false }
        return text.withUTF8Buffer { bytes[offset..<end].elementsEqual($0) }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 128...:
            true
        default: false
        }
    }

    /// Skips some bytes and counts the line breaks among them.
    private mutating func skip(_ count: Int) {
        let end = min(offset + count, bytes.count)
        line += bytes[offset..<end].count { $0 == UInt8(ascii: "\n") }
        offset = end
    }

    /// Scans to the end, or to the parenthesis that ends an interpolation.
    private mutating func scan(until end: UInt8?) {
        var depth = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            if has("//", at: offset) {
                skip((bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count) - offset)
            } else if has("/*", at: offset) {
                skip(2)
                while offset < bytes.count, !has("*/", at: offset) { skip(1) }
                skip(2)
            } else if let hashes = hashesOfString() {
                skipString(hashes)
            } else if byte == UInt8(ascii: "/"), let length = lengthOfRegex() {
                skip(length)
            } else if Self.isWord(byte) || "#@.".utf8.contains(byte) && isWord(after: offset) {
                let start = offset
                skip(1)
                while offset < bytes.count, Self.isWord(bytes[offset]) { skip(1) }
                add(start..<offset)
            } else {
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                if byte == end, depth < 0 { return }
                if byte != UInt8(ascii: " ") { add(offset..<offset + 1) }
                skip(1)
            }
        }
    }

    private func isWord(after offset: Int) -> Bool {
        offset + 1 < bytes.count && Self.isWord(bytes[offset + 1])
    }

    private mutating func add(_ range: Range<Int>) {
        tokens.append(CodeToken(text: String(decoding: bytes[range], as: UTF8.self), line: line))
    }

    /// The number of `#` before the quotes of a string that begins here; nil if none begins.
    private func hashesOfString() -> Int? {
        let hashes = bytes[offset...].prefix { $0 == UInt8(ascii: "#") }.count
        return has("\"", at: offset + hashes) ? hashes : nil
    }

    private mutating func skipString(_ hashes: Int) {
        skip(hashes)
        let isLong = has("\"\"\"", at: offset)
        skip(isLong ? 3 : 1)
        let marks = [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
        let end = [UInt8](repeating: UInt8(ascii: "\""), count: isLong ? 3 : 1) + marks
        let escape = [UInt8(ascii: "\\")] + marks
        while offset < bytes.count {
            if bytes[offset...].starts(with: end) { return skip(end.count) }
            if bytes[offset...].starts(with: escape) {
                skip(escape.count)
                if has("(", at: offset) {
                    skip(1)
                    let before = tokens
                    scan(until: UInt8(ascii: ")"))
                    tokens = before
                }
            } else if !isLong, bytes[offset] == UInt8(ascii: "\n") {
                return
            }
            skip(1)
        }
    }

    /// The length of the regular expression that begins here; nil if the slash is an operator.
    private func lengthOfRegex() -> Int? {
        let before = tokens.last?.text ?? "\n"
        guard ["(", ",", "=", ":", "[", "\n", "return", "{", "#"].contains(before),
            !has("/ ", at: offset), !has("/)", at: offset)
        else { return nil }
        var next = offset + 1
        while next < bytes.count, bytes[next] != UInt8(ascii: "\n") {
            if bytes[next] == UInt8(ascii: "/") { return next + 1 - offset }
            next += bytes[next] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }
}
