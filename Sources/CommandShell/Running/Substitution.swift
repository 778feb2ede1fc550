import Foundation

/// Replaces `$NAME` by the variable's value, which stays a single word.
///
/// Values can come from records that other people wrote (`$_`), so a value must not end its word: a value
/// with white space, quotes, `|` or `>` is quoted in a way that fits the quotes around it. `\$` is a dollar
/// sign.
///
/// After `|`, `sh` parses the text between backticks and in `"$(…)"` twice, and no single level of quotes is
/// correct for both passes. After the first of these, only values that need no quotes are inserted.
struct Substitution {
    private let characters: [Character]
    private var position = 0
    private var quote: Character?
    /// Whether the current position is after `|`, so that `sh` reads it.
    private var isPiped = false
    /// Whether a command that `sh` parses twice has begun.
    private var isNested = false
    private var result = ""

    private init(_ text: String) { characters = Array(text) }

    /// The text with the values. A variable is left unchanged if `value` returns nil or if the value cannot
    /// be written as one word.
    static func replaced(in text: String, _ value: (_ name: String) -> String?) -> String {
        guard text.contains("$") else { return text }
        var substitution = Substitution(text)
        substitution.run(value)
        return substitution.result
    }

    /// Follows the same rules for quotes and escapes as `Tokenizer`.
    private mutating func run(_ value: (String) -> String?) {
        while position < characters.count {
            let character = characters[position]
            detectNesting(character)
            if character == "\\", quote != "'", position + 1 < characters.count {
                copy(2)
            } else if character == quote {
                quote = nil
                copy(1)
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
                copy(1)
            } else if character == "$", let name = name(), let word = value(name).flatMap(word) {
                result += word
                position += 1 + name.count
            } else {
                copy(1)
            }
        }
    }

    private mutating func detectNesting(_ character: Character) {
        if quote == nil, character == "|" { isPiped = true }
        guard isPiped, quote != "'" else { return }
        let next = position + 1 < characters.count ? characters[position + 1] : nil
        if character == "`" || (character == "$" && quote == "\"" && next == "(") { isNested = true }
    }

    private mutating func copy(_ count: Int) {
        result += String(characters[position..<position + count])
        position += count
    }

    /// The name after a dollar sign: a letter followed by letters and digits, a digit from 1 to 9, or `_`.
    private func name() -> String? {
        let rest = characters[(position + 1)...]
        guard let first = rest.first, first.isASCII else { return nil }
        if first == "_" || "123456789".contains(first) { return String(first) }
        guard first.isLetter else { return nil }
        return String(rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }

    private func word(_ value: String) -> String? {
        guard let name = Quoting.name(value) else { return nil }
        if isNested, name != value || value.hasPrefix("~") { return nil }
        // After `|`, `sh` would expand a tilde at the beginning to a home folder.
        guard let quote else { return name.hasPrefix("~") ? "\"\(name)\"" : name }
        if name == value { return value }
        // Single quotes have no escapes: close them before the value and open them again after it.
        return quote == "\"" ? Quoting.escaped(inName: value) : "'\(name)'"
    }
}
