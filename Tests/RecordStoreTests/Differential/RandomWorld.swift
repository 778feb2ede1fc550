import RecordStore
import Records

@testable import TestKit

/// Generates operations from few names and values, so that they often collide.
struct RandomWorld {
    var numbers: SeededNumbers
    static let zones = [ZoneID.defaultName, "Z1", "Z2", "Z3"]
    static let types = ["A", "B"]
    static let people = ["_one", "_two"]
    static let recordNames = (0..<24).map { "r\($0)" }
    static let words = [
        "", "a", "ab", "abc", "b", "beta zeta", "Zeta", "ünï code", "BETA", "\u{e9}", "e\u{301}",
        "\u{10FFFF}", "~",
    ]

    /// Whether the late indexes are declared.
    var hasLateIndexes = false

    var schema: Schema { hasLateIndexes ? Self.wholeSchema : Self.earlySchema }

    private static let wholeSchema = makeSchema { .automatic(for: $1) }

    private static let earlySchema = makeSchema { name, type in
        switch name {
        case "s2": .queryable
        case "i", "li", "l": []
        default: .automatic(for: type)
        }
    }

    private static func makeSchema(indexes: (String, FieldType) -> Records.IndexSet) -> Schema {
        var schema = Schema()
        for name in types {
            var type = TypeSchema(name: name)
            for (field, kind) in fieldTypes {
                type.fields[field] = FieldSchema(type: kind, indexes: indexes(field, kind))
            }
            type.fields["secret"] = FieldSchema(type: .scalar(.string), isEncrypted: true, indexes: [])
            schema.types[name] = type
        }
        return schema
    }

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

    mutating func place() -> Location {
        Location(
            latitude: numbers.pick([-90, -10, 0, 0.5, 1, 37.78, 90]),
            longitude: numbers.pick([-180, -179.5, -122.4, 0, 0.5, 1, 179.5, 180])
        )
    }

    // MARK: Writing

    /// A random batch. `tags` are the current change tags of the zone's records.
    mutating func batch(in zone: String, at time: Int64, tags: [String: ChangeTag]) -> WriteBatch {
        var operations: [RecordOperation] = []
        for _ in 0..<Int.random(in: 1...4, using: &numbers) {
            let name = numbers.pick(Self.recordNames)
            if operations.contains(where: { $0.recordName == name }) { continue }
            operations.append(operation(on: name, tag: tags[name]))
        }
        let person = numbers.pick(Self.people)
        let strict = numbers.chance(15)
        var limits = Limits()
        if numbers.chance(20) { limits.deleteSelfSources = 2 }
        if numbers.chance(5) { limits.recordBytes = 300 }
        var batch = WriteBatch(
            zone: zone, operations: operations, isAtomic: numbers.chance(40),
            stamp: Stamp(at: Timestamp(milliseconds: time), by: person), schema: schema,
            limits: limits
        ) { _, existing in
            guard strict, let existing, existing.created.by != person else { return nil }
            return RecordError(.accessDenied, "WRITE operation not permitted", culprit: existing.id.name)
        }
        // As in a public database, only the creator may write a record; in one of ten batches everybody may.
        if zone == ZoneID.defaultName, !numbers.chance(10) {
            batch.mayWrite = { person, _, creator in person == creator }
        }
        return batch
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
}
