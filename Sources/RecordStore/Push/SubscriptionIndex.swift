package import Records

/// A change to the index of subscriptions.
package enum SubscriptionChange: Sendable {
    case add(SubscriptionEntry)
    case remove(Int64)
}

/// The subscriptions of one database, indexed by their conditions, to find those that a changed record may
/// fire.
///
/// Each query subscription is entered under its most selective condition: an equality, a word, a prefix, a
/// place, or a bound. A changed record is looked up by its values, so the cost does not grow with the other
/// subscriptions. The results are candidates: the caller checks all their conditions, which the index keeps
/// in prepared form.
package struct SubscriptionIndex: Sendable {
    private struct Family: Hashable {
        var recordType: String
        var event: Subscription.Event
    }

    private var entries: [Int64: PreparedSubscription] = [:]
    /// The query subscriptions, keyed by record type. One entry serves all events of a subscription.
    private var conditions: [String: ConditionIndex] = [:]
    /// The number of query subscriptions for each record type and event.
    private var sizes: [Family: Int] = [:]
    private var zones: [String: Set<Int64>] = [:]
    private var databases: Set<Int64> = []
    /// The subscriptions to shared databases, by their owners.
    private var shared: [String: Set<Int64>] = [:]

    package init() {}

    package init(_ all: [SubscriptionEntry]) {
        for entry in all { add(entry) }
    }

    package var isEmpty: Bool { entries.isEmpty }

    package mutating func add(_ entry: SubscriptionEntry) {
        if entries[entry.number] != nil { return }
        entries[entry.number] = PreparedSubscription(entry)
        enter(entry, true)
    }

    package mutating func remove(_ number: Int64) {
        guard let removed = entries.removeValue(forKey: number) else { return }
        enter(removed.entry, false)
    }

    /// Applies changes in their order.
    package mutating func apply(_ changes: [SubscriptionChange]) {
        for change in changes {
            switch change {
            case .add(let entry): add(entry)
            case .remove(let number): remove(number)
            }
        }
    }

    /// Returns the query subscriptions that a change may fire, in the order of their creation.
    ///
    /// - Parameter lookups: those of the changed record.
    package mutating func queries(
        for change: RecordChange, _ lookups: inout RecordLookups
    ) -> [PreparedSubscription] {
        let type = change.record.stored.type
        guard hasQueries(on: type, change.event),
            let found = conditions[type]?.candidates(for: &lookups)
        else { return [] }
        return found.sorted().compactMap { entries[$0] }.filter { $0.entry.asks(for: change.event, of: type) }
    }

    /// Whether any query subscription is about this event for records of this type.
    package func hasQueries(on recordType: String, _ event: Subscription.Event) -> Bool {
        sizes[Family(recordType: recordType, event: event)] != nil
    }

    /// Returns the subscriptions to a zone and those to the database, in the order of their creation.
    package func watchers(of zone: String) -> [SubscriptionEntry] {
        databases.union(zones[zone] ?? []).sorted().compactMap { entries[$0]?.entry }
    }

    /// Whether there are subscriptions to shared databases.
    package var hasShared: Bool { !shared.isEmpty }

    /// Returns the subscriptions of these people to their shared databases, in the order of their creation.
    package func watchers(of people: some Sequence<String>) -> [SubscriptionEntry] {
        people.reduce(into: Set<Int64>()) { $0.formUnion(shared[$1] ?? []) }.sorted()
            .compactMap { entries[$0]?.entry }
    }

    private mutating func enter(_ entry: SubscriptionEntry, _ isNew: Bool) {
        if entry.scope == .shared {
            return shared.set(entry.number, at: entry.owner, isNew)
        }
        switch entry.subscription.kind {
        case .query(let terms):
            let type = terms.query.recordType
            var index = conditions.removeValue(forKey: type) ?? ConditionIndex()
            index.enter(entry.number, under: terms.query.filters, isNew)
            if !index.isEmpty { conditions[type] = index }
            for event in terms.firesOn {
                let family = Family(recordType: type, event: event)
                sizes[family, default: 0] += isNew ? 1 : -1
                if sizes[family] == 0 { sizes[family] = nil }
            }
        case .zone(let zone, _): zones.set(entry.number, at: zone.name, isNew)
        case .database: databases.set(entry.number, isNew)
        }
    }
}

extension SubscriptionEntry {
    /// Whether this is a query subscription to an event of records of a type.
    func asks(for event: Subscription.Event, of recordType: String) -> Bool {
        guard case .query(let terms) = subscription.kind else { return false }
        return terms.query.recordType == recordType && terms.firesOn.contains(event)
    }
}

extension Dictionary where Value == Set<Int64> {
    /// Adds a number to the set of a key, or removes it. A key whose set becomes empty is removed, so that
    /// values that came and went take no memory and cost no look-up.
    mutating func set(_ number: Int64, at key: Key, _ isMember: Bool) {
        if isMember {
            self[key, default: []].insert(number)
            return
        }
        guard var numbers = removeValue(forKey: key) else { return }
        numbers.remove(number)
        if !numbers.isEmpty { self[key] = numbers }
    }
}

extension Set {
    mutating func set(_ element: Element, _ isMember: Bool) {
        if isMember { insert(element) } else { remove(element) }
    }
}
