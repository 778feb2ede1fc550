@testable import TestKit

/// One operation of records/modify.
func operation(
    _ kind: String, _ name: String?, type: String? = nil, tag: String? = nil, _ fields: JSON = [:],
    _ more: [String: JSON] = [:]
) -> JSON {
    var record: [String: JSON] = ["fields": fields]
    if let name { record["recordName"] = .string(name) }
    if let type { record["recordType"] = .string(type) }
    if let tag { record["recordChangeTag"] = .string(tag) }
    return ["operationType": .string(kind), "record": .object(record.merging(more) { $1 })]
}

/// The creation of a record.
func create(_ name: String?, type: String = "Party", _ fields: JSON = [:]) -> JSON {
    operation("create", name, type: type, fields)
}

/// The deletion of a record regardless of its change tag.
func forceDelete(_ name: String) -> JSON {
    ["operationType": "forceDelete", "record": ["recordName": .string(name)]]
}

/// The body of records/modify.
func batch(_ operations: [JSON], zone: String? = nil, atomic: Bool? = nil) -> JSON {
    var body: [String: JSON] = ["operations": .array(operations)]
    if let zone { body["zoneID"] = ["zoneName": .string(zone)] }
    if let atomic { body["atomic"] = .bool(atomic) }
    return .object(body)
}

/// The body of records/lookup.
func names(_ names: String..., zone: String? = nil) -> JSON {
    lookupBody(names, zone)
}

private func lookupBody(_ names: [String], _ zone: String?) -> JSON {
    var body: [String: JSON] = ["records": .array(names.map { ["recordName": .string($0)] })]
    if let zone { body["zoneID"] = ["zoneName": .string(zone)] }
    return .object(body)
}

/// The body of zones/modify.
func zones(create created: [String] = [], delete deleted: [String] = []) -> JSON {
    func list(_ kind: String, _ names: [String]) -> [JSON] {
        names.map { ["operationType": .string(kind), "zone": ["zoneID": ["zoneName": .string($0)]]] }
    }
    return ["operations": .array(list("create", created) + list("delete", deleted))]
}

func text(_ text: String) -> JSON { ["value": .string(text), "type": "STRING"] }
func number(_ number: Int64) -> JSON { ["value": .integer(number), "type": "INT64"] }
func link(_ name: String, _ action: String = "NONE") -> JSON {
    ["value": ["recordName": .string(name), "action": .string(action)], "type": "REFERENCE"]
}

extension ServerWorld {
    /// Calls records/modify.
    @discardableResult
    func modify(
        _ database: String, _ operations: [JSON], zone: String? = nil, atomic: Bool? = nil,
        as person: Person? = nil
    ) async throws -> Reply {
        try await call(
            "\(database)/records/modify", batch(operations, zone: zone, atomic: atomic), as: person)
    }

    /// Calls records/lookup.
    func lookup(
        _ database: String, _ names: String..., zone: String? = nil, as person: Person? = nil
    ) async throws -> Reply {
        try await call("\(database)/records/lookup", lookupBody(names, zone), as: person)
    }
}
