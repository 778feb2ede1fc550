import Records

/// Splits a schema text into tokens, without white space and comments.
struct SchemaLexer {
    private let bytes: [UInt8]
    private var at = 0
    private var place = TextPlace(line: 1, column: 1)

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next token. Throws `badRequest` for an unterminated comment, and for an unterminated or invalid
    /// quoted name.
    mutating func next() throws(RecordError) -> SchemaToken {
        try skipSpace()
        let start = place
        guard let byte = peek() else { return SchemaToken(kind: .end, text: "", place: start) }
        if "(),;<>".utf8.contains(byte) {
            return SchemaToken(kind: .sign, text: take(1), place: start)
        }
        if byte == UInt8(ascii: "\"") { return try quoted(start) }
        if SchemaName.isLetter(byte) {
            return SchemaToken(kind: .word, text: take(runLength(SchemaName.isPart)), place: start)
        }
        return SchemaToken(kind: .invalid, text: take(max(1, runLength { $0 >= 0x80 })), place: start)
    }

    private mutating func quoted(_ start: TextPlace) throws(RecordError) -> SchemaToken {
        _ = take(1)
        let length = runLength { $0 != UInt8(ascii: "\"") && $0 != 0x0a && $0 != 0x0d }
        let content = Array(bytes[at..<at + length])
        let text = take(length)
        guard peek() == UInt8(ascii: "\"") else { throw .unexpected(currentToken, expecting: ["\"\\\"\""]) }
        guard Array(text.utf8) == content else {
            throw .schema("Invalid UTF-8 in a quoted name", at: start, culprit: text)
        }
        _ = take(1)
        return SchemaToken(kind: .quoted, text: text, place: start)
    }

    // MARK: White space

    private mutating func skipSpace() throws(RecordError) {
        while let byte = peek() {
            switch (byte, peek(1)) {
            case (0x20, _), (0x09, _), (0x0a, _), (0x0d, _): _ = take(1)
            case (UInt8(ascii: "/"), UInt8(ascii: "/")), (UInt8(ascii: "-"), UInt8(ascii: "-")):
                _ = take(runLength { $0 != 0x0a && $0 != 0x0d })
            case (UInt8(ascii: "/"), UInt8(ascii: "*")): try skipComment()
            default: return
            }
        }
    }

    private mutating func skipComment() throws(RecordError) {
        _ = take(2)
        while let byte = peek() {
            if byte == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                _ = take(2)
                return
            }
            _ = take(1)
        }
        throw .unexpected(currentToken, expecting: ["\"*/\""])
    }

    // MARK: Bytes

    /// The token for an error at this position: the end of the text or of the line.
    private var currentToken: SchemaToken {
        peek() == nil
            ? SchemaToken(kind: .end, text: "", place: place)
            : SchemaToken(kind: .invalid, text: "\n", place: place)
    }

    private func peek(_ offset: Int = 0) -> UInt8? {
        at + offset < bytes.count ? bytes[at + offset] : nil
    }

    private func runLength(_ belongs: (UInt8) -> Bool) -> Int {
        bytes[at...].prefix(while: belongs).count
    }

    /// Consumes `count` bytes and updates the position. A line ends with a line feed, a carriage return, or
    /// both.
    private mutating func take(_ count: Int) -> String {
        let taken = bytes[at..<at + count]
        for (index, byte) in zip(taken.indices, taken) {
            let isReturnBeforeFeed = byte == 0x0d && index + 1 < bytes.count && bytes[index + 1] == 0x0a
            if byte == 0x0a || (byte == 0x0d && !isReturnBeforeFeed) {
                place = TextPlace(line: place.line + 1, column: 1)
            } else if byte & 0xc0 != 0x80 {
                place.column += 1
            }
        }
        at += count
        return String(decoding: taken, as: UTF8.self)
    }
}

extension RecordError {
    /// The syntax error of a schema text.
    static func unexpected(_ token: SchemaToken, expecting: [String]) -> RecordError {
        var reason =
            "Encountered \(token.shown) at line \(token.place.line), column \(token.place.column)."
        switch expecting.count {
        case 0: break
        case 1: reason += " Was expecting: \(expecting[0])"
        default: reason += " Was expecting one of: \(expecting.joined(separator: ", "))"
        }
        return schemaError(reason, culprit: token.kind == .end ? "end of text" : token.printable)
    }

    /// The error for a schema text with correct syntax and invalid content.
    static func schema(_ reason: String, at place: TextPlace, culprit: String) -> RecordError {
        schemaError("\(reason) at line \(place.line), column \(place.column).", culprit: culprit)
    }

    private static func schemaError(_ reason: String, culprit: String) -> RecordError {
        RecordError(
            .badRequest, reason, culprit: culprit.isEmpty ? "\"\"" : culprit,
            nextStep: "correct the schema there; nothing was changed"
        )
    }
}
