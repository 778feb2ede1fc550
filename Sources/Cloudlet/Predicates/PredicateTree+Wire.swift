internal import CoreLocation
import Foundation
internal import Records

/// Translates a predicate into filters that are joined with AND. If a predicate has no such form, throws an
/// error that says how to rewrite it.
struct FilterTranslation {
    /// The time that `now()` stands for.
    var now: Date
    /// The zone of the query: references within it need not name it. Nil queries all zones.
    var home: ZoneID?

    /// The filters for a predicate; an empty array matches every record.
    ///
    /// - Throws: `CKError.invalidArguments` if the predicate has no equivalent as filters.
    func filters(_ tree: PredicateTree) throws -> [Filter] {
        switch tree {
        case .constant(true): return []
        case .constant(false): return [Self.nothing]
        case .and(let parts): return try parts.flatMap(filters)
        case .or(let parts): throw refusal("OR is not supported. \(Self.alternative(to: parts))")
        case .not(let part): return try negated(part)
        case .refused(let reason): throw refusal(reason)
        case .comparison(let comparison): return try filters(comparison)
        }
    }

    /// A filter that matches no record.
    private static var nothing: Filter { Filter(.system(.recordName), .isIn, .list(.reference, [])) }

    private func negated(_ tree: PredicateTree) throws -> [Filter] {
        switch tree {
        case .constant(let value): return try filters(.constant(!value))
        case .not(let part): return try filters(part)
        case .refused(let reason): throw refusal(reason)
        case .and, .or:
            throw refusal("NOT cannot negate AND or OR. Negate each comparison and join them with AND.")
        case .comparison(let comparison):
            return try filters(comparison).map { filter in
                guard comparison.relation != .between, let comparator = filter.comparator.opposite else {
                    let what =
                        "NOT cannot negate \(comparison.relation.rawValue), a token search or a distance."
                    throw refusal("\(what) Write the comparison the other way round.")
                }
                return Filter(filter.key, comparator, filter.value)
            }
        }
    }

    private func filters(_ comparison: PredicateComparison) throws -> [Filter] {
        let left = comparison.left.resolved(now: now)
        let right = comparison.right.resolved(now: now)
        if let search = try tokenSearch(comparison) { return [search] }
        guard comparison.options.isEmpty else {
            throw refusal(
                "Predicate comparison options are not supported: [\(comparison.options)]. "
                    + "Keep a second field with the text in lower case and compare with that."
            )
        }
        if let near = try near(comparison.relation, left, right) { return [near] }
        switch (left, right) {
        case (.key(let name), .constant(let value)):
            return try filters(comparison, key: key(name), value: value, isMirrored: false)
        case (.constant(let value), .key(let name)):
            return try filters(comparison, key: key(name), value: value, isMirrored: true)
        default: throw refusal(Self.explanation(left, right))
        }
    }

    private func filters(
        _ comparison: PredicateComparison, key: QueryKey, value: FieldValue?, isMirrored: Bool
    ) throws -> [Filter] {
        guard let value else {
            throw refusal(
                "A comparison with NULL is not supported: a record without \(key.displayName) matches no "
                    + "comparison on it. Save a value that means 'none' and compare with that."
            )
        }
        let relation = isMirrored ? comparison.relation.mirrored : comparison.relation
        let wire = try fieldValue(value, for: key)
        switch comparison.quantifier {
        case .all?, .none?:
            let word = comparison.quantifier?.rawValue ?? ""
            throw refusal(
                "\(word) is not supported. Join one \(key.displayName) CONTAINS … for each value with AND.")
        case .any?:
            guard !isMirrored else {
                throw refusal("ANY must be on the side of the list: ANY \(key.displayName) == …")
            }
            return [Filter(key, try listComparator(comparison.relation, wire), wire)]
        case nil: return try plainFilters(relation, key, wire, original: comparison.relation)
        }
    }

    private func plainFilters(
        _ relation: PredicateRelation?, _ key: QueryKey, _ value: FieldValue, original: PredicateRelation
    ) throws -> [Filter] {
        switch (relation, value) {
        case (.between, .list(_, let bounds)) where bounds.count == 2:
            return [Filter(key, .greaterThanOrEquals, bounds[0]), Filter(key, .lessThanOrEquals, bounds[1])]
        case (.between, _):
            throw refusal("BETWEEN needs a list of two values: \(key.displayName) BETWEEN {1, 5}.")
        case (.isIn, .list): return [Filter(key, .isIn, value)]
        case (.isIn, _): throw refusal("IN needs a list on its right side: \(key.displayName) IN {'a', 'b'}.")
        case (.contains, .list):
            throw refusal(
                "CONTAINS needs a single value. For any of several, write ANY \(key.displayName) IN %@.")
        case (.contains, _): return [Filter(key, .listContains, value)]
        case (.beginsWith, .string): return [Filter(key, .beginsWith, value)]
        case (.equal?, _), (.notEqual?, _), (.less?, _), (.lessOrEqual?, _), (.greater?, _),
            (.greaterOrEqual?, _):
            guard let comparator = relation?.comparator else { break }
            return [Filter(key, comparator, value)]
        default: break
        }
        throw refusal(
            "\(original.rawValue) is not supported there. Use BEGINSWITH for the start of a text, or "
                + "SELF CONTAINS %@ for words in it."
        )
    }

