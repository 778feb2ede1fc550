import Records

/// Query subscriptions, each entered under one of its conditions. Finds those whose condition a record's
/// values meet.
struct ConditionIndex: Sendable {
    /// The subscriptions entered under conditions on one field, by the kind of condition.
    private struct FieldIndex: Sendable {
        var equal: [SortValue: Set<Int64>] = [:]
        var prefixes: [Int: [SortValue: Set<Int64>]] = [:]
        var places = PlaceIndex()
        var above = BoundIndex()
        var below = BoundIndex()
    }

    private var fields: [QueryKey: FieldIndex] = [:]
    /// Subscriptions entered under words of which a record must contain one.
    private var words: [String: Set<Int64>] = [:]
    /// Subscriptions without a condition that this index supports. They are always candidates.
    private var rest: Set<Int64> = []

    mutating func enter(_ number: Int64, under filters: [Filter], _ isNew: Bool) {
        let ranked = filters.compactMap { filter in Self.rank(filter).map { ($0, filter) } }
        guard let (_, filter) = ranked.min(by: { $0.0 < $1.0 }) else { return rest.set(number, isNew) }
        if filter.comparator == .containsAllTokens || filter.comparator == .containsAnyTokens {
            guard case .string(let text) = filter.value else { return rest.set(number, isNew) }
            let wanted = searchTokens(text)
            for word in filter.comparator == .containsAnyTokens ? wanted[...] : wanted.prefix(1) {
                words[word, default: []].set(number, isNew)
            }
        } else if let key = filter.key {
            var field = fields.removeValue(forKey: key) ?? FieldIndex()
            enter(number, filter, &field, isNew)
            fields[key] = field
        }
    }

    /// The selectivity of a condition, lowest number first; nil for conditions that the index does not
    /// support.
    private static func rank(_ filter: Filter) -> Int? {
        switch filter.comparator {
        case .equals, .listContains, .listContainsAll: filter.value.elements.isEmpty ? nil : 0
        case .isIn, .listContainsAny: 1
        case .containsAllTokens, .containsAnyTokens: 2
        case .beginsWith: 3
        case .near: 4
        case .greaterThan, .greaterThanOrEquals, .lessThan, .lessThanOrEquals: 5
        default: nil
        }
    }

    private static func anchor(_ value: FieldValue) -> SortValue {
        // The zone of a reference is compared later, when the candidates are checked.
        if case .reference(let reference) = value { .text(reference.recordName) } else { value.sortValue }
    }

    private mutating func enter(
        _ number: Int64, _ filter: Filter, _ field: inout FieldIndex, _ isNew: Bool
    ) {
        let value = Self.anchor(filter.value)
        switch filter.comparator {
        case .isIn, .listContainsAny:
            for element in filter.value.elements {
                field.equal[Self.anchor(element), default: []].set(number, isNew)
            }
        case .listContainsAll:
            field.equal[Self.anchor(filter.value.elements[0]), default: []].set(number, isNew)
        case .equals, .listContains: field.equal[value, default: []].set(number, isNew)
        case .beginsWith:
            guard case .text(let prefix) = value else { return rest.set(number, isNew) }
            field.prefixes[prefix.utf8.count, default: [:]][value, default: []].set(number, isNew)
        case .near:
            guard case .location(let center) = filter.value,
                field.places.enter(number, center, radius: filter.distance ?? 0, isNew)
            else { return rest.set(number, isNew) }
        case .greaterThan, .greaterThanOrEquals: field.below.enter(number, value, isNew)
        default: field.above.enter(number, value, isNew)
        }
    }

    // MARK: Looking up

    mutating func candidates(for record: WrittenRecord) -> Set<Int64> {
        var found = rest
        for key in fields.keys {
            guard let value = QueryEvaluation.value(of: key, record) else { continue }
            Self.collect(value, &fields[key, default: FieldIndex()], &found)
        }
        if words.isEmpty { return found }
        for field in record.fields.values {
            guard case .string(let text) = field.value, !field.isEncrypted else { continue }
            for word in Set(textTokens(text)) { found.formUnion(words[word] ?? []) }
        }
        return found
    }

    private static func collect(_ value: FieldValue, _ field: inout FieldIndex, _ found: inout Set<Int64>) {
        if !field.equal.isEmpty {
            for element in value.elements { found.formUnion(field.equal[anchor(element)] ?? []) }
        }
        if case .string(let text) = value {
            for (length, prefixes) in field.prefixes where length <= text.utf8.count {
                let start = SortValue.text(String(decoding: text.utf8.prefix(length), as: UTF8.self))
                found.formUnion(prefixes[start] ?? [])
            }
        }
        if case .location(let place) = value { field.places.collect(around: place, &found) }
        let bound = value.sortValue
        if bound == .missing { return }
        field.below.collect(notAbove: bound, &found)
        field.above.collect(notBelow: bound, &found)
    }
}
