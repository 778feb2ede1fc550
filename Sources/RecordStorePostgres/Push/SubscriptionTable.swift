import RecordStore
import Records

/// Reads and writes the subscriptions of a scope in a database.
struct SubscriptionTable {
    let session: Session
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

    /// Creates, replaces and deletes a person's subscriptions. Each operation succeeds or fails on its own.
    /// Returns one result for each, in the same order.
    func modify(
        _ operations: [SubscriptionOperation], of owner: String, _ rules: SubscriptionRules,
        _ state: inout WriteState
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
        _ state: inout WriteState
    ) throws -> (SubscriptionResult, SubscriptionEntry?) {
        switch verdict {
        case .keep(let subscription): return (.subscription(subscription), old)
        case .add(let subscription):
            return (.subscription(subscription), try add(subscription, of: owner, &state))
        case .replace(let subscription):
            guard var entry = old else { throw SubscriptionRules.missing(id) }
            try session.run(
                "UPDATE subscription SET definition = $3 WHERE database = $1 AND id = $2",
                .integer(entry.number), .bytes(codec.encode(subscription)))
            entry.subscription = subscription
            state.subscriptions += 1
            state.subscriptionChanges += [.remove(entry.number), .add(entry)]
            return (.subscription(subscription), entry)
        case .remove:
            guard let old else { throw SubscriptionRules.missing(id) }
            try Self.remove([old.number], in: session, &state)
            return (.deleted(id), nil)
        }
    }

    func add(
        _ subscription: Subscription, of owner: String, _ state: inout WriteState
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

    func remove(of owner: String, _ state: inout WriteState) throws {
        try Self.remove(subscriptions(of: owner).map(\.number), in: session, &state)
    }

    static func remove(_ numbers: [Int64], in session: Session, _ state: inout WriteState) throws {
        if numbers.isEmpty { return }
        try session.run("DELETE FROM subscription WHERE database = $1 AND id = ANY ($2)", .integers(numbers))
        state.subscriptions += 1
        state.subscriptionChanges += numbers.map(SubscriptionChange.remove)
    }
}

extension SubscriptionScope {
    /// The value of the column `is_shared`.
    fileprivate var number: Int64 { self == .shared ? 1 : 0 }
}
