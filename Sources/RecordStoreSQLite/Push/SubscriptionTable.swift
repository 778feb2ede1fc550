import GRDB
import RecordStore
import Records

/// Reads and writes the subscriptions of a scope in a database.
struct SubscriptionTable {
    let database: Database
    let codec: any FieldCodec
    let scope: SubscriptionScope

    /// Returns a person's subscriptions in the order of their creation.
    func subscriptions(of owner: String) throws -> [SubscriptionEntry] {
        var rows = try SQL(
            database,
            "SELECT id, definition FROM subscription WHERE owner = ? AND is_shared = ? ORDER BY id")
        rows.bind(owner)
        rows.bind(scope.number)
        defer { rows.reset() }
        var entries: [SubscriptionEntry] = []
        while try rows.step() {
            let subscription = try codec.subscription(rows.bytes(1))
            entries.append(
                SubscriptionEntry(
                    number: rows.integer(0), owner: owner, scope: scope, subscription: subscription))
        }
        return entries
    }

    /// Creates, replaces and deletes a person's subscriptions. Each operation succeeds or fails on its own.
    /// Returns one result for each, in the same order.
    func modify(
        _ operations: [SubscriptionOperation], of owner: String, _ rules: SubscriptionRules,
        _ state: inout WriterState
    ) throws -> [SubscriptionResult] {
        var known = try subscriptions(of: owner)
        var results: [SubscriptionResult] = []
        for operation in operations {
            let verdict: SubscriptionRules.Verdict
            do throws(RecordError) {
                verdict = try rules.verdict(operation, among: known.map(\.subscription))
            } catch {
                results.append(.failure(operation.id, error))
                continue
            }
            let index = known.firstIndex { $0.subscription.id == operation.id }
            let old = index.map { known[$0] }
            let (result, new) = try apply(verdict, to: old, id: operation.id, of: owner, &state)
            results.append(result)
            switch (index, new) {
            case (let index?, let new?): known[index] = new
            case (let index?, nil): known.remove(at: index)
            case (nil, let new?): known.append(new)
            case (nil, nil): break
            }
        }
        return results
    }

    /// Makes the change that the rules decided on. Returns the result, and the subscription as it is then;
    /// nil if it is deleted.
    private func apply(
        _ verdict: SubscriptionRules.Verdict, to old: SubscriptionEntry?, id: String, of owner: String,
        _ state: inout WriterState
    ) throws -> (SubscriptionResult, SubscriptionEntry?) {
        switch verdict {
        case .keep(let subscription): return (.subscription(subscription), old)
        case .add(let subscription):
            return (.subscription(subscription), try add(subscription, of: owner, &state))
        case .replace(let subscription):
            guard var entry = old else { throw SubscriptionRules.missing(id) }
            var row = try SQL(database, "UPDATE subscription SET definition = ? WHERE id = ?")
            row.bind(codec.encode(subscription))
            row.bind(entry.number)
            try row.run()
            entry.subscription = subscription
            state.subscriptionChanges += [.remove(entry.number), .add(entry)]
            return (.subscription(subscription), entry)
        case .remove:
            guard let old else { throw SubscriptionRules.missing(id) }
            var row = try SQL(database, "DELETE FROM subscription WHERE id = ?")
            row.bind(old.number)
            try row.run()
            state.subscriptionChanges.append(.remove(old.number))
            return (.deleted(id), nil)
        }
    }

    func add(
        _ subscription: Subscription, of owner: String, _ state: inout WriterState
    ) throws -> SubscriptionEntry {
        var row = try SQL(
            database,
            "INSERT INTO subscription (owner, is_shared, name, definition) VALUES (?, ?, ?, ?)")
        row.bind(owner)
        row.bind(scope.number)
        row.bind(subscription.id)
        row.bind(codec.encode(subscription))
        try row.run()
        let entry = SubscriptionEntry(
            number: database.lastInsertedRowID, owner: owner, scope: scope, subscription: subscription)
        state.subscriptionChanges.append(.add(entry))
        return entry
    }

    func remove(of owner: String, _ state: inout WriterState) throws {
        for entry in try subscriptions(of: owner) { state.subscriptionChanges.append(.remove(entry.number)) }
        var row = try SQL(database, "DELETE FROM subscription WHERE owner = ? AND is_shared = ?")
        row.bind(owner)
        row.bind(scope.number)
        try row.run()
    }
}

extension SubscriptionScope {
    /// The value of the column `is_shared`.
    fileprivate var number: Int64 { self == .shared ? 1 : 0 }
}
