import Foundation
internal import Records

/// Evaluates a predicate against a record by the server's rules, or by Foundation's rules for expressions
/// that the server does not support.
///
/// A comparison with a value that the record lacks is neither true nor false, and neither is its negation. A
/// record matches only if the result is true.
struct PredicateEvaluation {
    let record: CKRecord
    /// The time that `now()` stands for.
    let now: Date

    func matches(_ tree: PredicateTree) -> Bool { evaluate(tree) ?? false }

    /// The result of a predicate; nil if it is neither true nor false.
    private func evaluate(_ tree: PredicateTree) -> Bool? {
        switch tree {
        case .constant(let value): return value
        case .and(let parts): return Self.first(false, of: parts.lazy.map(evaluate))
        case .or(let parts): return Self.first(true, of: parts.lazy.map(evaluate))
        case .not(let part): return evaluate(part).map { !$0 }
        case .refused: return false
        case .comparison(let comparison): return evaluate(comparison)
        }
    }

    /// Combines the parts of `AND` (`decisive` is false) or `OR` (true): `decisive` if one part has that
    /// value, nil if a part is unknown, else the opposite.
    private static func first(_ decisive: Bool, of answers: some Sequence<Bool?>) -> Bool? {
        var isKnown = true
        for answer in answers {
            if answer == decisive { return decisive }
            if answer == nil { isKnown = false }
        }
        return isKnown ? !decisive : nil
    }

    private func evaluate(_ comparison: PredicateComparison) -> Bool? {
        if let search = WordSearch(comparison) { return search.finds(in: record.tokens) }
        let left = value(comparison.left.resolved(now: now))
        let right = value(comparison.right.resolved(now: now))
        let relation = comparison.relation
        let options = comparison.options
        if left == nil || right == nil {
            let comparesWithNull = comparison.left == .constant(nil) || comparison.right == .constant(nil)
            return comparesWithNull ? Self.holds(left, relation, right, options) : nil
        }
        guard let quantifier = comparison.quantifier, case .list(_, let elements)? = left else {
            return Self.holds(left, relation, right, options)
        }
        switch quantifier {
        case .any: return elements.contains { Self.holds($0, relation, right, options) }
        case .all: return elements.allSatisfy { Self.holds($0, relation, right, options) }
        case .none: return !elements.contains { Self.holds($0, relation, right, options) }
        }
    }

    private func value(_ expression: PredicateExpression) -> FieldValue? {
        switch expression {
        case .constant(let value): value
        case .key(let key): value(ofKey: key)
        case .itself: .reference(Reference(CKReference(record: record, action: .none)))
        case .aggregate(let elements): .unchecked(list: elements.compactMap { value($0) })
        case .arithmetic(let symbol, let left, let right): computed(symbol, left, right)
        case .function(let name, let parameters) where name.hasPrefix("distanceToLocation"):
            distance(parameters)
        case .function, .variable: nil
        }
    }

    private func value(ofKey key: String) -> FieldValue? {
        let property: String =
            switch SystemField(spelling: key) {
            case .recordName: "recordID"
            case .createdTimestamp: "creationDate"
            case .createdUserRecordName: "creatorUserRecordID"
            case .modifiedTimestamp: "modificationDate"
            case .modifiedUserRecordName: "lastModifiedUserRecordID"
            case .parent: "parent"
            case .share: "share"
            case nil: key
            }
        guard case .value(let value) = PredicateArgument(record.value(forKey: property)) else { return nil }
        return value
    }

    private func computed(
        _ symbol: String, _ left: PredicateExpression, _ right: PredicateExpression
    ) -> FieldValue? {
        let folded = PredicateExpression.folded(symbol, .constant(value(left)), .constant(value(right)))
        guard case .constant(let value) = folded else { return nil }
        return value
    }

    private func distance(_ parameters: [PredicateExpression]) -> FieldValue? {
        let places = parameters.compactMap { parameter -> Location? in
            guard case .location(let place)? = value(parameter) else { return nil }
            return place
        }
        return places.count == 2 ? .double(places[0].distance(to: places[1])) : nil
    }
}

