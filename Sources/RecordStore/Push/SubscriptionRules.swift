package import Records

/// Checks changes to the subscriptions that one person has in one database.
package struct SubscriptionRules: Sendable {
    package var limits: Limits

    package init(limits: Limits) {
        self.limits = limits
    }

    /// The answer to an operation.
    private enum Verdict {
        /// No change: the subscription exists already.
        case keep(Subscription)
        case add(Subscription)
        case replace(Subscription)
        case remove
    }

    /// A subscription with a hash of what makes two query subscriptions equal. So one that equals none is
    /// found to be unique without comparing all of its conditions with all of the others.
    private struct Known {
        var entry: SubscriptionEntry
        var hash: Int?
        /// The number of its values that counts towards `Limits.subscriptionElements`.
        var elements: Int

        init(_ entry: SubscriptionEntry) {
            self.entry = entry
            hash = SubscriptionRules.hash(of: entry.subscription)
            elements = SubscriptionRules.elements(of: entry.subscription)
        }
    }

    /// The change for an operation. Throws `limitExceeded`, `notFound`, or `internalError` for a second query
    /// subscription to the same changes.
    ///
    /// - Parameters:
    ///   - place: the place of the subscription of this name in `existing`; nil if there is none.
    ///   - hash: the hash of the subscription that is created or updated.
    private func verdict(
        _ operation: SubscriptionOperation, at place: Int?, among existing: [Known], _ hash: Int?
    ) throws(RecordError) -> Verdict {
        switch operation {
        case .create(let subscription):
            if let place { return .keep(existing[place].entry.subscription) }
            if existing.count >= limits.subscriptions {
                throw RecordError(
                    .limitExceeded, "more than \(limits.subscriptions) subscriptions in one database",
                    culprit: subscription.id, nextStep: "delete a subscription that is no longer needed"
                )
            }
            try checkElements(of: subscription, replacing: nil, among: existing)
            try checkUnique(subscription, among: existing, hash)
            return .add(subscription)
        case .update(let subscription):
            guard let place else { throw Self.missing(operation.id) }
            try checkElements(of: subscription, replacing: existing[place], among: existing)
            try checkUnique(subscription, among: existing, hash)
            return .replace(subscription)
        case .delete:
            if place == nil { throw Self.missing(operation.id) }
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
        var known = known.map(Known.init)
        return try operations.map { operation in
            let place = known.firstIndex { $0.entry.subscription.id == operation.id }
            let hash = Self.hash(of: operation)
            let verdict: Verdict
            do throws(RecordError) {
                verdict = try self.verdict(operation, at: place, among: known, hash)
            } catch {
                return .failure(operation.id, error)
            }
            switch verdict {
            case .keep(let subscription): return .subscription(subscription)
            case .add(let subscription):
                if let entry = try make(.add(subscription)) { known.append(Known(entry)) }
                return .subscription(subscription)
            case .replace(let subscription):
                guard let place else { throw Self.missing(operation.id) }
                var entry = known[place].entry
                entry.subscription = subscription
                known[place] = Known(entry)
                _ = try make(.replace(known[place].entry))
                return .subscription(subscription)
            case .remove:
                guard let place else { throw Self.missing(operation.id) }
                _ = try make(.remove(known.remove(at: place).entry))
                return .deleted(operation.id)
            }
        }
    }

    /// A hash of the record type, events, zone and set of conditions of a query subscription; nil for others.
    private static func hash(of subscription: Subscription) -> Int? {
        guard case .query(let terms) = subscription.kind else { return nil }
        var hasher = Hasher()
        hasher.combine(terms.query.recordType)
        hasher.combine(terms.firesOn)
        hasher.combine(terms.zone)
        hasher.combine(Set(terms.query.filters))
        return hasher.finalize()
    }

    private static func hash(of operation: SubscriptionOperation) -> Int? {
        switch operation {
        case .create(let subscription), .update(let subscription): hash(of: subscription)
        case .delete: nil
        }
    }

    /// Throws `limitExceeded` if the conditions of all subscriptions would have too many values together. A
    /// replacement with no more values than before is always allowed.
    private func checkElements(
        of subscription: Subscription, replacing old: Known?, among existing: [Known]
    ) throws(RecordError) {
        let (new, freed) = (Self.elements(of: subscription), old?.elements ?? 0)
        let total = existing.reduce(new - freed) { $0 + $1.elements }
        if new <= freed || total <= limits.subscriptionElements { return }
        throw RecordError(
            .limitExceeded,
            "the conditions of all subscriptions in one database have more than "
                + "\(limits.subscriptionElements) values together (subscriptionElements)",
            culprit: subscription.id,
            nextStep: "shorten the lists of its conditions, or delete a subscription that is no longer needed"
        )
    }

    /// The values in the conditions of a subscription: elements of lists and words of searches. A condition
    /// counts at least once.
    private static func elements(of subscription: Subscription) -> Int {
        guard case .query(let terms) = subscription.kind else { return 0 }
        return terms.query.filters.reduce(0) { sum, filter in
            if filter.comparator.isSearch, case .string(let text) = filter.value {
                return sum + max(1, searchTokens(text).count)
            }
            return sum + max(1, filter.value.elements.count)
        }
    }

    /// Throws if the person has another query subscription to the same changes: with the same record type,
    /// set of events, conditions and zone. Code and text are those that the real service answers with.
    private func checkUnique(
        _ subscription: Subscription, among existing: [Known], _ hash: Int?
    ) throws(RecordError) {
        guard case .query(let terms) = subscription.kind else { return }
        let twin = existing.lazy.filter { $0.hash == hash }.map(\.entry.subscription).first { other in
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
