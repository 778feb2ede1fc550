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

    /// Creates, replaces and deletes a person's subscriptions. Returns one result for each operation.
    func modify(
        _ operations: [SubscriptionOperation], of owner: String, _ rules: SubscriptionRules,
        _ state: inout WriterState
    ) throws -> [SubscriptionResult] {
        try rules.modify(operations, among: subscriptions(of: owner)) { edit in
            switch edit {
            case .add(let subscription): return try add(subscription, of: owner, &state)
            case .replace(let entry):
                var row = try SQL(database, "UPDATE subscription SET definition = ? WHERE id = ?")
                row.bind(codec.encode(entry.subscription))
                row.bind(entry.number)
                try row.run()
                state.subscriptionChanges += [.remove(entry.number), .add(entry)]
            case .remove(let entry):
                var row = try SQL(database, "DELETE FROM subscription WHERE id = ?")
                row.bind(entry.number)
                try row.run()
                state.subscriptionChanges.append(.remove(entry.number))
            }
            return nil
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
