import PostgreSQLSupport
import RecordStore
import Records

/// Reads and writes the subscriptions of a scope in a database.
struct PostgresSubscriptionTable {
    let session: PostgresSession
    let codec: any FieldCodec
    let scope: SubscriptionScope

    /// Returns a person's subscriptions in the order of their creation.
    func subscriptions(of owner: String) throws -> [SubscriptionEntry] {
        try session.rows(
            """
            SELECT id, definition
            FROM subscription
            WHERE database = $1 AND owner = $2 AND is_shared = $3
            ORDER BY id
            """,
            .text(owner), .integer(scope.number)
        )
        .map { row in
            SubscriptionEntry(
                number: row.integer(0), owner: owner, scope: scope,
                subscription: try codec.subscription(row.bytes(1)))
        }
    }

    /// Creates, replaces and deletes a person's subscriptions. Returns one result for each operation.
    func modify(
        _ operations: [SubscriptionOperation], of owner: String, _ rules: SubscriptionRules,
        _ state: inout PostgresWriteState
    ) throws -> [SubscriptionResult] {
        try rules.modify(operations, among: subscriptions(of: owner)) { edit in
            switch edit {
            case .add(let subscription): return try add(subscription, of: owner, &state)
            case .replace(let entry):
                try session.run(
                    "UPDATE subscription SET definition = $3 WHERE database = $1 AND id = $2",
                    .integer(entry.number), .bytes(codec.encode(entry.subscription)))
                state.subscriptions += 1
                state.subscriptionChanges += [.remove(entry.number), .add(entry)]
            case .remove(let entry):
                try Self.remove([entry.number], in: session, &state)
            }
            return nil
        }
    }

    func add(
        _ subscription: Subscription, of owner: String, _ state: inout PostgresWriteState
    ) throws -> SubscriptionEntry {
        state.subscriptions += 1
        let entry = SubscriptionEntry(
            number: state.subscriptions, owner: owner, scope: scope, subscription: subscription)
        try session.run(
            """
            INSERT INTO subscription (database, id, owner, is_shared, name, definition)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            .integer(entry.number), .text(owner), .integer(scope.number), .text(subscription.id),
            .bytes(codec.encode(subscription)))
        state.subscriptionChanges.append(.add(entry))
        return entry
    }

    func remove(of owner: String, _ state: inout PostgresWriteState) throws {
        try Self.remove(subscriptions(of: owner).map(\.number), in: session, &state)
    }

    static func remove(
        _ numbers: [Int64], in session: PostgresSession, _ state: inout PostgresWriteState
    ) throws {
        if numbers.isEmpty { return }
        try session.run("DELETE FROM subscription WHERE database = $1 AND id = ANY ($2)", .integers(numbers))
        state.subscriptions += 1
        state.subscriptionChanges += numbers.map(SubscriptionChange.remove)
    }
}
