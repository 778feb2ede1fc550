// Owns the small lexer that tells Swift code from comments and string literals.

/// Source text with all that is not code turned into blanks, at the same offsets and on the same lines.
///
/// The quotation marks of a string stay, and so does the code of its interpolations.
struct BlankedSource {
    let code: [UInt8]
    let comments: [Comment]

    init(_ text: String) {
        var lexer = Lexer(Array(text.utf8))
        lexer.readCode(insideInterpolation: false)
        code = lexer.code
        comments = lexer.comments
    }
}

/// A comment, one for every line that it covers.
struct Comment: Equatable, Sendable {
    enum Kind: Sendable {
        case plain, documentation
    }

    let line: Int
    let kind: Kind
    /// Without its slashes or stars, and without blanks at the ends.
    let text: String
    /// Whether code stands before it on its line.
    let followsCode: Bool
}

private struct Lexer {
    let bytes: [UInt8]
    var code: [UInt8]
    var comments: [Comment] = []
    private var place = 0
    private var line = 1
    private var lineHasCode = false
    /// The last byte of code that is not a blank: what decides whether a slash divides or begins a pattern.
    private var lastCode = UInt8(ascii: ";")

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        code = bytes.map { $0 == newline ? newline : blank }
    }

    mutating func readCode(insideInterpolation: Bool) {
        var depth = 0
        while place < bytes.count {
            if starts("//") {
                readLineComment()
            } else if starts("/*") {
                readBlockComment()
            } else if let hashes = hashes(before: UInt8(ascii: "\"")) {
                readString(hashes: hashes)
            } else if let hashes = hashes(before: UInt8(ascii: "/")), beginsPattern(hashes: hashes) {
                readPattern(hashes: hashes)
            } else {
                depth += bytes[place] == UInt8(ascii: "(") ? 1 : 0
                depth -= bytes[place] == UInt8(ascii: ")") ? 1 : 0
                if insideInterpolation, depth < 0 {
                    return
                }
                keep()
            }
        }
    }

    // MARK: Comments

    private mutating func readLineComment() {
        let start = place
        while place < bytes.count, bytes[place] != newline {
            place += 1
        }
        note(start..<place, isDocumentation: bytes[start...].starts(with: "///".utf8))
    }

    /// Block comments nest.
    private mutating func readBlockComment() {
        let isDocumentation = starts("/**") && !starts("/**/")
        var depth = 0
        var start = place
        repeat {
            if starts("/*") {
                depth += 1
                place += 2
            } else if starts("*/") {
                depth -= 1
                place += 2
            } else {
                if bytes[place] == newline {
                    note(start..<place, isDocumentation: isDocumentation)
                    start = place + 1
                }
                skip()
            }
        } while depth > 0 && place < bytes.count
        note(start..<place, isDocumentation: isDocumentation)
    }

    private mutating func note(_ range: Range<Int>, isDocumentation: Bool) {
        let edges = Array("/* \t\r".utf8)
        let inner = bytes[range].drop { edges.contains($0) }
        let kept = inner.reversed().drop { edges.contains($0) }.reversed()
        comments.append(
            Comment(
                line: line,
                kind: isDocumentation ? .documentation : .plain,
                text: String(decoding: Array(kept), as: UTF8.self),
                followsCode: lineHasCode
            ))
    }

    // MARK: Literals

    private mutating func readString(hashes: Int) {
        keep(count: hashes)
        let quotes = starts("\"\"\"") ? 3 : 1
        keep(count: quotes)
        let close = Array(repeating: UInt8(ascii: "\""), count: quotes) + hashMarks(hashes)
        let escape = [UInt8(ascii: "\\")] + hashMarks(hashes)
        while place < bytes.count {
            if bytes[place...].starts(with: close) {
                keep(count: close.count)
                return
            }
            if quotes == 1, bytes[place] == newline {
                return
            }
            if bytes[place...].starts(with: escape) {
                place += escape.count
                readEscape()
            } else {
                skip()
            }
        }
    }

    private mutating func readEscape() {
        guard place < bytes.count, bytes[place] == UInt8(ascii: "(") else {
            if place < bytes.count {
                skip()
            }
            return
        }
        keep()
        readCode(insideInterpolation: true)
        if place < bytes.count {
            keep()
        }
    }

    /// Whether the slash here begins a regular expression: where a value may begin, and closed on its line.
    private func beginsPattern(hashes: Int) -> Bool {
        if hashes > 0 {
            return true
        }
        let valueMayBegin = "(,=:[{;!&|?~<>+-*%^".utf8.contains(lastCode)
        let rest = bytes[(place + 1)...].prefix { $0 != newline }
        guard valueMayBegin, let first = rest.first, first != blank, first != UInt8(ascii: ")") else {
            return false
        }
        return rest.contains(UInt8(ascii: "/"))
    }

    private mutating func readPattern(hashes: Int) {
        keep(count: hashes + 1)
        let close = [UInt8(ascii: "/")] + hashMarks(hashes)
        while place < bytes.count, !bytes[place...].starts(with: close) {
            if bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count {
                skip()
            }
            skip()
        }
        keep(count: min(close.count, bytes.count - place))
    }

    // MARK: Steps

    private func starts(_ mark: StaticString) -> Bool {
        mark.withUTF8Buffer { bytes[place...].starts(with: $0) }
    }

    /// How many `#` stand here before `mark`; nil if something else does.
    private func hashes(before mark: UInt8) -> Int? {
        var ahead = place
        while ahead < bytes.count, bytes[ahead] == UInt8(ascii: "#") {
            ahead += 1
        }
        return ahead < bytes.count && bytes[ahead] == mark ? ahead - place : nil
    }

    private func hashMarks(_ count: Int) -> [UInt8] {
        Array(repeating: UInt8(ascii: "#"), count: count)
    }

    private mutating func keep(count: Int) {
        for _ in 0..<count {
            keep()
        }
    }

    private mutating func keep() {
        let byte = bytes[place]
        code[place] = byte
        if byte > blank {
            lineHasCode = true
            lastCode = byte
        }
        skip()
    }

    private mutating func skip() {
        if bytes[place] == newline {
            line += 1
            lineHasCode = false
        }
        place += 1
    }
}

private let newline = UInt8(ascii: "\n")
private let blank = UInt8(ascii: " ")
