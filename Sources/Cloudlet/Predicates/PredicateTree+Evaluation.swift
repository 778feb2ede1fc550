// Owns the answer to whether a record in hand matches a predicate.

import Foundation
internal import Records

/// Compares one record with a predicate.
struct PredicateEvaluation {
    let record: CKRecord
    /// The moment that `now()` means.
    let now: Date

    func matches(_ tree: PredicateTree) -> Bool {
        switch tree {
        case .constant(let value): value
        case .and(let parts): parts.allSatisfy(matches)
        case .or(let parts): parts.contains(where: matches)
        case .not(let part): !matches(part)
        case .refused: false
        case .comparison(let comparison): matches(comparison)
        }
    }

    private func matches(_ comparison: PredicateComparison) -> Bool {
        if let words = searchedWords(comparison) { return Set(record.tokens).isSuperset(of: words) }
        let left = value(comparison.left.resolved(now: now))
        let right = value(comparison.right.resolved(now: now))
        let relation = comparison.relation
        let options = comparison.options
        guard let quantifier = comparison.quantifier, case .list(let elements)? = left else {
            return Self.holds(left, relation, right, options)
        }
        switch quantifier {
        case .any: return elements.contains { Self.holds($0, relation, right, options) }
        case .all: return elements.allSatisfy { Self.holds($0, relation, right, options) }
        case .none: return !elements.contains { Self.holds($0, relation, right, options) }
        }
    }

    private func searchedWords(_ comparison: PredicateComparison) -> [String]? {
        let isSearch = comparison.left == .itself || comparison.left == .key("allTokens")
        guard isSearch, [.contains, .tokenMatches].contains(comparison.relation),
            case .constant(.string(let text)?) = comparison.right
        else { return nil }
        return searchTokens(text)
    }

    private func value(_ expression: PredicateExpression) -> PlainValue? {
        switch expression {
        case .constant(let value): value
        case .key(let key): value(ofKey: key)
        case .itself: .reference(PlainReference(CKReference(record: record, action: .none)))
        case .aggregate(let elements): .list(elements.compactMap { value($0) })
        case .arithmetic(let symbol, let left, let right): computed(symbol, left, right)
        case .function(let name, let parameters) where name.hasPrefix("distanceToLocation"):
            distance(parameters)
        case .function, .variable: nil
        }
    }

    private func value(ofKey key: String) -> PlainValue? {
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
    ) -> PlainValue? {
        let folded = PredicateExpression.folded(symbol, .constant(value(left)), .constant(value(right)))
        guard case .constant(let value) = folded else { return nil }
        return value
    }

    private func distance(_ parameters: [PredicateExpression]) -> PlainValue? {
        let places = parameters.compactMap { parameter -> Location? in
            guard case .location(let place)? = value(parameter) else { return nil }
            return place.location
        }
        return places.count == 2 ? .real(places[0].distance(to: places[1])) : nil
    }
}

extension PredicateEvaluation {
    private static func holds(
        _ left: PlainValue?, _ relation: PredicateRelation, _ right: PlainValue?, _ options: String
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

    private static func areEqual(_ left: PlainValue?, _ right: PlainValue?, _ options: String) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (.reference(let a)?, .reference(let b)?): a.target == b.target
        case (let left?, let right?): order(left, right, options).map { $0 == 0 } ?? (left == right)
        default: false
        }
    }

    /// Negative, zero or positive; nil for values that have no order.
    private static func order(_ left: PlainValue?, _ right: PlainValue?, _ options: String) -> Int? {
        switch (left, right) {
        case (.string(let a)?, .string(let b)?): folded(a, options).compare(folded(b, options)).rawValue
        case (.date(let a)?, .date(let b)?): a.compare(b).rawValue
        default:
            if let a = left?.number, let b = right?.number { a < b ? -1 : (a > b ? 1 : 0) } else { nil }
        }
    }

    private static func isBetween(_ value: PlainValue?, _ bounds: PlainValue?, _ options: String) -> Bool {
        guard case .list(let ends)? = bounds, ends.count == 2 else { return false }
        return holds(value, .greaterOrEqual, ends[0], options) && holds(value, .lessOrEqual, ends[1], options)
    }

    private static func contains(_ whole: PlainValue?, _ part: PlainValue?, _ options: String) -> Bool {
        switch (whole, part) {
        case (.list(let elements)?, let part?): elements.contains { areEqual($0, part, options) }
        case (.string(let text)?, .string(let part)?): folded(text, options).contains(folded(part, options))
        default: false
        }
    }

    private static func matchesText(
        _ left: PlainValue?, _ relation: PredicateRelation, _ right: PlainValue?, _ options: String
    ) -> Bool {
        guard case .string(let first)? = left, case .string(let second)? = right else { return false }
        let text = folded(first, options)
        let pattern = folded(second, options)
        switch relation {
        case .beginsWith: return text.hasPrefix(pattern)
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
