/// A request for pushes about changes in one database.
package struct Subscription: Hashable, Sendable {
    /// Chosen by the client, unique for each person and database.
    package var id: String
    package var kind: Kind
    /// The presentation of the pushes; nil: silent pushes.
    package var info: NotificationInfo?

    package init(id: String, kind: Kind, info: NotificationInfo? = nil) {
        self.id = id
        self.kind = kind
        self.info = info
    }

    /// The changes that fire the subscription.
    package enum Kind: Hashable, Sendable {
        /// A matching record is created, updated or deleted.
        case query(QueryTerms)
        /// A record in the zone changes; with a record type, only records of that type.
        case zone(ZoneID, recordType: String? = nil)
        /// A record in any custom zone changes; with a record type, only records of that type.
        case database(recordType: String? = nil)
    }

    /// A change to one record.
    package enum Event: UInt8, Hashable, Sendable, CaseIterable {
        case create = 1
        case update = 2
        case delete = 3
    }

    /// The terms of a query subscription.
    package struct QueryTerms: Hashable, Sendable {
        package var query: Query
        package var firesOn: Set<Event>
        /// Whether the subscription ends with its first push.
        package var firesOnce: Bool
        /// The only zone that is matched; nil: all zones.
        package var zone: ZoneID?

        package init(
            _ query: Query, firesOn: Set<Event>, firesOnce: Bool = false, zone: ZoneID? = nil
        ) {
            self.query = query
            self.firesOn = firesOn
            self.firesOnce = firesOnce
            self.zone = zone
        }
    }
}

/// A change to the subscriptions of a person.
package enum SubscriptionOperation: Hashable, Sendable {
    /// Adds a subscription. An existing one with the same ID stays unchanged.
    case create(Subscription)
    /// Replaces the subscription with the same ID.
    case update(Subscription)
    case delete(String)

    package var id: String {
        switch self {
        case .create(let subscription), .update(let subscription): subscription.id
        case .delete(let id): id
        }
    }
}

/// The outcome of fetching or changing one subscription.
package enum SubscriptionResult: Hashable, Sendable {
    case subscription(Subscription)
    case deleted(String)
    case failure(String, RecordError)

    /// The error, if the operation failed.
    package var error: RecordError? {
        if case .failure(_, let error) = self { error } else { nil }
    }
}
