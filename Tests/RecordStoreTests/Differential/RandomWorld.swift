// Owns the random records, operations and questions of the differential test.

import RecordStore
import Records

/// Makes things to do from few names and few values, so that they meet each other often.
struct RandomWorld {
    var numbers: SeededNumbers
    static let zones = [ZoneID.defaultName, "Z1", "Z2", "Z3"]
    static let types = ["A", "B"]
    static let people = ["_one", "_two"]
    static let recordNames = (0..<24).map { "r\($0)" }
    private static let words = [
        "", "a", "ab", "abc", "b", "beta zeta", "Zeta", "ünï code", "BETA", "\u{10FFFF}", "~",
    ]

    static let schema = Schema(
        types: Dictionary(
            uniqueKeysWithValues: types.map { name in
                var fields: [String: FieldSchema] = [:]
                for (field, type) in fieldTypes {
                    fields[field] = FieldSchema(type: type, indexes: .automatic(for: type))
                }
                fields["secret"] = FieldSchema(type: .scalar(.string), isEncrypted: true, indexes: [])
                return (name, TypeSchema(name: name, fields: fields))
            }
        )
    )

    static let fieldTypes: [(String, FieldType)] = [
        ("s", .scalar(.string)), ("s2", .scalar(.string)), ("i", .scalar(.int64)), ("d", .scalar(.double)),
        ("t", .scalar(.timestamp)), ("b", .scalar(.bytes)), ("r", .scalar(.reference)),
        ("l", .scalar(.location)),
        ("a", .scalar(.asset)), ("ls", .list(.string)), ("li", .list(.int64)), ("lr", .list(.reference)),
    ]

    init(seed: UInt64) {
        numbers = SeededNumbers(seed: seed)
    }

    // MARK: Values

    mutating func value(_ type: ScalarType) -> FieldValue {
        switch type {
        case .string: .string(numbers.pick(Self.words))
        case .int64: .int64(numbers.pick([.min, -2, -1, 0, 1, 2, 3, .max]))
        case .double: .double(numbers.pick([-1.5, -0.0, 0, 0.1, 1, 2.5, 1e300]))
        case .timestamp: .timestamp(Timestamp(milliseconds: Int64.random(in: 0...20, using: &numbers)))
        case .bytes: .bytes(numbers.pick([[], [0], [0, 1], [1], [255]]))
        case .reference: .reference(reference())
        case .asset: .asset(Asset(fileChecksum: numbers.pick(["f1", "f2", "f3"]), size: 5))
        case .location: .location(place())
        }
    }

    mutating func value(_ type: FieldType) -> FieldValue {
        guard case .list(let element) = type else { return value(type.element) }
        return .list(element, (0..<Int.random(in: 0...3, using: &numbers)).map { _ in value(element) })
    }

    private mutating func reference() -> Reference {
        let action = numbers.pick([Reference.Action.none, .none, .deleteSelf, .deleteSelf, .validate])
        let zone = numbers.chance(20) ? ZoneID(name: numbers.pick(Self.zones)) : nil
        return Reference(recordName: numbers.pick(Self.recordNames), zone: zone, action: action)
    }

    private mutating func place() -> Location {
        Location(
            latitude: numbers.pick([-90, -10, 0, 0.5, 1, 37.78, 90]),
            longitude: numbers.pick([-180, -179.5, -122.4, 0, 0.5, 1, 179.5, 180])
        )
    }

    // MARK: Writing

    /// A batch; `tag` tells the present tag of a record.
    mutating func batch(at time: Int64, tag: (String, String) -> ChangeTag?) -> WriteBatch {
        let zone = numbers.pick(Self.zones)
        var operations: [RecordOperation] = []
        for _ in 0..<Int.random(in: 1...4, using: &numbers) {
            let name = numbers.pick(Self.recordNames)
            if operations.contains(where: { $0.recordName == name }) { continue }
            operations.append(operation(on: name, tag: tag(zone, name)))
        }
        let person = numbers.pick(Self.people)
        let strict = numbers.chance(15)
        return WriteBatch(
            zone: zone, operations: operations, isAtomic: numbers.chance(40),
            stamp: Stamp(at: Timestamp(milliseconds: time), by: person), schema: Self.schema
        ) { _, existing in
            guard strict, let existing, existing.created.by != person else { return nil }
            return RecordError(.accessDenied, "WRITE operation not permitted", culprit: existing.id.name)
        }
    }

    private mutating func operation(on name: String, tag: ChangeTag?) -> RecordOperation {
        let kinds: [RecordOperation.Kind] = [
            .create, .create, .create, .update, .update, .forceUpdate, .forceUpdate, .replace, .forceReplace,
            .delete, .forceDelete,
        ]
        var operation = RecordOperation(
            numbers.pick(kinds), recordName: name, recordType: numbers.pick(Self.types + ["A"])
        )
        if numbers.chance(80) {
            operation.changeTag = tag
        } else {
            operation.changeTag = ChangeTag(text: "zz")
        }
        for (field, type) in Self.fieldTypes where numbers.chance(30) {
            operation.fields[field] = Field(value(type))
        }
        if numbers.chance(10) { operation.fields["secret"] = Field(.string("x"), isEncrypted: true) }
        for (field, _) in Self.fieldTypes where numbers.chance(8) {
            operation.fields[field] = nil
            operation.removedFields.append(field)
        }
        if numbers.chance(10) { operation.parent = .set(numbers.pick(Self.recordNames)) }
        if numbers.chance(5) { operation.parent = .remove }
        return operation
    }

    // MARK: Asking

    mutating func query() -> Query {
        let filters = (0..<numbers.pick([0, 1, 1, 1, 2, 2])).map { _ in filter() }
        let sorts = (0..<numbers.pick([0, 0, 1, 1, 2])).map { _ in sort() }
        return Query(recordType: numbers.pick(Self.types), filters: filters, sorts: sorts)
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
        switch numbers.pick([0, 1, 2, 3]) {
        case 0: return Filter(.system(.recordName), comparator, argument(comparator, .reference))
        case 1:
            let time = numbers.pick([Comparator.lessThan, .greaterThanOrEquals, .equals, .notEquals])
            return Filter(.system(.createdTimestamp), time, value(.timestamp))
        case 2:
            let time = numbers.pick([Comparator.lessThanOrEquals, .greaterThan, .equals])
            return Filter(.system(.modifiedTimestamp), time, value(.timestamp))
        default:
            let person = FieldValue.reference(Reference(recordName: numbers.pick(Self.people)))
            return Filter(.system(.createdUserRecordName), numbers.pick([.equals, .notEquals]), person)
        }
    }
}
