import Foundation

/// Splits a line into words.
///
/// White space separates words. Single and double quotes preserve white space. Outside of quotes, a backslash
/// escapes white space, a quote, a backslash, a dollar sign or a hash; in double quotes, it escapes a double
/// quote, a backslash, a dollar sign or a backtick; in single quotes, it escapes nothing. A hash at the start
/// of a word begins a comment.
struct Tokenizer {
    /// The parts of a line.
    struct Scan: Equatable {
        var words: [Word] = []
        /// The position of a quote that is not closed; nil if there is none.
        var openQuote: Int?
        /// The position of the comment; nil if there is none.
        var comment: Int?
    }

    private let characters: [Character]
    private var position = 0
    private var scan = Scan()

    private init(_ line: String) {
        characters = Array(line)
    }

    /// Splits a line without errors, as completion needs it: an open quote is part of the result.
    static func scan(_ line: String) -> Scan {
        var tokenizer = Tokenizer(line)
        tokenizer.readLine()
        return tokenizer.scan
    }

    /// The words of a line.
    ///
    /// - Throws: `ShellError` if a quote is not closed; it points at the quote.
    static func words(in line: String) throws -> [Word] {
        let scan = scan(line)
        if let start = scan.openQuote {
            let quote = Array(line)[start]
            throw ShellError.usage(
                "this quote is never closed", at: start..<start + 1,
                remedy: "close it with \(quote), or write \\\(quote) if it belongs to the text")
        }
        return scan.words
    }

    private mutating func readLine() {
        while position < characters.count {
            let character = characters[position]
            if character.isWhitespace {
                position += 1
            } else if character == "#" {
                scan.comment = position
                return
            } else {
                readWord()
            }
        }
    }

    private mutating func readWord() {
        let start = position
        var text = ""
        let isQuoted = "\"'".contains(characters[start])
        while position < characters.count, !characters[position].isWhitespace {
            let character = characters[position]
            if character == "\"" || character == "'" {
                text += readQuoted(by: character)
            } else {
                text.append(readCharacter(escaping: { $0.isWhitespace || "\"'\\#$".contains($0) }))
            }
        }
        scan.words.append(Word(text, range: start..<position, isQuoted: isQuoted))
    }

    private mutating func readQuoted(by quote: Character) -> String {
        let start = position
        var text = ""
        position += 1
        while position < characters.count {
            if characters[position] == quote {
                position += 1
                return text
            }
            text.append(readCharacter(escaping: { quote == "\"" && "\"\\$`".contains($0) }))
        }
        scan.openQuote = start
        return text
    }

    /// Reads one character. It removes a backslash in front of a character that needs one.
    private mutating func readCharacter(escaping needsEscape: (Character) -> Bool) -> Character {
        let next = position + 1
        if characters[position] == "\\", next < characters.count, needsEscape(characters[next]) {
            position = next
        }
        defer { position += 1 }
        return characters[position]
    }
}
