/// What a person wants to be told of, in one database.
package struct Subscription: Hashable, Sendable {
    /// Chosen by the client; one for each person and database.
    package var id: String
    package var kind: Kind
    /// How it is told; nil: silently.
    package var info: NotificationInfo?

    package init(id: String, kind: Kind, info: NotificationInfo? = nil) {
        self.id = id
        self.kind = kind
        self.info = info
    }

    /// What makes it fire.
    package enum Kind: Hashable, Sendable {
        /// A record that matches is created, changed or deleted.
        case query(QueryTerms)
        /// Anything in a zone changes; with a type, any record of it.
        case zone(ZoneID, recordType: String? = nil)
        /// Anything in any custom zone changes; with a type, any record of it.
        case database(recordType: String? = nil)
    }

    /// A change to one record.
    package enum Event: UInt8, Hashable, Sendable, CaseIterable {
        case create = 1
        case update = 2
        case delete = 3
    }

    /// What a subscription of the first kind asks.
    package struct QueryTerms: Hashable, Sendable {
        package var query: Query
        package var firesOn: Set<Event>
        /// Whether it ends with its first push.
        package var firesOnce: Bool
        /// The only zone that is looked at; nil: all.
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
    /// Adds it; one of the same ID stays as it is.
    case create(Subscription)
    /// Replaces the one of the same ID.
    case update(Subscription)
    case delete(String)

    package var id: String {
        switch self {
        case .create(let subscription), .update(let subscription): subscription.id
        case .delete(let id): id
        }
    }
}

/// What became of one subscription that was asked for or changed.
package enum SubscriptionResult: Hashable, Sendable {
    case subscription(Subscription)
    case deleted(String)
    case failure(String, RecordError)
}
