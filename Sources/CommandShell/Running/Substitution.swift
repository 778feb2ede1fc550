import Foundation

/// Replaces names by their values, each of which stays one word.
///
/// Values come from records that other people wrote (`$_`), so none may end its word: a value with blanks,
/// quotes, `|` or `>` is put into quotes, in the manner of the quotes that it stands in. `\$` is a dollar
/// sign.
struct Substitution {
    private let characters: [Character]
    private var position = 0
    private var quote: Character?
    private var result = ""

    private init(_ text: String) { characters = Array(text) }

    /// The text with the values; a name for which `value` answers nothing stays, and so does one whose
    /// value cannot be written as a word.
    static func replaced(in text: String, _ value: (_ name: String) -> String?) -> String {
        guard text.contains("$") else { return text }
        var substitution = Substitution(text)
        substitution.run(value)
        return substitution.result
    }

    /// It goes by the same quotes and escapes as `Tokenizer`.
    private mutating func run(_ value: (String) -> String?) {
        while position < characters.count {
            let character = characters[position]
            if character == "\\", quote != "'", position + 1 < characters.count {
                take(2)
            } else if character == quote {
                quote = nil
                take(1)
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
                take(1)
            } else if character == "$", let name = name(), let word = value(name).flatMap(word) {
                result += word
                position += 1 + name.count
            } else {
                take(1)
            }
        }
    }

    private mutating func take(_ count: Int) {
        result += String(characters[position..<position + count])
        position += count
    }

    /// The name behind a dollar sign: letters and figures, one figure, or `_`.
    private func name() -> String? {
        let rest = characters[(position + 1)...]
        guard let first = rest.first, first.isASCII else { return nil }
        if first == "_" || "123456789".contains(first) { return String(first) }
        guard first.isLetter else { return nil }
        return String(rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }

    private func word(_ value: String) -> String? {
        guard let name = Quoting.name(value), let quote else { return Quoting.name(value) }
        if name == value { return value }
        // Between single quotes nothing is escaped: these end before the value and begin again behind it.
        return quote == "\"" ? Quoting.escaped(inName: value) : "'\(name)'"
    }
}
