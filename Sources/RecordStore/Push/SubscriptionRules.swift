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
