import RecordsWire
import Testing

/// A query subscription.
func subscription(
    _ id: String?, where filter: JSON? = nil, type: String = "Party",
    on events: [String] = ["create", "update"]
) -> JSON {
    var query: [String: JSON] = ["recordType": .string(type)]
    if let filter { query["filterBy"] = [filter] }
    var body: [String: JSON] = [
        "subscriptionType": "query", "query": .object(query), "firesOn": .array(events.map(JSON.string)),
    ]
    if let id { body["subscriptionID"] = .string(id) }
    return .object(body)
}

/// A subscription to a zone.
func zoneSubscription(_ id: String, _ zone: String) -> JSON {
    [
        "subscriptionID": .string(id), "subscriptionType": "zone",
        "zoneID": ["zoneName": .string(zone)],
    ]
}

/// A filter on a field.
func filter(_ field: String, _ comparator: String, _ value: JSON) -> JSON {
    ["fieldName": .string(field), "comparator": .string(comparator), "fieldValue": value]
}

extension ServerWorld {
    /// Creates subscriptions.
    @discardableResult
    func subscribe(
        _ database: String, _ subscriptions: [JSON], as person: Person, details: Bool = false
    ) async throws -> Reply {
        let operations = subscriptions.map { subscription -> JSON in
            ["operationType": "create", "subscription": subscription]
        }
        return try await call(
            "\(database)/subscriptions/modify", ["operations": .array(operations)], as: person,
            headers: details ? ["X-Cloudlet-Details": "1"] : [:])
    }

    /// Deletes subscriptions.
    func unsubscribe(_ database: String, _ ids: [String], as person: Person) async throws -> Reply {
        let operations = ids.map { id -> JSON in
            ["operationType": "delete", "subscription": ["subscriptionID": .string(id)]]
        }
        return try await call(
            "\(database)/subscriptions/modify", ["operations": .array(operations)], as: person)
    }
}
