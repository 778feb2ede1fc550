import Foundation
internal import Records

/// Parses a predicate format. `NOT` binds more tightly than `AND`, and `AND` more tightly than `OR`.
///
/// The parser accepts much more of the language than the service supports, so that the error text can say
/// what to write instead.
struct PredicateParser {
    private var cursor: PredicateTokens
    private var depth = 0

    /// The maximum nesting depth of parentheses, lists and negations.
    static let maximumDepth = 64

    private init(_ cursor: PredicateTokens) {
        self.cursor = cursor
    }

    /// The tree of a format; `.refused` if the format is not a valid predicate.
    static func tree(_ format: String, arguments: [PredicateArgument]) -> PredicateTree {
        do throws(PredicateSyntaxError) {
            let tokens = try PredicateLexer.tokens(of: format)
            var parser = PredicateParser(PredicateTokens(tokens, arguments: arguments))
            let tree = try parser.disjunction()
            try parser.cursor.expectEnd()
            return tree
        } catch {
            let place = error.position.map { "at character \($0 + 1)" } ?? "at its end"
            return .refused("The format '\(format)' cannot be read \(place): \(error.reason).")
        }
    }

    private mutating func disjunction() throws(PredicateSyntaxError) -> PredicateTree {
        var parts = [try conjunction()]
        while cursor.take(word: "OR") || cursor.take(sign: "||") { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    private mutating func conjunction() throws(PredicateSyntaxError) -> PredicateTree {
        var parts = [try negation()]
        while cursor.take(word: "AND") || cursor.take(sign: "&&") { parts.append(try negation()) }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    private mutating func negation() throws(PredicateSyntaxError) -> PredicateTree {
        try descend()
        defer { depth -= 1 }
        if cursor.take(word: "NOT") || cursor.take(sign: "!") { return .not(try negation()) }
        if cursor.take(word: "TRUEPREDICATE") { return .constant(true) }
        if cursor.take(word: "FALSEPREDICATE") { return .constant(false) }
        if cursor.isAtParenthesisedPredicate, cursor.take(sign: "(") {
            let inner = try disjunction()
            try cursor.expect(")")
            return inner
        }
        return try comparison()
    }

    private mutating func comparison() throws(PredicateSyntaxError) -> PredicateTree {
        let quantifier = cursor.takeQuantifier()
        let left = try sum()
        let isNegated = cursor.take(word: "NOT")
        let relation = try cursor.relation()
        let options = try cursor.options()
        let right = try sum()
        let tree = PredicateTree.comparison(
            PredicateComparison(
                quantifier: quantifier, left: left, relation: relation, options: options, right: right)
        )
        return isNegated ? .not(tree) : tree
    }

    private mutating func sum() throws(PredicateSyntaxError) -> PredicateExpression {
        var left = try product()
        while let symbol = cursor.take(oneOf: ["+", "-"]) {
            left = PredicateExpression.folded(symbol, left, try product())
        }
        return left
    }

    private mutating func product() throws(PredicateSyntaxError) -> PredicateExpression {
        var left = try power()
        while let symbol = cursor.take(oneOf: ["*", "/"]) {
            left = PredicateExpression.folded(symbol, left, try power())
        }
        return left
    }

    private mutating func power() throws(PredicateSyntaxError) -> PredicateExpression {
        try descend()
        defer { depth -= 1 }
        if cursor.take(sign: "-") { return .folded("-", .constant(.int64(0)), try power()) }
        let base = try operand()
        guard cursor.take(sign: "**") else { return base }
        return .folded("**", base, try power())
    }

    private mutating func operand() throws(PredicateSyntaxError) -> PredicateExpression {
        let token = try cursor.next()
        let expression: PredicateExpression
        switch token.kind {
        case .string(let text): expression = .constant(.string(text))
        case .number(let number): expression = .constant(number)
        case .escapedKey(let key): expression = .key(key)
        case .variable(let name): expression = .variable(name)
        case .placeholder(let conversion): expression = try cursor.argument(for: conversion, at: token)
        case .word(let word): expression = try named(word, at: token)
        case .sign("("):
            expression = try sum()
            try cursor.expect(")")
        case .sign("{"): expression = .list(try elements(until: "}"))
        case .sign(let sign):
            throw PredicateSyntaxError(
                reason: "a value is missing before '\(sign)'", position: token.position)
        }
        if cursor.isAt(sign: "[") {
            throw cursor.error("list elements cannot be selected by index; compare with the whole list")
        }
        return expression
    }

    private mutating func named(
        _ word: String, at token: PredicateToken
    ) throws(PredicateSyntaxError) -> PredicateExpression {
        if cursor.take(sign: "(") {
            return .function(word, try elements(until: ")"))
        }
        switch word.uppercased() {
        case "SELF": return .itself
        case "TRUE", "YES": return .constant(.int64(1))
        case "FALSE", "NO": return .constant(.int64(0))
        case "NULL", "NIL": return .constant(nil)
        case let keyword where PredicateWords.reserved.contains(keyword):
            let reason = "a value is missing before \(keyword); write #\(word) if a field has that name"
            throw PredicateSyntaxError(reason: reason, position: token.position)
        default: return .key(word)
        }
    }

    private mutating func elements(until end: String) throws(PredicateSyntaxError) -> [PredicateExpression] {
        var elements: [PredicateExpression] = []
        if cursor.take(sign: end) { return elements }
        repeat { elements.append(try sum()) } while cursor.take(sign: ",")
        try cursor.expect(end)
        return elements
    }

    private mutating func descend() throws(PredicateSyntaxError) {
        guard depth < Self.maximumDepth else {
            throw cursor.error("it is nested more than \(Self.maximumDepth) deep")
        }
        depth += 1
    }
}

/// The reserved words of the predicate language.
enum PredicateWords {
    static let reserved: Set<String> = [
        "AND", "OR", "NOT", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES",
        "TOKENMATCHES", "ANY", "SOME", "ALL", "NONE", "TRUEPREDICATE", "FALSEPREDICATE",
    ]

    /// Whether a key with this name must be written with `#`.
    static func isReserved(_ key: String) -> Bool {
        let word = key.uppercased()
        return reserved.contains(word)
            || ["SELF", "TRUE", "FALSE", "YES", "NO", "NULL", "NIL"].contains(word)
    }
}
