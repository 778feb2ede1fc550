import Records

/// Finds by a record's values the subscriptions entered under a condition that they meet.
struct ConditionIndex: Sendable {
    /// Under which conditions on one field subscriptions are entered.
    private struct FieldIndex: Sendable {
        var equal: [SortValue: Set<Int64>] = [:]
        var prefixes: [Int: [SortValue: Set<Int64>]] = [:]
        var places = PlaceIndex()
        var above = BoundIndex()
        var below = BoundIndex()
    }

    private var fields: [QueryKey: FieldIndex] = [:]
    /// By a word that must be in some text.
    private var words: [String: Set<Int64>] = [:]
    /// Without a condition that excludes anything quickly.
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

    /// How much a condition excludes, best first; nil for those that the index does not know.
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
        // Which zone a reference leads to is looked at later.
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
