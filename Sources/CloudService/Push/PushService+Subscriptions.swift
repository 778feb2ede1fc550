import RecordStore
package import Records

extension PushService {
    /// The subscriptions of a person in a database, in the order of their creation.
    package func subscriptions(in scope: DatabaseKind, by caller: Caller) async throws -> [Subscription] {
        let owner = try caller.requireUserRecordName()
        if scope == .shared { return try await databases.sharedSubscriptions(of: caller) }
        return try await databases.reading(scope, for: caller) {
            try await $0.records.subscriptions(of: owner)
        }
    }

    /// The subscriptions with these IDs, in order.
    package func lookupSubscriptions(
        _ ids: [String], in scope: DatabaseKind, by caller: Caller
    ) async throws -> [SubscriptionResult] {
        try checkSubscriptionCount(ids.count, "subscriptions")
        let all = Dictionary(try await subscriptions(in: scope, by: caller).map { ($0.id, $0) }) { $1 }
        return ids.map { id in
            all[id].map { .subscription($0) } ?? .failure(id, SubscriptionRules.missing(id))
        }
    }

    /// Creates, replaces and deletes subscriptions independently of each other. Returns one result for each
    /// operation, in order.
    package func modifySubscriptions(
        _ operations: [SubscriptionOperation], in scope: DatabaseKind, by caller: Caller
    ) async throws -> [SubscriptionResult] {
        if let obstacle = caller.obstacle { throw obstacle }
        try checkSubscriptionCount(operations.count, "operations")
        let owner = try caller.requireUserRecordName()
        let access = try await schemaCache.access(for: caller)
        var draft = SubscriptionDraft(operations) { context.runtime.randomUUID() }
        if scope == .shared {
            draft.check(
                SubscriptionChecks(
                    scope: scope, limits: context.limits, access: access, indexCommand: caller.indexCommand,
                    zoneName: { throw RecordError.zoneNotFound($0.name) }))
            let stored = try await databases.modifySharedSubscriptions(draft.accepted, by: caller)
            return draft.results(of: stored)
        }
        return try await databases.using(scope, for: caller) { database in
            let zones = Set(try await database.records.zones().map(\.id.name))
            let checks = SubscriptionChecks(
                scope: scope, limits: context.limits, access: access, indexCommand: caller.indexCommand
            ) { zone in
                let name = try self.databases.zoneName(zone, in: database)
                if !zones.contains(name) { throw RecordError.zoneNotFound(name) }
                return name
            }
            draft.check(checks)
            let stored = try await database.records.modifySubscriptions(
                draft.accepted, of: owner, limits: context.limits)
            return draft.results(of: stored)
        }
    }

    private func checkSubscriptionCount(_ count: Int, _ culprit: String) throws(RecordError) {
        try RecordError.check(
            count, atMost: context.limits.subscriptions, culprit, next: "name them in several requests"
        )
    }
}

/// Operations on subscriptions before they reach the store; an operation that was refused carries its error.
private struct SubscriptionDraft {
    private var operations: [(operation: SubscriptionOperation, error: RecordError?)] = []

    /// Assigns an ID to subscriptions without one.
    init(_ operations: [SubscriptionOperation], newID: () -> String) {
        for operation in operations {
            guard case .create(var subscription) = operation, subscription.id.isEmpty else {
                self.operations.append((operation, nil))
                continue
            }
            subscription.id = newID()
            self.operations.append((.create(subscription), nil))
        }
    }

    mutating func check(_ checks: SubscriptionChecks) {
        for index in operations.indices {
            do {
                switch operations[index].operation {
                case .create(let subscription):
                    operations[index].operation = .create(try checks.checked(subscription))
                case .update(let subscription):
                    operations[index].operation = .update(try checks.checked(subscription))
                case .delete: break
                }
            } catch {
                operations[index].error = RecordError(unexpected: error)
            }
        }
    }

    var accepted: [SubscriptionOperation] { operations.filter { $0.error == nil }.map(\.operation) }

    /// One result for each operation, given the store's results for the accepted ones.
    func results(of stored: [SubscriptionResult]) -> [SubscriptionResult] {
        var remaining = stored[...]
        return operations.map { operation, error in
            if let error { return .failure(operation.id, error) }
            return remaining.popFirst() ?? .failure(operation.id, SubscriptionRules.missing(operation.id))
        }
    }
}
