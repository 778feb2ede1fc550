import Records

/// Query subscriptions, each entered under one of its conditions. Finds those whose condition a record's
/// values meet.
struct ConditionIndex: Sendable {
    /// The subscriptions entered under conditions on one field, by the kind of condition.
    private struct FieldIndex: Sendable {
        var equal: [SortValue: Set<Int64>] = [:]
        /// Subscriptions to texts that begin with a prefix, by the first bytes of the prefix.
        var prefixes: [Beginning: Set<Int64>] = [:]
        /// The number of entries of each length in `prefixes`.
        var lengths: [Int: Int] = [:]
        var places = PlaceIndex()
        var above = BoundIndex()
        var below = BoundIndex()
        /// Subscriptions to texts that contain a word.
        var words: [String: Set<Int64>] = [:]

        var isEmpty: Bool {
            equal.isEmpty && prefixes.isEmpty && places.isEmpty && above.isEmpty && below.isEmpty
                && words.isEmpty
        }
    }

    /// The first bytes of a text. Their number is zero or a power of two up to 256, so that the look-up of a
    /// text takes the same few steps whatever prefixes there are.
    private struct Beginning: Hashable, Sendable {
        let length: Int
        let bytes: [UInt8]

        init(of text: String, length: Int) {
            self.length = length
            bytes = Array(text.utf8.prefix(length))
        }

        /// The beginning under which a prefix is entered.
        init(ofPrefix prefix: String) {
            let count = prefix.utf8.count
            var length = min(count, 1)
            while length > 0, length < 256, length * 2 <= count { length *= 2 }
            self.init(of: prefix, length: length)
        }
    }

    var isEmpty: Bool { fields.isEmpty && words.isEmpty && rest.isEmpty }

    private var fields: [QueryKey: FieldIndex] = [:]
    /// Subscriptions entered under words of which one searchable field of a record must contain one.
    private var words: [String: Set<Int64>] = [:]
    /// Subscriptions without a condition that this index supports. They are always candidates.
    private var rest: Set<Int64> = []

    mutating func enter(_ number: Int64, under filters: [Filter], _ isNew: Bool) {
        let ranked = filters.compactMap { filter in Self.rank(filter).map { ($0, filter) } }
        guard let (_, filter) = ranked.min(by: { $0.0 < $1.0 }) else { return rest.set(number, isNew) }
        if let key = filter.key {
            var field = fields.removeValue(forKey: key) ?? FieldIndex()
            enter(number, filter, &field, isNew)
            if !field.isEmpty { fields[key] = field }
        } else if filter.comparator.isSearch {
            Self.enter(number, search: filter, &words, isNew)
        }
    }

    /// Enters a search under words of which a text must contain one.
    private static func enter(
        _ number: Int64, search filter: Filter, _ words: inout [String: Set<Int64>], _ isNew: Bool
    ) {
        guard case .string(let text) = filter.value else { return }
        let wanted = searchTokens(text)
        for word in filter.comparator == .containsAnyTokens ? wanted[...] : wanted.prefix(1) {
            words.set(number, at: word, isNew)
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
                field.equal.set(number, at: Self.anchor(element), isNew)
            }
        case .listContainsAll:
            field.equal.set(number, at: Self.anchor(filter.value.elements[0]), isNew)
        case .equals, .listContains: field.equal.set(number, at: value, isNew)
        case .beginsWith:
            guard case .text(let prefix) = value else { return rest.set(number, isNew) }
            let beginning = Beginning(ofPrefix: prefix)
            field.prefixes.set(number, at: beginning, isNew)
            field.lengths[beginning.length, default: 0] += isNew ? 1 : -1
            if field.lengths[beginning.length] == 0 { field.lengths[beginning.length] = nil }
        case .near:
            guard case .location(let center) = filter.value,
                field.places.enter(number, center, radius: filter.distance ?? 0, isNew)
            else { return rest.set(number, isNew) }
        case .containsAllTokens, .containsAnyTokens:
            Self.enter(number, search: filter, &field.words, isNew)
        case .greaterThan, .greaterThanOrEquals: field.below.enter(number, value, isNew)
        default: field.above.enter(number, value, isNew)
        }
    }

    // MARK: Looking up

    /// Returns the subscriptions whose condition the record of `lookups` may meet.
    mutating func candidates(for lookups: inout RecordLookups) -> Set<Int64> {
        var found = rest
        for key in fields.keys {
            guard let value = lookups.record.value(of: key) else { continue }
            Self.collect(value, &fields[key, default: FieldIndex()], &found)
            if case .field(let name) = key, let entered = fields[key]?.words, !entered.isEmpty {
                for word in lookups.words(of: name) { found.formUnion(entered[word] ?? []) }
            }
        }
        if words.isEmpty { return found }
        for word in lookups.wordsOfSearchableFields() { found.formUnion(words[word] ?? []) }
        return found
    }

    private static func collect(_ value: FieldValue, _ field: inout FieldIndex, _ found: inout Set<Int64>) {
        if !field.equal.isEmpty {
            for element in value.elements { found.formUnion(field.equal[anchor(element)] ?? []) }
        }
        if case .string(let text) = value {
            for length in field.lengths.keys where length <= text.utf8.count {
                found.formUnion(field.prefixes[Beginning(of: text, length: length)] ?? [])
            }
        }
        if case .location(let place) = value { field.places.collect(around: place, &found) }
        let bound = value.sortValue
        if bound == .missing { return }
        field.below.collect(notAbove: bound, &found)
        field.above.collect(notBelow: bound, &found)
    }
}
