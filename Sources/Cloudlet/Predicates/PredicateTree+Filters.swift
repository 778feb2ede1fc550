import Foundation
internal import Records

extension PredicateTree {
    /// Creates the predicate that corresponds to the filters of a subscription or query.
    init(_ filters: [Filter], in context: WireContext, home: ZoneID) {
        let parts = filters.map { Self.part($0, in: context, home: home) }
        self = parts.isEmpty ? .constant(true) : parts.count == 1 ? parts[0] : .and(parts)
    }

    /// The predicate of one filter. The predicate language has no operators for negated comparators, except
    /// for `notEquals`, so the others become `NOT` of the comparison that they negate.
    private static func part(_ filter: Filter, in context: WireContext, home: ZoneID) -> PredicateTree {
        guard filter.comparator != .notEquals, let negated = filter.comparator.negated else {
            return comparison(filter, in: context, home: home)
        }
        var positive = filter
        positive.comparator = negated
        return .not(comparison(positive, in: context, home: home))
    }

    private static func comparison(
        _ filter: Filter, in context: WireContext, home: ZoneID
    ) -> PredicateTree {
        let value = constant(filter.value, in: context, home: home)
        let key = filter.key.map { PredicateExpression.key($0.spelling) } ?? .itself
        func plain(
            _ relation: PredicateRelation, _ quantifier: PredicateComparison.Quantifier? = nil
        ) -> PredicateTree {
            .comparison(
                PredicateComparison(
                    quantifier: quantifier, left: key, relation: relation, options: "", right: value))
        }
        switch filter.comparator {
        case .equals: return plain(.equal)
        case .notEquals: return plain(.notEqual)
        case .lessThan: return plain(.less)
        case .lessThanOrEquals: return plain(.lessOrEqual)
        case .greaterThan: return plain(.greater)
        case .greaterThanOrEquals: return plain(.greaterOrEqual)
        case .isIn: return plain(.isIn)
        case .listContains: return plain(.contains)
        case .listContainsAny: return plain(.isIn, .any)
        case .beginsWith: return plain(.beginsWith)
        case .listMemberBeginsWith: return plain(.beginsWith, .any)
        case .containsAllTokens: return words(value, isAny: false)
        case .containsAnyTokens: return words(value, isAny: true)
        case .listContainsAll:
            let parts = filter.value.elements.map { element in
                comparison(Filter(filter.key, .listContains, element), in: context, home: home)
            }
            return .and(parts)
        case .near: return circle(key, value, filter.distance ?? 0)
        default: return .refused("\(filter.comparator.rawValue) cannot be expressed in a predicate.")
        }
    }

    private static func words(_ value: PredicateExpression, isAny: Bool) -> PredicateTree {
        let words = PredicateExpression.function("tokenize:using:", [value, .constant(.string("Cdl"))])
        return .comparison(
            PredicateComparison(
                quantifier: isAny ? .any : .all, left: words, relation: .isIn, options: "",
                right: .key("allTokens")))
    }

    private static func circle(
        _ key: PredicateExpression, _ value: PredicateExpression, _ metres: Double
    ) -> PredicateTree {
        let distance = PredicateExpression.function("distanceToLocation:fromLocation:", [key, value])
        return .comparison(
            PredicateComparison(
                quantifier: nil, left: distance, relation: .lessOrEqual, options: "",
                right: .constant(.double(metres))))
    }

    private static func constant(
        _ value: FieldValue, in context: WireContext, home: ZoneID
    ) -> PredicateExpression {
        switch PredicateArgument(context.object(value, home: home)) {
        case .value(let plain): .constant(plain)
        case .refused: .constant(nil)
        }
    }
}

extension QueryKey {
    /// The name of the field or system field in predicates.
    fileprivate var spelling: String {
        switch self {
        case .field(let name): name
        case .system(.recordName): "recordID"
        case .system(.createdTimestamp): "creationDate"
        case .system(.modifiedTimestamp): "modificationDate"
        case .system(.createdUserRecordName): "creatorUserRecordID"
        case .system(.modifiedUserRecordName): "lastModifiedUserRecordID"
        case .system(.parent): "parent"
        case .system(.share): "share"
        }
    }
}
