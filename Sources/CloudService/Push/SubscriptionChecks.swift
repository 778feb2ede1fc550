import RecordStore
import Records

/// Checks a subscription before it is stored, and normalizes it.
struct SubscriptionChecks {
    var scope: DatabaseKind
    var limits: Limits
    var access: AccessRules
    var indexCommand: QueryRules.IndexCommand
    /// The stored name of a zone. Throws if the database has no such zone.
    var zoneName: (ZoneID) throws -> String

    func checked(_ subscription: Subscription) throws -> Subscription {
        var subscription = subscription
        let id = subscription.id
        if id.utf8.count > limits.nameCharacters || !NameRules.isPrintableASCII(id) {
            throw RecordError(
                .badRequest,
                "subscriptionID must be at most \(limits.nameCharacters) printable ASCII characters",
                culprit: subscription.id,
                nextStep: "choose a shorter one, or leave it out: the server then creates one"
            )
        }
        try subscription.checkSize(limits)
        switch subscription.kind {
        case .query(let terms):
            if scope == .shared { throw refusal(of: subscription) }
            subscription.kind = .query(try checked(terms, of: subscription))
        case .zone(let zone, let type):
            if scope != .private { throw refusal(of: subscription) }
            if zone.isDefault {
                throw RecordError(
                    .badRequest, "the default zone has no feed of changes to subscribe to",
                    culprit: subscription.id, nextStep: "subscribe to a query, or use a zone of your own"
                )
            }
            subscription.kind = .zone(ZoneID(name: try zoneName(zone)), recordType: type)
        case .database: if scope == .public { throw refusal(of: subscription) }
        }
        if let info = subscription.info { try check(info, of: subscription) }
        return subscription
    }

    /// The error for a kind of subscription that the database does not have.
    private func refusal(of subscription: Subscription) -> RecordError {
        if scope == .shared {
            return RecordError(
                .badDatabase, "the shared database has database subscriptions only",
                culprit: subscription.id,
                nextStep: "subscribe to the whole database, and fetch its changes when a push arrives"
            )
        }
        return RecordError(
            .badDatabase, "the \(scope.rawValue) database has query subscriptions only",
            culprit: subscription.id,
            nextStep: "subscribe to a query here, or to zones of the private database"
        )
    }

    private func checked(
        _ terms: Subscription.QueryTerms, of subscription: Subscription
    ) throws -> Subscription.QueryTerms {
        var terms = terms
        if terms.firesOn.isEmpty {
            throw RecordError(
                .badRequest, "a query subscription needs at least one event to fire on",
                culprit: subscription.id,
                nextStep: "name create, update or delete in firesOn"
            )
        }
        if scope == .public { _ = try access.reach(of: terms.query.recordType) }
        if let zone = terms.zone { terms.zone = ZoneID(name: try zoneName(zone)) }
        terms.query.filters = try QueryRules(limits: limits, indexCommand: indexCommand)
            .conditions(of: terms.query, zone: terms.zone?.name, in: access.schema)
        // The order of the query's results does not matter for a push.
        terms.query.sorts = []
        return terms
    }

    private func check(_ info: NotificationInfo, of subscription: Subscription) throws(RecordError) {
        if info.shouldSendContentAvailable, info.isVisible {
            throw RecordError(
                .badRequest,
                "shouldSendContentAvailable together with an alert, a sound or a badge is not a supported "
                    + "configuration",
                culprit: subscription.id,
                nextStep: "make the push silent, or visible, or have two subscriptions of different events"
            )
        }
        if info.additionalFields.count > limits.pushFields {
            throw RecordError(
                .limitExceeded, "more than \(limits.pushFields) additional fields", culprit: subscription.id,
                nextStep: "fetch the record for the others when the push arrives"
            )
        }
    }
}
