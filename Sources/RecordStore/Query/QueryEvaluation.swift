import Records

/// Answers plans record by record. Memory stores query with it, and databases must agree with it.
package struct QueryEvaluation: Sendable {
    package let plan: QueryPlan
    /// The filters that are searches, with their words: a text is taken apart once, not for each record.
    private let searches: [(filter: Filter, words: [String])]

    package init(plan: QueryPlan) {
        self.plan = plan
        searches = plan.filters.lazy.filter(\.comparator.isSearch).map { filter in
            guard case .string(let text) = filter.value else { return (filter, []) }
            return (filter, Set(searchTokens(text)).sorted())
        }
    }

    package func matches(_ record: WrittenRecord) -> Bool {
        plan.filters.allSatisfy { $0.comparator.isSearch || matches($0, record) }
            && searches.allSatisfy { matchesTokens($0.filter, $0.words, record) }
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
    private func matches(_ filter: Filter, _ record: WrittenRecord) -> Bool {
        guard let key = filter.key, let value = value(of: key, record) else { return false }
        if let positive = filter.comparator.negated { return !compare(value, positive, filter, record) }
        return compare(value, filter.comparator, filter, record)
    }

    private func value(of key: QueryKey, _ record: WrittenRecord) -> FieldValue? {
        Self.value(of: key, record)
    }

    /// What a condition on that key looks at; nil when the record has nothing there.
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
        _ value: FieldValue, _ comparator: Comparator, _ filter: Filter, _ record: WrittenRecord
    ) -> Bool {
        switch comparator {
        case .equals: return equal(value, filter.value, record)
        case .isIn: return filter.value.elements.contains { equal(value, $0, record) }
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
        case .listContains: return value.elements.contains { equal($0, filter.value, record) }
        case .listContainsAny:
            return filter.value.elements.contains { wanted in
                value.elements.contains { equal($0, wanted, record) }
            }
        case .listContainsAll:
            return filter.value.elements.allSatisfy { wanted in
                value.elements.contains { equal($0, wanted, record) }
            }
        case .listMemberBeginsWith: return value.elements.contains { begins($0, with: filter.value) }
        default: return false
        }
    }

    /// References are equal when they point at the same record; the action does not count. A
    /// reference without a zone means the zone that is asked, or that of the record itself.
    private func equal(_ a: FieldValue, _ b: FieldValue, _ record: WrittenRecord) -> Bool {
        if case .reference(let left) = a, case .reference(let right) = b {
            let home = record.stored.id.zone.name
            let asked = right.zone?.name ?? plan.zone ?? home
            return left.recordName == right.recordName && (left.zone?.name ?? home) == asked
        }
        return a.sortValue != .missing && a.sortValue == b.sortValue
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

    private func matchesTokens(_ filter: Filter, _ wanted: [String], _ record: WrittenRecord) -> Bool {
        guard !wanted.isEmpty else { return false }
        var names = plan.searchableFields
        if case .field(let name) = filter.key { names = [name] }
        var words: Set<String> = []
        for name in names {
            guard let field = record.fields[name], !field.isEncrypted, case .string(let text) = field.value
            else { continue }
            words.formUnion(textTokens(text))
        }
        return filter.comparator == .containsAllTokens
            ? wanted.allSatisfy(words.contains) : wanted.contains(where: words.contains)
    }
}
