import Records

/// Evaluates a plan for single records. The memory store queries with it, and other stores must give the same
/// results.
package struct QueryEvaluation: Sendable {
    package let plan: QueryPlan
    /// The filters that are searches, with their words, so that a search text is split once and not for each
    /// record.
    private let searches: [(filter: Filter, words: [String])]
    /// The index values in the lists of conditions that ask whether a value is in a list, by the position of
    /// the condition, so that a record is not compared with each element.
    private let members: [Int: Set<SortValue>]

    package init(plan: QueryPlan) {
        self.plan = plan
        members = plan.filters.enumerated().reduce(into: [:]) { members, entry in
            guard (entry.element.comparator.negated ?? entry.element.comparator) == .isIn else { return }
            members[entry.offset] = Set(entry.element.value.elements.map(\.sortValue))
        }
        searches = plan.filters.lazy.filter(\.comparator.isSearch).map { filter in
            guard case .string(let text) = filter.value else { return (filter, []) }
            return (filter, Set(searchTokens(text)).sorted())
        }
    }

    package func matches(_ record: WrittenRecord) -> Bool {
        var lookups = RecordLookups(record)
        return matches(&lookups)
    }

    /// Whether the record of `lookups` meets all filters. Pass the same `lookups` to all plans that are
    /// evaluated for one record, so that they share its look-up structures.
    package func matches(_ lookups: inout RecordLookups) -> Bool {
        for (index, filter) in plan.filters.enumerated() where !filter.comparator.isSearch {
            if !matches(filter, members[index], &lookups) { return false }
        }
        for (filter, words) in searches where !matchesTokens(filter, words, &lookups) { return false }
        return true
    }

    /// The record's values for each criterion of the order.
    package func sortValues(of record: WrittenRecord) -> [SortValue] {
        plan.order.map { order in
            switch order.key {
            case .ordinal: .integer(record.ordinal)
            case .sequence: .integer(record.stored.sequence)
            case .recordName: .text(record.stored.id.name)
            case .createdBy: .text(record.stored.created.by)
            case .modifiedBy: .text(record.stored.modified.by)
            case .parent: record.stored.parent.map(SortValue.text) ?? .missing
            case .field(let name): value(of: .field(name), record)?.sortValue ?? .missing
            case .distance(let name, let place):
                if case .location(let location) = value(of: .field(name), record) {
                    .real(location.distance(to: place))
                } else {
                    .missing
                }
            }
        }
    }

    /// Whether a record with values `a` comes before one with values `b`.
    package func isOrdered(_ a: [SortValue], before b: [SortValue]) -> Bool {
        for (order, (left, right)) in zip(plan.order, zip(a, b)) where left != right {
            if case .distance = order.key, left == .missing || right == .missing { return right == .missing }
            return left.precedes(right) == order.ascending
        }
        return false
    }
}

// MARK: - Conditions

extension QueryEvaluation {
    private func matches(
        _ filter: Filter, _ members: Set<SortValue>?, _ lookups: inout RecordLookups
    ) -> Bool {
        guard let key = filter.key, let value = value(of: key, lookups.record) else { return false }
        let positive = filter.comparator.negated
        let isMet: Bool
        // References are equal by more than their index values.
        if let members, value.type != .scalar(.reference) {
            isMet = value.sortValue != .missing && members.contains(value.sortValue)
        } else {
            isMet = compare(value, positive ?? filter.comparator, filter, &lookups)
        }
        return isMet != (positive != nil)
    }

    private func value(of key: QueryKey, _ record: WrittenRecord) -> FieldValue? {
        Self.value(of: key, record)
    }