    private func listComparator(
        _ relation: PredicateRelation, _ value: FieldValue
    ) throws -> Records.Comparator {
        switch (relation, value) {
        case (.isIn, .list): return .listContainsAny
        case (.equal, _), (.contains, _): return .listContains
        case (.beginsWith, .string): return .listMemberBeginsWith
        default:
            throw refusal("ANY supports ==, IN and BEGINSWITH, not \(relation.rawValue).")
        }
    }
}

extension FilterTranslation {
    private func tokenSearch(_ comparison: PredicateComparison) throws -> Filter? {
        if let search = WordSearch(comparison) {
            return Filter(nil, search.isAny ? .containsAnyTokens : .containsAllTokens, .string(search.text))
        }
        guard comparison.relation != .tokenMatches else {
            throw refusal("Words are searched in the whole record: SELF CONTAINS %@.")
        }
        return nil
    }

    /// Translates `distanceToLocation:fromLocation:(field, %@) < metres`; nil for other comparisons.
    private func near(
        _ relation: PredicateRelation, _ left: PredicateExpression, _ right: PredicateExpression
    ) throws -> Filter? {
        if case .function = right, let mirrored = relation.mirrored { return try near(mirrored, right, left) }
        guard case .function(let name, let parameters) = left, name.hasPrefix("distanceToLocation") else {
            return nil
        }
        guard parameters.count == 2, case .constant(let limit?) = right, let metres = limit.number else {
            throw refusal("Write distanceToLocation:fromLocation:(field, %@) < metres, with a CLLocation.")
        }
        guard relation == .less || relation == .lessOrEqual, metres >= 0 else {
            throw refusal(
                "Only places inside a circle can be found: use < or <= with the distance in metres.")
        }
        switch (parameters[0], parameters[1]) {
        case (.key(let field), .constant(.location(let place)?)),
            (.constant(.location(let place)?), .key(let field)):
            let value = try fieldValue(.location(place), for: key(field))
            // The server includes the circle itself, so `<` needs a slightly smaller radius.
            let radius = relation == .less ? metres.nextDown : metres
            return radius < 0 ? Self.nothing : Filter(try key(field), .near, value, distance: radius)
        default: throw refusal("A distance must be between a location field and a CLLocation.")
        }
    }

    private func key(_ name: String) throws -> QueryKey {
        if let field = SystemField(spelling: name) { return .system(field) }
        if name.contains(".") {
            throw refusal(
                "'\(name)' leads through a reference; only fields of the record itself can be compared. "
                    + "Keep the value in the record, or compare the reference with a record's ID."
            )
        }
        guard FieldKeys.canBeQueried(name) else {
            throw refusal("'\(name)' is not the name of a field: a letter, then letters, digits and _.")
        }
        return .field(name)
    }

    private func fieldValue(_ value: FieldValue, for key: QueryKey) throws -> FieldValue {
        if case .system(let field) = key, field.type == .reference, case .string = value {
            throw refusal(
                "\(key.displayName) is compared with a CKRecord.ID or a CKRecord.Reference, not with text.")
        }
        do {
            return try value.checked(home: home)
        } catch {
            throw refusal("The value for \(key.displayName) cannot be compared: \(error.reason).")
        }
    }

    private func refusal(_ text: String) -> CKError {
        .invalidArguments("Invalid predicate: \(text)")
    }

    private static func alternative(to parts: [PredicateTree]) -> String {
        let keys = parts.map { part -> String? in
            guard case .comparison(let comparison) = part, comparison.relation == .equal,
                case .key(let name) = comparison.left
            else { return nil }
            return name
        }
        if let first = keys.first, let key = first, keys.allSatisfy({ $0 == key }) {
            return "Write \(key) IN {…} with the alternatives."
        }
        return
            "Use IN for the alternatives of one field; otherwise run one query for each side and merge."
    }

    private static func explanation(_ left: PredicateExpression, _ right: PredicateExpression) -> String {
        switch (left, right) {
        case (.constant, .constant): "Both sides are constants; one has to be a field."
        case (.key, .key): "Both sides are fields; one has to be a constant."
        case (.variable, _), (_, .variable): "Variables are not supported; pass the value as an argument."
        case (.function(let name, _), _), (_, .function(let name, _)):
            "The function \(name) is not supported; compute its value and pass it as an argument."
        case (.arithmetic, _), (_, .arithmetic):
            "Calculations with fields are not supported; compute the constant instead."
        default: "One side has to be a field and the other a constant."
        }
    }
}

extension PredicateRelation {
    fileprivate var comparator: Records.Comparator? {
        switch self {
        case .equal: .equals
        case .notEqual: .notEquals
        case .less: .lessThan
        case .lessOrEqual: .lessThanOrEquals
        case .greater: .greaterThan
        case .greaterOrEqual: .greaterThanOrEquals
        default: nil
        }
    }
}

extension Records.Comparator {
    /// The comparator that holds exactly when this one does not, for records that have the field.
    fileprivate var opposite: Records.Comparator? {
        switch self {
        case .lessThan: .greaterThanOrEquals
        case .lessThanOrEquals: .greaterThan
        case .greaterThan: .lessThanOrEquals
        case .greaterThanOrEquals: .lessThan
        default: negated ?? Self.allCases.first { $0.negated == self }
        }
    }
}
