package import Records

/// The conditions of a query or a subscription, prepared for comparison with records: the lists are sets, and
/// the search texts are split into words. So a record is not compared with each element of a list.
///
/// Preparing takes time and memory in proportion to the lists, so keep an instance for as long as records are
/// compared with these conditions.
package final class QueryConditions: Sendable {
    /// Searches come last, because they need the words of a record.
    private let conditions: [PreparedCondition]

    /// - Parameter zone: the queried zone; nil for all zones.
    package init(_ filters: [Filter], zone: String?) {
        let prepared = filters.map { PreparedCondition($0, zone: zone) }
        conditions = prepared.filter { !$0.isSearch } + prepared.filter(\.isSearch)
    }

    /// Whether the record of `lookups` meets all conditions. Pass the same `lookups` to all conditions that
    /// one record is compared with, so that they share its look-up structures.
    package func matches(_ lookups: inout RecordLookups) -> Bool {
        for condition in conditions where !condition.matches(&lookups) { return false }
        return true
    }
}

/// A condition with its values in the form in which they are looked up.
private struct PreparedCondition: Sendable {
    private let filter: Filter
    /// The comparator without its negation.
    private let comparator: Comparator
    /// The queried zone; nil for all zones.
    private let zone: String?
    /// The values of a comparator for lists, or of `isIn`; otherwise empty.
    private let wanted: WantedValues
    /// The words of a search; otherwise empty.
    private let words: Set<String>

    init(_ filter: Filter, zone: String?) {
        self.filter = filter
        self.zone = zone
        comparator = filter.comparator.negated ?? filter.comparator
        switch comparator {
        case .isIn, .listContains, .listContainsAny, .listContainsAll:
            wanted = WantedValues(filter.value.elements, zone: zone)
        default: wanted = WantedValues([], zone: zone)
        }
        if filter.comparator.isSearch, case .string(let text) = filter.value {
            words = Set(searchTokens(text))
        } else {
            words = []
        }
    }

    var isSearch: Bool { filter.comparator.isSearch }

    func matches(_ lookups: inout RecordLookups) -> Bool {
        if isSearch { return containsWords(&lookups) }
        guard let key = filter.key, let value = lookups.record.value(of: key) else { return false }
        return compare(value, under: key, &lookups) != (filter.comparator.negated != nil)
    }

    private func compare(
        _ value: FieldValue, under key: QueryKey, _ lookups: inout RecordLookups
    ) -> Bool {
        let home = lookups.record.stored.id.zone.name
        switch comparator {
        case .equals: return equal(value, filter.value, home)
        case .isIn:
            if (value.type == .scalar(.reference)) != wanted.areReferences {
                return filter.value.elements.contains { equal(value, $0, home) }
            }
            guard let element = RecordLookups.Element(value, home: home) else { return false }
            return wanted.contains(element, home: home)
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
        case .listContains, .listContainsAll:
            return wanted.areAll(in: lookups.elements(of: value, under: key), home: home)
        case .listContainsAny:
            return wanted.isAny(in: lookups.elements(of: value, under: key), home: home)
        case .listMemberBeginsWith:
            guard case .string(let prefix) = filter.value else { return false }
            return lookups.hasElement(of: value, under: key, beginningWith: prefix)
        default: return false
        }
    }

    /// Two references are equal if they point at the same record; their actions do not matter. A reference
    /// without a zone means the queried zone in a filter, and the record's own zone in a record. Other values
    /// are equal if their index values are, where a text can equal the name of a record.
    private func equal(_ a: FieldValue, _ b: FieldValue, _ home: String) -> Bool {
        guard case .reference = a, case .reference = b else {
            return a.sortValue != .missing && a.sortValue == b.sortValue
        }
        guard let left = RecordLookups.Element(a, home: home) else { return false }
        return left == RecordLookups.Element(b, home: zone ?? home)
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

    private func containsWords(_ lookups: inout RecordLookups) -> Bool {
        if words.isEmpty { return false }
        let found: Set<String>
        if case .field(let name) = filter.key {
            found = lookups.words(of: name)
        } else {
            found = lookups.wordsOfSearchableFields()
        }
        return comparator == .containsAllTokens ? words.isSubset(of: found) : !words.isDisjoint(with: found)
    }
}

/// The values of a condition that asks for elements of a list, each once.
private struct WantedValues: Sendable {
    private var values: Set<RecordLookups.Element> = []
    /// The names of references without a zone, in a condition on all zones: they mean the zone of the record.
    private var names: Set<SortValue> = []
    /// Whether one of the values equals no other value.
    private var isImpossible = false
    let areReferences: Bool

    init(_ all: [FieldValue], zone: String?) {
        areReferences = all.first?.type == .scalar(.reference)
        for value in all {
            if zone == nil, case .reference(let reference) = value, reference.zone == nil {
                names.insert(.text(reference.recordName))
            } else if let element = RecordLookups.Element(value, home: zone ?? "") {
                values.insert(element)
            } else {
                isImpossible = true
            }
        }
    }

    /// Whether a record's value is one of the values.
    ///
    /// - Parameter home: the zone of the record.
    func contains(_ element: RecordLookups.Element, home: String) -> Bool {
        if values.contains(element) { return true }
        guard !names.isEmpty, case .reference(let zone, let name) = element else { return false }
        return zone == .text(home) && names.contains(name)
    }

    /// Whether a record's list has one of the values. Examines the smaller of the two sets.
    func isAny(in elements: Set<RecordLookups.Element>, home: String) -> Bool {
        if elements.count < values.count + names.count {
            return elements.contains { contains($0, home: home) }
        }
        return values.contains { elements.contains($0) }
            || names.contains { elements.contains(.reference(zone: .text(home), name: $0)) }
    }

    /// Whether a record's list has all values. Ends with the first one that it does not have.
    func areAll(in elements: Set<RecordLookups.Element>, home: String) -> Bool {
        !isImpossible && values.allSatisfy { elements.contains($0) }
            && names.allSatisfy { elements.contains(.reference(zone: .text(home), name: $0)) }
    }
}

extension WrittenRecord {
    /// The value that a condition on this key is compared with; nil if the record has none.
    func value(of key: QueryKey) -> FieldValue? {
        switch key {
        case .field(let name):
            guard let field = fields[name], !field.isEncrypted else { return nil }
            return field.value
        case .system(let field):
            switch field {
            case .recordName: return .reference(Reference(recordName: stored.id.name))
            case .createdTimestamp: return .timestamp(stored.created.at)
            case .modifiedTimestamp: return .timestamp(stored.modified.at)
            case .createdUserRecordName: return .reference(Reference(recordName: stored.created.by))
            case .modifiedUserRecordName: return .reference(Reference(recordName: stored.modified.by))
            case .parent: return stored.parent.map { .reference(Reference(recordName: $0)) }
            case .share: return nil
            }
        }
    }
}
