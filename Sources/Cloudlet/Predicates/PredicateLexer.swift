import Foundation
internal import Records

/// A token of a predicate format, with its position.
struct PredicateToken: Hashable {
    enum Kind: Hashable {
        /// A key, keyword or function name.
        case word(String)
        /// A key that was written with `#`, so that it is not read as a keyword.
        case escapedKey(String)
        case string(String)
        case number(FieldValue)
        case sign(String)
        /// A placeholder, identified by its normalized conversion: `@`, `K`, `d`, `f` or `s`.
        case placeholder(Character)
        case variable(String)
    }

    var kind: Kind
    /// The offset in the format, in characters from 0.
    var position: Int
}

/// A syntax error in a predicate format.
struct PredicateSyntaxError: Error {
    var reason: String
    /// The offset in the format, in characters from 0; nil if the format ended too early.
    var position: Int?
}

/// Splits a predicate format into tokens.
struct PredicateLexer {
    private let characters: [Character]
    private var index = 0
    private var tokens: [PredicateToken] = []

    private init(_ format: String) {
        characters = Array(format)
    }

    static func tokens(of format: String) throws(PredicateSyntaxError) -> [PredicateToken] {
        var lexer = PredicateLexer(format)
        while let character = lexer.peek {
            try lexer.scan(character)
        }
        return lexer.tokens
    }

    private var peek: Character? { index < characters.count ? characters[index] : nil }

    private var following: Character? { index + 1 < characters.count ? characters[index + 1] : nil }

    private mutating func scan(_ character: Character) throws(PredicateSyntaxError) {
        let start = index
        switch character {
        case let blank where blank.isWhitespace: index += 1
        case "\"", "'": append(.string(try quoted(character)), start)
        case "%": append(try placeholder(), start)
        case "#":
            index += 1
            append(.escapedKey(try word(start)), start)
        case "$":
            index += 1
            append(.variable(try word(start)), start)
        case let digit where digit.isASCIIDigit: append(.number(try number()), start)
        case "." where following?.isASCIIDigit == true: append(.number(try number()), start)
        case let letter where letter.isWordStart || letter == "@": append(.word(try word(start)), start)
        default: append(.sign(try sign(character)), start)
        }
    }

    private mutating func append(_ kind: PredicateToken.Kind, _ position: Int) {
        tokens.append(PredicateToken(kind: kind, position: position))
    }

    private mutating func quoted(_ mark: Character) throws(PredicateSyntaxError) -> String {
        let start = index
        var text = ""
        index += 1
        while let character = peek {
            index += 1
            switch character {
            case mark: return text
            case "\\":
                guard let escaped = peek else { break }
                index += 1
                text.append(Self.escapes[escaped] ?? escaped)
            default: text.append(character)
            }
        }
        throw PredicateSyntaxError(reason: "the closing quote is missing", position: start)
    }

    private mutating func placeholder() throws(PredicateSyntaxError) -> PredicateToken.Kind {
        let start = index
        index += 1
        while let length = peek, "hlqzLtj".contains(length) || length.isASCIIDigit || length == "." {
            index += 1
        }
        guard let conversion = peek else {
            throw PredicateSyntaxError(reason: "nothing follows the %", position: start)
        }
        index += 1
        switch conversion {
        case "@", "K": return .placeholder(conversion)
        case "d", "D", "i", "u", "U", "x", "X", "o", "c", "C": return .placeholder("d")
        case "f", "F", "e", "E", "g", "G", "a", "A": return .placeholder("f")
        case "s", "S": return .placeholder("s")
        default: throw PredicateSyntaxError(reason: "%\(conversion) is not a placeholder", position: start)
        }
    }

    /// Scans a key path, a keyword, or a function name including the colons of its parts.
    private mutating func word(_ start: Int) throws(PredicateSyntaxError) -> String {
        let first = index
        while let character = peek {
            let joins =
                (character == "." || character == ":" || character == "@") && following?.isWordStart == true
            let endsFunction = character == ":" && following == "("
            guard character.isWordPart || joins || endsFunction || (character == "@" && index == first) else {
                break
            }
            index += 1
        }
        guard index > first else { throw PredicateSyntaxError(reason: "a name is missing", position: start) }
        return String(characters[first..<index])
    }

    private mutating func number() throws(PredicateSyntaxError) -> FieldValue {
        let start = index
        while let character = peek, isPartOfNumber(character, since: start) { index += 1 }
        let text = String(characters[start..<index]).lowercased()
        if let radix = ["0x": 16, "0o": 8, "0b": 2][text.prefix(2)],
            let value = Int64(text.dropFirst(2), radix: radix)
        {
            return .int64(value)
        }
        if let value = Int64(text) { return .int64(value) }
        if let value = Double(text) { return .double(value) }
        throw PredicateSyntaxError(reason: "'\(text)' is not a number", position: start)
    }

    private func isPartOfNumber(_ character: Character, since start: Int) -> Bool {
        if character.isWordPart || character == "." { return true }
        guard character == "+" || character == "-", index > start else { return false }
        let isHexadecimal = characters[start...].prefix(2).last?.lowercased() == "x"
        return characters[index - 1].lowercased() == "e" && !isHexadecimal
    }

    private mutating func sign(_ character: Character) throws(PredicateSyntaxError) -> String {
        if let next = following {
            let pair = String([character, next])
            if Self.pairs.contains(pair) {
                index += 2
                return pair
            }
        }
        guard "=<>!(){}[],+-*/&|".contains(character) else {
            throw PredicateSyntaxError(
                reason: "'\(character)' is not part of the predicate language", position: index)
        }
        index += 1
        return String(character)
    }

    private static let pairs: Set<String> = [
        "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "**", ":=",
    ]
    private static let escapes: [Character: Character] = ["n": "\n", "t": "\t", "r": "\r"]
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
    fileprivate var isWordStart: Bool { isLetter || self == "_" }
    fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}
