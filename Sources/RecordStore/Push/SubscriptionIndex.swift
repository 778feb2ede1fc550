package import Records

/// The subscriptions of one database.
///
/// Each query subscription is entered under one of its conditions, the one that excludes most: an equality,
/// a word, a prefix, a place, or a bound. A changed record is looked up by its values, so what does not match
/// is not touched. What is found is a candidate: whoever asks checks all conditions.
package struct SubscriptionIndex: Sendable {
    private struct Family: Hashable {
        var recordType: String
        var event: Subscription.Event
    }

    private var entries: [Int64: SubscriptionEntry] = [:]
    private var families: [Family: ConditionIndex] = [:]
    /// How many subscriptions each family has.
    private var sizes: [Family: Int] = [:]
    private var zones: [String: Set<Int64>] = [:]
    private var databases: Set<Int64> = []

    package init() {}

    package init(_ all: [SubscriptionEntry]) {
        for entry in all { add(entry) }
    }

    package var isEmpty: Bool { entries.isEmpty }

    package mutating func add(_ entry: SubscriptionEntry) {
        guard entries.updateValue(entry, forKey: entry.number) == nil else { return }
        enter(entry, true)
    }

    package mutating func remove(_ number: Int64) {
        guard let entry = entries.removeValue(forKey: number) else { return }
        enter(entry, false)
    }

    /// Query subscriptions that a change may concern, in the order of their making.
    package mutating func queries(for change: RecordChange) -> [SubscriptionEntry] {
        let family = Family(recordType: change.record.stored.type, event: change.event)
        guard let found = families[family]?.candidates(for: change.record) else { return [] }
        return found.sorted().compactMap { entries[$0] }
    }

    /// Whether a query subscription may concern events of records of a type.
    package func hasQueries(on recordType: String, _ event: Subscription.Event) -> Bool {
        families[Family(recordType: recordType, event: event)] != nil
    }

    /// The subscriptions to a zone, and those to the database.
    package func watchers(of zone: String) -> [SubscriptionEntry] {
        databases.union(zones[zone] ?? []).sorted().compactMap { entries[$0] }
    }

    private mutating func enter(_ entry: SubscriptionEntry, _ isNew: Bool) {
        switch entry.subscription.kind {
        case .query(let terms):
            for event in terms.firesOn {
                let family = Family(recordType: terms.query.recordType, event: event)
                families[family, default: ConditionIndex()].enter(
                    entry.number, under: terms.query.filters, isNew)
                sizes[family, default: 0] += isNew ? 1 : -1
                if sizes[family] == 0 { (families[family], sizes[family]) = (nil, nil) }
            }
        case .zone(let zone, _): zones[zone.name, default: []].set(entry.number, isNew)
        case .database: databases.set(entry.number, isNew)
        }
    }
}

extension Set {
    mutating func set(_ element: Element, _ isMember: Bool) {
        if isMember { insert(element) } else { remove(element) }
    }
}
