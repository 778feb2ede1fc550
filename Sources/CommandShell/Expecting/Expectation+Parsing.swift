import Foundation

extension Expectation {
    /// Parses a claim.
    ///
    /// - Throws: `ShellError` if the words are no claim.
    static func parse(_ words: [Word]) throws -> Expectation {
        guard let first = words.first else {
            throw ShellError.usage("expect needs a claim", remedy: "help expect")
        }
        let rest = Array(words.dropFirst())
        switch (first.text, rest.count) {
        case ("none", 0):
            return .none
        case ("ok", 0):
            return .ok
        case ("error", 0...1):
            return .error(code: rest.first?.text)
        case ("contains", 1...):
            return .contains(rest.map(\.text).joined(separator: " "))
        case ("count", 1...2):
            return try parseCount(rest)
        case ("every", 3...):
            let claim = try parseComparison(rest)
            return .every(claim.field, claim.comparison, claim.operand)
        case ("sorted", 1...2):
            return try parseSorted(rest)
        default:
            let claim = try parseComparison(words)
            return .field(claim.field, claim.comparison, claim.operand)
        }
    }

    private static func parseCount(_ words: [Word]) throws -> Expectation {
        let comparison = words.count == 2 ? try sign(words[0]) : .equal
        guard let word = words.last, let count = Int(word.text), count >= 0 else {
            throw ShellError.usage(
                "a count is a whole number", at: words.last?.range, remedy: "expect count 10")
        }
        return .count(comparison, count)
    }

    private static func parseSorted(_ words: [Word]) throws -> Expectation {
        let field = try fieldName(words[0])
        guard words.count == 2 else { return .sorted(field, descending: false) }
        guard ["ascending", "descending"].contains(words[1].text) else {
            throw ShellError.usage("the order is ascending or descending", at: words[1].range)
        }
        return .sorted(field, descending: words[1].text == "descending")
    }

    private static func parseComparison(
        _ words: [Word]
    ) throws -> (field: FieldName, comparison: Comparison, operand: String) {
        guard words.count >= 3 else {
            let last = words.last?.range
            let claim = words.map(\.text).joined(separator: " ")
            throw ShellError.usage("expect cannot parse `\(claim)`", at: last, remedy: "help expect")
        }
        let operand = words.dropFirst(2).map(\.text).joined(separator: " ")
        return (try fieldName(words[0]), try sign(words[1]), operand)
    }

    private static func fieldName(_ word: Word) throws -> FieldName {
        guard let field = FieldName(parsing: word.text) else {
            let message = "`\(word.text)` is not the name of a field"
            throw ShellError.usage(message, at: word.range, remedy: "help expect")
        }
        return field
    }

    private static func sign(_ word: Word) throws -> Comparison {
        guard let comparison = Comparison(rawValue: word.text) else {
            let signs = Comparison.allCases.map(\.rawValue).joined(separator: " ")
            throw ShellError.usage(
                "`\(word.text)` is not an operator; the operators are \(signs)", at: word.range)
        }
        return comparison
    }
}
