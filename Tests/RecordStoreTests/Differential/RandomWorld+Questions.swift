import RecordStore
import Records

@testable import TestKit

extension RandomWorld {
    mutating func query() -> Query {
        let filters = (0..<numbers.pick([0, 1, 1, 1, 2, 2])).map { _ in filter() }
        let sorts = (0..<numbers.pick([0, 0, 1, 1, 2])).map { _ in sort() }
        return Query(recordType: numbers.pick(Self.types), filters: filters, sorts: sorts)
    }

    /// The conditions of a query subscription, validated like those of a query.
    mutating func subscription(_ zone: ZoneID?) -> Subscription.Kind {
        if numbers.chance(20) { return numbers.pick([.database(), .zone(zone ?? ZoneID(name: "Z1"))]) }
        let asked = query()
        let filters = (try? QueryRules().plan(asked, zone: zone?.name, limit: 1, in: schema))?.filters
        let events = Subscription.Event.allCases.filter { _ in numbers.chance(60) }
        return .query(
            Subscription.QueryTerms(
                Query(recordType: asked.recordType, filters: filters ?? []), firesOn: Set(events),
                firesOnce: numbers.chance(10), zone: zone
            )
        )
    }

    private mutating func sort() -> Sort {
        let ascending = numbers.chance(50)
        if numbers.chance(20) {
            return Sort(.field("l"), ascending: ascending, relativeTo: place())
        }
        let keys: [QueryKey] = [
            .field("s"), .field("i"), .field("d"), .field("t"), .system(.recordName),
            .system(.createdTimestamp),
            .system(.modifiedTimestamp), .system(.createdUserRecordName), .system(.parent),
        ]
        return Sort(numbers.pick(keys), ascending: ascending)
    }

    private mutating func filter() -> Filter {
        if numbers.chance(15) { return tokens() }
        if numbers.chance(15) { return system() }
        let (name, type) = numbers.pick(Self.fieldTypes.filter { $0.1 != .scalar(.asset) })
        let key = QueryKey.field(name)
        if type.isList { return list(key, type.element) }
        if type == .scalar(.location) {
            return Filter(key, .near, value(.location), distance: numbers.pick([0, 1000, 100_000, 5e6, 3e7]))
        }
        var comparators: [Comparator] = [.equals, .notEquals, .isIn, .notIn]
        if [.string, .int64, .double, .timestamp].contains(type.element) {
            comparators += [.lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals]
        }
        if type.element == .string { comparators += [.beginsWith, .notBeginsWith] }
        let comparator = numbers.pick(comparators)
        return Filter(key, comparator, argument(comparator, type.element))
    }

    private mutating func argument(_ comparator: Comparator, _ type: ScalarType) -> FieldValue {
        if comparator == .isIn || comparator == .notIn { return value(.list(type)) }
        return value(type)
    }

    private mutating func list(_ key: QueryKey, _ element: ScalarType) -> Filter {
        var comparators: [Comparator] = [
            .listContains, .notListContains, .listContainsAny, .notListContainsAny, .listContainsAll,
            .notListContainsAll,
        ]
        if element == .string { comparators += [.listMemberBeginsWith, .notListMemberBeginsWith] }
        let comparator = numbers.pick(comparators)
        switch comparator.negated ?? comparator {
        case .listContainsAny, .listContainsAll: return Filter(key, comparator, value(.list(element)))
        default: return Filter(key, comparator, value(element))
        }
    }

    private mutating func tokens() -> Filter {
        let key: QueryKey? = numbers.chance(50) ? .field(numbers.pick(["s", "s2"])) : nil
        let text = numbers.pick(["a", "beta", "zeta BETA", "uni", "code the", "nowhere"])
        return Filter(key, numbers.pick([.containsAllTokens, .containsAnyTokens]), .string(text))
    }

    private mutating func system() -> Filter {
        let comparators: [Comparator] = [.equals, .notEquals, .isIn, .notIn]
        let comparator = numbers.pick(comparators)
        switch numbers.pick([0, 1, 2, 3, 4, 5]) {
        case 0: return Filter(.system(.recordName), comparator, argument(comparator, .reference))
        case 1:
            let time = numbers.pick([Comparator.lessThan, .greaterThanOrEquals, .equals, .notEquals])
            return Filter(.system(.createdTimestamp), time, value(.timestamp))
        case 2:
            let time = numbers.pick([Comparator.lessThanOrEquals, .greaterThan, .equals])
            return Filter(.system(.modifiedTimestamp), time, value(.timestamp))
        case 3: return Filter(.system(.parent), comparator, argument(comparator, .reference))
        default:
            let key = numbers.pick([SystemField.createdUserRecordName, .modifiedUserRecordName])
            let person = FieldValue.reference(Reference(recordName: numbers.pick(Self.people)))
            return Filter(.system(key), numbers.pick([.equals, .notEquals]), person)
        }
    }
}
