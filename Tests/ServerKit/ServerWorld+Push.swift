import CloudService
import CloudletServer
import Foundation
import Records
import RecordsWire
import Testing

@testable import TestKit

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

    // MARK: Devices

    /// Calls an endpoint that concerns a device.
    func device(
        _ endpoint: String, _ body: JSON = [:], as person: Person? = nil, container: String = "iCloud.test",
        parameters: String = ""
    ) async throws -> Reply {
        let target = Self.target(endpoint, as: person, container: container, parameters: parameters)
        return try await send(
            "POST", target.replacing("/database/", with: "/device/"),
            headers: parameters.isEmpty ? [:] : ["X-Cloudlet-Details": "1"], body: try body.encoded())
    }

    /// The address of the courier for a device.
    func courier(of person: Person, on device: String) async throws -> String {
        let reply = try await self.device(
            "tokens/create", ["apnsEnvironment": "development", "clientId": .string(device)], as: person)
        return try #require(reply.json["webcourierURL"].text)
    }

    /// The name of the record in the next push.
    func polled(_ courier: String) async throws -> String? {
        try await send("GET", courier).json["ck"]["qry"]["rid"].text
    }

    /// The trace of pushes, a line for each entry: subscription, device, outcome, reason.
    func trace() async throws -> [String] {
        let reply = try await send("GET", "/dev/push-trace")
        return reply.json["trace"].elements.map { entry in
            let words = [entry["subscription"].text, entry["device"].text, entry["outcome"].text]
            let reason = entry["reason"].text.map { ": \($0)" } ?? ""
            return words.compactMap { $0 }.joined(separator: " ") + reason
        }
    }

    /// The registration of the device for which a courier's URL was created.
    func registered(_ courier: String) async throws -> PushToken {
        let token = try #require(courier.split(separator: "tok=").last)
        return try await service.devices.device(
            withToken: try #require(String(token).removingPercentEncoding))
    }
}