extension PredicateEvaluation {
    private static func holds(
        _ left: FieldValue?, _ relation: PredicateRelation, _ right: FieldValue?, _ options: String
    ) -> Bool {
        switch relation {
        case .equal: areEqual(left, right, options)
        case .notEqual: !areEqual(left, right, options)
        case .less: order(left, right, options).map { $0 < 0 } ?? false
        case .lessOrEqual: order(left, right, options).map { $0 <= 0 } ?? false
        case .greater: order(left, right, options).map { $0 > 0 } ?? false
        case .greaterOrEqual: order(left, right, options).map { $0 >= 0 } ?? false
        case .between: isBetween(left, right, options)
        case .isIn: contains(right, left, options)
        case .contains: contains(left, right, options)
        case .beginsWith, .endsWith, .like, .matches, .tokenMatches:
            matchesText(left, relation, right, options)
        }
    }

    private static func areEqual(_ left: FieldValue?, _ right: FieldValue?, _ options: String) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (.reference(let a)?, .reference(let b)?): a.target(from: .default) == b.target(from: .default)
        case (.location?, _), (_, .location?), (.asset?, _), (_, .asset?): false
        case (let left?, let right?): order(left, right, options).map { $0 == 0 } ?? (left == right)
        default: false
        }
    }

    /// A negative number, zero or a positive number; nil for values that have no order. Strings are compared
    /// by their bytes, dates by milliseconds, as on the server.
    private static func order(_ left: FieldValue?, _ right: FieldValue?, _ options: String) -> Int? {
        switch (left, right) {
        case (.string(let a)?, .string(let b)?):
            let (a, b) = (folded(a, options).utf8, folded(b, options).utf8)
            return a.elementsEqual(b) ? 0 : (a.lexicographicallyPrecedes(b) ? -1 : 1)
        case (.timestamp(let a)?, .timestamp(let b)?): return sign(a, b)
        case (.int64(let a)?, .int64(let b)?): return sign(a, b)
        default:
            guard let a = left?.number, let b = right?.number else { return nil }
            return sign(a, b)
        }
    }

    private static func sign<Value: Comparable>(_ a: Value, _ b: Value) -> Int {
        a < b ? -1 : (a > b ? 1 : 0)
    }

    private static func isBetween(_ value: FieldValue?, _ bounds: FieldValue?, _ options: String) -> Bool {
        guard case .list(_, let ends)? = bounds, ends.count == 2 else { return false }
        return holds(value, .greaterOrEqual, ends[0], options) && holds(value, .lessOrEqual, ends[1], options)
    }

    private static func contains(_ whole: FieldValue?, _ part: FieldValue?, _ options: String) -> Bool {
        switch (whole, part) {
        case (.list(_, let elements)?, let part?): elements.contains { areEqual($0, part, options) }
        case (.string(let text)?, .string(let part)?): folded(text, options).contains(folded(part, options))
        default: false
        }
    }

    private static func matchesText(
        _ left: FieldValue?, _ relation: PredicateRelation, _ right: FieldValue?, _ options: String
    ) -> Bool {
        guard case .string(let first)? = left, case .string(let second)? = right else { return false }
        let text = folded(first, options)
        let pattern = folded(second, options)
        switch relation {
        case .beginsWith: return text.utf8.starts(with: pattern.utf8)
        case .endsWith: return text.hasSuffix(pattern)
        case .tokenMatches: return Set(textTokens(text)).isSuperset(of: searchTokens(pattern))
        case .matches: return matches(text, expression: pattern)
        case .like:
            let escaped = NSRegularExpression.escapedPattern(for: pattern)
            let expression = escaped.replacingOccurrences(of: "\\*", with: ".*")
                .replacingOccurrences(of: "\\?", with: ".")
            return matches(text, expression: expression)
        default: return false
        }
    }

    private static func matches(_ text: String, expression: String) -> Bool {
        let options: NSRegularExpression.Options = [.dotMatchesLineSeparators]
        guard let regex = try? NSRegularExpression(pattern: "^(?:\(expression))$", options: options)
        else { return false }
        return regex.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }

    private static func folded(_ text: String, _ options: String) -> String {
        var folding: String.CompareOptions = []
        if options.contains("c") { folding.insert(.caseInsensitive) }
        if options.contains("d") { folding.insert(.diacriticInsensitive) }
        return folding.isEmpty ? text : text.folding(options: folding, locale: nil)
    }
}
