import Foundation

/// Cuts a line into words.
///
/// Blanks separate words; single and double quotes keep blanks; a backslash keeps the next blank, quote,
/// backslash, dollar sign or hash; a hash at the start of a word begins a comment.
struct Tokenizer {
    /// What a line falls into.
    struct Scan: Equatable {
        var words: [Word] = []
        /// Where a quote begins that is never closed.
        var openQuote: Int?
        /// Where the comment begins, if there is one.
        var comment: Int?
    }

    private let characters: [Character]
    private var position = 0
    private var scan = Scan()

    private init(_ line: String) {
        characters = Array(line)
    }

    /// The words of `line`, with an unclosed quote reported and not thrown, as completion needs it.
    static func scan(_ line: String) -> Scan {
        var tokenizer = Tokenizer(line)
        tokenizer.readLine()
        return tokenizer.scan
    }

    /// The words of `line`; throws a complaint that points at a quote which is never closed.
    static func words(in line: String) throws -> [Word] {
        let scan = scan(line)
        if let start = scan.openQuote {
            throw Complaint.usage("this quote is never closed", at: start..<start + 1)
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
            text.append(readCharacter(escaping: { quote == "\"" && "\"\\$".contains($0) }))
        }
        scan.openQuote = start
        return text
    }

    /// Reads one character, taking a backslash away in front of a character that needs it.
    private mutating func readCharacter(escaping needsEscape: (Character) -> Bool) -> Character {
        let next = position + 1
        if characters[position] == "\\", next < characters.count, needsEscape(characters[next]) {
            position = next
        }
        defer { position += 1 }
        return characters[position]
    }
}
