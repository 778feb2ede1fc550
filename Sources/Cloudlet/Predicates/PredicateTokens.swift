import Foundation
internal import Records

/// The remaining tokens of a format and the remaining arguments.
struct PredicateTokens {
    private let tokens: [PredicateToken]
    private var index = 0
    private var arguments: ArraySlice<PredicateArgument>

    init(_ tokens: [PredicateToken], arguments: [PredicateArgument]) {
        self.tokens = tokens
        self.arguments = arguments[...]
    }

    private var current: PredicateToken? { index < tokens.count ? tokens[index] : nil }

    /// A syntax error at the next token.
    func error(_ reason: String) -> PredicateSyntaxError {
        PredicateSyntaxError(reason: reason, position: current?.position)
    }

    func isAt(sign: String) -> Bool { current?.kind == .sign(sign) }

    mutating func next() throws(PredicateSyntaxError) -> PredicateToken {
        guard let current else { throw error("a value is missing") }
        index += 1
        return current
    }

    /// Consumes the sign if it comes next.
    mutating func take(sign: String) -> Bool {
        guard isAt(sign: sign) else { return false }
        index += 1
        return true
    }

    /// Consumes the next token if it is one of these signs, and returns the sign.
    mutating func take(oneOf signs: [String]) -> String? {
        signs.first { take(sign: $0) }
    }

    /// Consumes the keyword if it comes next, in upper or lower case.
    mutating func take(word: String) -> Bool {
        guard case .word(let found) = current?.kind, found.uppercased() == word else { return false }
        index += 1
        return true
    }

    mutating func expect(_ sign: String) throws(PredicateSyntaxError) {
        guard take(sign: sign) else { throw error("'\(sign)' is missing") }
    }

    func expectEnd() throws(PredicateSyntaxError) {
        guard current == nil else { throw error("AND is missing, or the rest does not belong there") }
    }

    mutating func takeQuantifier() -> PredicateComparison.Quantifier? {
        if take(word: "ANY") || take(word: "SOME") { return .any }
        if take(word: "ALL") { return .all }
        return take(word: "NONE") ? PredicateComparison.Quantifier.none : nil
    }

    mutating func relation() throws(PredicateSyntaxError) -> PredicateRelation {
        let spelling: String? =
            switch current?.kind {
            case .word(let word): word
            case .sign(let sign): sign
            default: nil
            }
        guard let spelling, let relation = PredicateRelation(spelling: spelling) else {
            throw error("a comparison such as ==, <, IN or BEGINSWITH is missing")
        }
        index += 1
        return relation
    }

    /// Parses the option letters in brackets that may follow an operator.
    mutating func options() throws(PredicateSyntaxError) -> String {
        guard take(sign: "[") else { return "" }
        guard case .word(let letters) = current?.kind else {
            throw error("the options in brackets are missing")
        }
        index += 1
        try expect("]")
        return letters
    }

    /// Takes the next argument for a placeholder.
    mutating func argument(
        for conversion: Character, at token: PredicateToken
    ) throws(PredicateSyntaxError) -> PredicateExpression {
        guard let argument = arguments.popFirst() else {
            throw PredicateSyntaxError(
                reason: "there is no argument for this placeholder", position: token.position)
        }
        switch (conversion, argument) {
        case ("K", _):
            guard let key = argument.text else {
                throw PredicateSyntaxError(
                    reason: "the argument for %K is not text", position: token.position)
            }
            return key.uppercased() == "SELF" ? .itself : .key(key)
        case (_, .refused(let name)):
            let reason =
                "a value of type \(name) cannot be compared; use text, a number, a date, data, a location, a "
                + "reference, a record, or a list of them"
            throw PredicateSyntaxError(reason: reason, position: token.position)
        case ("d", .value(.double(let number)?)) where Int64(exactly: number.rounded(.towardZero)) != nil:
            return .constant(.int64(Int64(number)))
        case ("f", .value(.int64(let number)?)): return .constant(.double(Double(number)))
        case (_, .value(let value)): return .constant(value)
        }
    }

    /// Whether the next parenthesis encloses a predicate rather than one side of a comparison. The token
    /// after the closing parenthesis decides.
    var isAtParenthesisedPredicate: Bool {
        guard isAt(sign: "(") else { return false }
        var depth = 0
        for position in index..<tokens.count {
            switch tokens[position].kind {
            case .sign("("): depth += 1
            case .sign(")"):
                depth -= 1
                if depth == 0 { return !continuesExpression(position + 1) }
            default: break
            }
        }
        return true
    }

    private func continuesExpression(_ position: Int) -> Bool {
        guard position < tokens.count else { return false }
        switch tokens[position].kind {
        case .sign(let sign):
            return ["+", "-", "*", "/", "**"].contains(sign) || PredicateRelation(spelling: sign) != nil
        case .word(let word):
            return word.uppercased() == "NOT" || PredicateRelation(spelling: word) != nil
        default: return false
        }
    }
}
