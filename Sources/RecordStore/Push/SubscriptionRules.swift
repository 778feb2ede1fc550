package import Records

/// Checks changes to the subscriptions that one person has in one database.
package struct SubscriptionRules: Sendable {
    package var limits: Limits

    package init(limits: Limits) {
        self.limits = limits
    }

    /// The change that a store must make.
    package enum Verdict: Hashable, Sendable {
        /// No change: the subscription exists already.
        case keep(Subscription)
        case add(Subscription)
        case replace(Subscription)
        case remove
    }

    /// Returns the change for an operation, given the person's subscriptions. Throws `limitExceeded`,
    /// `notFound`, or `internalError` for a second query subscription to the same changes.
    package func verdict(
        _ operation: SubscriptionOperation, among existing: [Subscription]
    ) throws(RecordError) -> Verdict {
        let known = existing.first { $0.id == operation.id }
        switch operation {
        case .create(let subscription):
            if let known { return .keep(known) }
            if existing.count >= limits.subscriptions {
                throw RecordError(
                    .limitExceeded, "more than \(limits.subscriptions) subscriptions in one database",
                    culprit: subscription.id, nextStep: "delete a subscription that is no longer needed"
                )
            }
            try checkUnique(subscription, among: existing)
            return .add(subscription)
        case .update(let subscription):
            guard known != nil else { throw Self.missing(operation.id) }
            try checkUnique(subscription, among: existing)
            return .replace(subscription)
        case .delete:
            guard known != nil else { throw Self.missing(operation.id) }
            return .remove
        }
    }

    /// A change that a store makes to its table of subscriptions.
    package enum Edit {
        case add(Subscription)
        /// The entry as it is then.
        case replace(SubscriptionEntry)
        case remove(SubscriptionEntry)
    }

    /// Creates, replaces and deletes a person's subscriptions. Each operation succeeds or fails on its own.
    /// Returns one result for each, in the same order.
    ///
    /// - Parameters:
    ///   - known: the person's subscriptions.
    ///   - make: makes a change. Returns the entry that was added; nil for other changes.
    package func modify(
        _ operations: [SubscriptionOperation], among known: [SubscriptionEntry],
        _ make: (Edit) throws -> SubscriptionEntry?
    ) throws -> [SubscriptionResult] {
        var known = known
        return try operations.map { operation in
            let verdict: Verdict
            do throws(RecordError) {
                verdict = try self.verdict(operation, among: known.map(\.subscription))
            } catch {
                return .failure(operation.id, error)
            }
            let place = known.firstIndex { $0.subscription.id == operation.id }
            switch verdict {
            case .keep(let subscription): return .subscription(subscription)
            case .add(let subscription):
                if let entry = try make(.add(subscription)) { known.append(entry) }
                return .subscription(subscription)
            case .replace(let subscription):
                guard let place else { throw Self.missing(operation.id) }
                known[place].subscription = subscription
                _ = try make(.replace(known[place]))
                return .subscription(subscription)
            case .remove:
                guard let place else { throw Self.missing(operation.id) }
                _ = try make(.remove(known.remove(at: place)))
                return .deleted(operation.id)
            }
        }
    }

    /// Throws if the person has another query subscription to the same changes: with the same record type,
    /// set of events, conditions and zone. Code and text are those that the real service answers with.
    private func checkUnique(
        _ subscription: Subscription, among existing: [Subscription]
    ) throws(RecordError) {
        guard case .query(let terms) = subscription.kind else { return }
        let twin = existing.first { other in
            guard other.id != subscription.id, case .query(let its) = other.kind else { return false }
            return its.query.recordType == terms.query.recordType && its.firesOn == terms.firesOn
                && its.zone == terms.zone && Set(its.query.filters) == Set(terms.query.filters)
        }
        guard let twin else { return }
        throw RecordError(
            .internalError, "could not find subscription we just created", culprit: subscription.id,
            nextStep: "\(twin.id) has this record type, condition and these events already: "
                + "change or delete that one"
        )
    }

    /// The error for a missing subscription.
    package static func missing(_ id: String) -> RecordError {
        RecordError(
            .notFound, "Subscription not found", culprit: id, nextStep: "create it, or delete your copy"
        )
    }
}
