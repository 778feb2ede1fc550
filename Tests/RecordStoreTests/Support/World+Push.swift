import RecordStore
import Records
import RecordsWire

/// A query subscription.
func query(
    _ id: String, _ filters: Filter..., type: String = "Party",
    on events: Set<Subscription.Event> = Set(Subscription.Event.allCases), once: Bool = false,
    zone: String? = nil, info: NotificationInfo? = nil
) -> Subscription {
    let terms = Subscription.QueryTerms(
        Query(recordType: type, filters: filters), firesOn: events, firesOnce: once,
        zone: zone.map { ZoneID(name: $0) }
    )
    return Subscription(id: id, kind: .query(terms), info: info)
}

/// A subscription to a zone.
func zone(_ id: String, _ name: String, type: String? = nil) -> Subscription {
    Subscription(id: id, kind: .zone(ZoneID(name: name), recordType: type))
}

/// A subscription to a database.
func database(_ id: String, type: String? = nil) -> Subscription {
    Subscription(id: id, kind: .database(recordType: type))
}

extension World {
    /// Creates subscriptions that must be accepted.
    func subscribe(_ subscriptions: Subscription..., as owner: String = "_bob") async throws {
        let results = try await store.modifySubscriptions(
            subscriptions.map { .create($0) }, of: owner, limits: Limits())
        for case .failure(let id, let error) in results { throw Unexpected(text: "\(id): \(error)") }
    }

    /// The result of each operation on subscriptions, in one word.
    func subscribing(
        _ operations: SubscriptionOperation..., as owner: String = "_bob", limits: Limits = Limits()
    ) async throws -> [String] {
        try await store.modifySubscriptions(operations, of: owner, limits: limits).map { result in
            switch result {
            case .subscription(let subscription): subscription.id
            case .deleted(let id): "-\(id)"
            case .failure(let id, let error): "\(id): \(error.code.rawValue)"
            }
        }
    }

    /// All notifications after a number, one per line: owner, subscription and cause.
    func told(after number: Int64 = 0) async throws -> [String] {
        try await store.notifications(after: number, limit: 10_000).map {
            "\($0.owner) \($0.notification.brief)"
        }
    }

    /// The notifications that `body` causes.
    func told(of body: () async throws -> Void) async throws -> [String] {
        let last = store.lastNotification
        try await body()
        return try await told(after: last)
    }
}

extension PushNotification {
    /// The subscription and the cause of the notification.
    var brief: String {
        switch cause {
        case .query(let record, let event, _): "\(subscriptionID) \(event.name) \(record.name)"
        case .zone(let id): "\(subscriptionID) zone \(id.name)"
        case .database: "\(subscriptionID) database"
        case .read: "read"
        }
    }
}
