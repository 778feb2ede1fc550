import Foundation
internal import Records
internal import RecordsWire

/// The result of one subscription of a batch.
enum SubscriptionOutcome: Sendable {
    case saved(CKSubscription.ID, Result<CKSubscription, any Error>)
    case deleted(CKSubscription.ID, Result<Void, any Error>)
}

/// Reads, saves and deletes a person's subscriptions in a database.
struct SubscriptionsClient: Sendable {
    let client: CloudClient

    /// Fetches all subscriptions in the database. Throws `CKError`.
    func all() async throws -> [CKSubscription] {
        do {
            let answer = try SubscriptionsAnswer(bytes: try await client.call(.subscriptionsList))
            return answer.subscriptions.compactMap { entry in
                guard case .subscription(let subscription) = entry else { return nil }
                return client.context.subscription(subscription)
            }
        } catch {
            throw CKError(failure: error)
        }
    }

    /// Fetches subscriptions by ID, with one result per ID in the given order. Throws `CKError` for the
    /// request as a whole.
    func named(
        _ ids: [CKSubscription.ID]
    ) async throws -> [(CKSubscription.ID, Result<CKSubscription, any Error>)] {
        guard !ids.isEmpty else { return [] }
        try CKError.check(ids.count, limit: client.limits.subscriptions)
        let answers = try await answers(
            .subscriptionsLookup, SubscriptionsLookupRequest(ids), count: ids.count)
        return zip(ids, answers).map { id, answer in (id, saveResult(answer)) }
    }

    /// Saves and deletes subscriptions. Throws `CKError` for the request as a whole.
    ///
    /// If the server has a different subscription with the same ID, a second request replaces it, because the
    /// server ignores a repeated creation without reporting an error.
    func modify(
        saving: [CKSubscription], deleting: [CKSubscription.ID]
    ) async throws -> [SubscriptionOutcome] {
        let wires = try saving.map { try $0.wire(now: client.connection.now(), in: client.database) }
        let operations =
            wires.map { SubscriptionOperation.create($0) }
            + deleting.map { SubscriptionOperation.delete($0) }
        guard !operations.isEmpty else { return [] }
        try CKError.check(operations.count, limit: client.limits.subscriptions)
        let request = SubscriptionsModifyRequest(operations)
        var answers = try await answers(
            .subscriptionsModify, request, count: operations.count, changes: true)
        let others = wires.indices.filter { index in
            guard case .subscription(let kept) = answers[index] else { return false }
            return !kept.isEquivalent(to: wires[index])
        }
        if !others.isEmpty {
            let again = SubscriptionsModifyRequest(others.map { .update(wires[$0]) })
            let replaced = try await self.answers(
                .subscriptionsModify, again, count: others.count, changes: true)
            for (index, answer) in zip(others, replaced) { answers[index] = answer }
        }
        let saved = zip(saving, answers).map { subscription, answer in
            SubscriptionOutcome.saved(subscription.subscriptionID, saveResult(answer))
        }
        let deleted = zip(deleting, answers.dropFirst(saving.count)).map { id, answer in
            SubscriptionOutcome.deleted(id, deletionResult(answer))
        }
        return saved + deleted
    }

    private func answers(
        _ endpoint: Endpoint, _ request: some WireRequest, count: Int, changes: Bool = false
    ) async throws -> [SubscriptionResult] {
        try await client.answers(endpoint, request, count: count, "subscriptions", changes: changes) {
            try SubscriptionsAnswer(bytes: $0).subscriptions
        }
    }

    private func saveResult(_ answer: SubscriptionResult) -> Result<CKSubscription, any Error> {
        switch answer {
        case .subscription(let subscription): .success(client.context.subscription(subscription))
        case .deleted: .failure(CKError.make(.unknownItem, "The subscription was deleted."))
        case .failure(_, let error): .failure(CKError(error, isSignedIn: client.context.isSignedIn))
        }
    }

    private func deletionResult(_ answer: SubscriptionResult) -> Result<Void, any Error> {
        switch answer {
        case .deleted: .success(())
        case .subscription:
            .failure(CKError.make(.internalError, "The server did not delete the subscription."))
        case .failure(_, let error): .failure(CKError(error, isSignedIn: client.context.isSignedIn))
        }
    }
}

extension Subscription {
    /// Whether both subscriptions are equal, ignoring the owners of zones and the sort order of queries.
    fileprivate func isEquivalent(to other: Subscription) -> Bool {
        info == other.info && kind.withoutOwnersAndSorts == other.kind.withoutOwnersAndSorts
    }
}

extension Subscription.Kind {
    fileprivate var withoutOwnersAndSorts: Subscription.Kind {
        switch self {
        case .query(var terms):
            terms.zone?.owner = nil
            terms.query.sorts = []
            return .query(terms)
        case .zone(let zone, let type): return .zone(ZoneID(name: zone.name), recordType: type)
        case .database: return self
        }
    }
}