    /// The value that a condition on this key is compared with; nil if the record has none.
    static func value(of key: QueryKey, _ record: WrittenRecord) -> FieldValue? {
        switch key {
        case .field(let name):
            guard let field = record.fields[name], !field.isEncrypted else { return nil }
            return field.value
        case .system(let field):
            switch field {
            case .recordName: return .reference(Reference(recordName: record.stored.id.name))
            case .createdTimestamp: return .timestamp(record.stored.created.at)
            case .modifiedTimestamp: return .timestamp(record.stored.modified.at)
            case .createdUserRecordName: return .reference(Reference(recordName: record.stored.created.by))
            case .modifiedUserRecordName: return .reference(Reference(recordName: record.stored.modified.by))
            case .parent: return record.stored.parent.map { .reference(Reference(recordName: $0)) }
            case .share: return nil
            }
        }
    }

    private func compare(
        _ value: FieldValue, _ comparator: Comparator, _ filter: Filter, _ lookups: inout RecordLookups
    ) -> Bool {
        switch comparator {
        case .equals: return equal(value, filter.value, lookups.record)
        case .isIn: return filter.value.elements.contains { equal(value, $0, lookups.record) }
        case .lessThan: return ordered(value, filter.value) == .less
        case .lessThanOrEquals: return [.less, .equal].contains(ordered(value, filter.value))
        case .greaterThan: return ordered(value, filter.value) == .greater
        case .greaterThanOrEquals: return [.greater, .equal].contains(ordered(value, filter.value))
        case .beginsWith: return begins(value, with: filter.value)
        case .near:
            guard case .location(let here) = value, case .location(let center) = filter.value,
                let radius = filter.distance
            else { return false }
            return here.distance(to: center) <= radius
        case .listContains, .listContainsAny, .listContainsAll:
            guard let key = filter.key else { return false }
            let zone = plan.zone ?? lookups.record.stored.id.zone.name
            let wanted = filter.value.elements.map { RecordLookups.Element($0, home: zone) }
            let elements = lookups.elements(of: value, under: key)
            let isThere: (RecordLookups.Element?) -> Bool = { $0.map(elements.contains) ?? false }
            return comparator == .listContainsAny
                ? wanted.contains(where: isThere) : wanted.allSatisfy(isThere)
        case .listMemberBeginsWith:
            guard let key = filter.key, case .string(let prefix) = filter.value else { return false }
            return lookups.hasElement(of: value, under: key, beginningWith: prefix)
        default: return false
        }
    }

    /// Two references are equal if they point at the same record; their actions do not matter. A reference
    /// without a zone means the queried zone in a filter, and the record's own zone in a record. Other values
    /// are equal if their index values are, where a text can equal the name of a record.
    private func equal(_ a: FieldValue, _ b: FieldValue, _ record: WrittenRecord) -> Bool {
        guard case .reference = a, case .reference = b else {
            return a.sortValue != .missing && a.sortValue == b.sortValue
        }
        let home = record.stored.id.zone.name
        guard let left = RecordLookups.Element(a, home: home) else { return false }
        return left == RecordLookups.Element(b, home: plan.zone ?? home)
    }

    private enum Ordering { case less, equal, greater }

    private func ordered(_ a: FieldValue, _ b: FieldValue) -> Ordering? {
        let (left, right) = (a.sortValue, b.sortValue)
        if left == .missing || right == .missing { return nil }
        if left == right { return .equal }
        return left.precedes(right) ? .less : .greater
    }

    private func begins(_ value: FieldValue, with prefix: FieldValue) -> Bool {
        guard case .string(let text) = value, case .string(let start) = prefix else { return false }
        return text.utf8.starts(with: start.utf8)
    }

    private func matchesTokens(
        _ filter: Filter, _ wanted: [String], _ lookups: inout RecordLookups
    ) -> Bool {
        guard !wanted.isEmpty else { return false }
        var names = plan.searchableFields
        if case .field(let name) = filter.key { names = [name] }
        let fields = names.map { lookups.words(of: $0) }
        func isThere(_ word: String) -> Bool { fields.contains { $0.contains(word) } }
        return filter.comparator == .containsAllTokens
            ? wanted.allSatisfy(isThere) : wanted.contains(where: isThere)
    }
}
