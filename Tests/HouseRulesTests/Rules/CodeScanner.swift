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
    private var place = 0
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

    private func has(_ text: StaticString, at place: Int) -> Bool {
        let end = place + text.utf8CodeUnitCount
        guard end <= bytes.count else { return false }
        return text.withUTF8Buffer { bytes[place..<end].elementsEqual($0) }
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
        let end = min(place + count, bytes.count)
        line += bytes[place..<end].count { $0 == UInt8(ascii: "\n") }
        place = end
    }

    /// Scans to the end, or to the parenthesis that ends an interpolation.
    private mutating func scan(until end: UInt8?) {
        var depth = 0
        while place < bytes.count {
            let byte = bytes[place]
            if has("//", at: place) {
                skip((bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count) - place)
            } else if has("/*", at: place) {
                skip(2)
                while place < bytes.count, !has("*/", at: place) { skip(1) }
                skip(2)
            } else if let hashes = hashesOfString() {
                skipString(hashes)
            } else if byte == UInt8(ascii: "/"), let length = lengthOfRegex() {
                skip(length)
            } else if Self.isWord(byte) || "#@.".utf8.contains(byte) && isWord(after: place) {
                let start = place
                skip(1)
                while place < bytes.count, Self.isWord(bytes[place]) { skip(1) }
                add(start..<place)
            } else {
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                if byte == end, depth < 0 { return }
                if byte != UInt8(ascii: " ") { add(place..<place + 1) }
                skip(1)
            }
        }
    }

    private func isWord(after place: Int) -> Bool {
        place + 1 < bytes.count && Self.isWord(bytes[place + 1])
    }

    private mutating func add(_ range: Range<Int>) {
        tokens.append(CodeToken(text: String(decoding: bytes[range], as: UTF8.self), line: line))
    }

    /// The number of `#` before the quotes of a string that begins here; nil if none begins.
    private func hashesOfString() -> Int? {
        let hashes = bytes[place...].prefix { $0 == UInt8(ascii: "#") }.count
        return has("\"", at: place + hashes) ? hashes : nil
    }

    private mutating func skipString(_ hashes: Int) {
        skip(hashes)
        let isLong = has("\"\"\"", at: place)
        skip(isLong ? 3 : 1)
        let marks = [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
        let end = [UInt8](repeating: UInt8(ascii: "\""), count: isLong ? 3 : 1) + marks
        let escape = [UInt8(ascii: "\\")] + marks
        while place < bytes.count {
            if bytes[place...].starts(with: end) { return skip(end.count) }
            if bytes[place...].starts(with: escape) {
                skip(escape.count)
                if has("(", at: place) {
                    skip(1)
                    let before = tokens
                    scan(until: UInt8(ascii: ")"))
                    tokens = before
                }
            } else if !isLong, bytes[place] == UInt8(ascii: "\n") {
                return
            }
            skip(1)
        }
    }

    /// The length of the regular expression that begins here; nil if the slash is an operator.
    private func lengthOfRegex() -> Int? {
        let before = tokens.last?.text ?? "\n"
        guard ["(", ",", "=", ":", "[", "\n", "return", "{", "#"].contains(before),
            !has("/ ", at: place), !has("/)", at: place)
        else { return nil }
        var next = place + 1
        while next < bytes.count, bytes[next] != UInt8(ascii: "\n") {
            if bytes[next] == UInt8(ascii: "/") { return next + 1 - place }
            next += bytes[next] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }
}
