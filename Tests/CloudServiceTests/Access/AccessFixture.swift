import CloudletServer
import Crypto
import Foundation
import Records
import RecordsWire
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

/// The kinds of callers of a server, with their credentials.
struct AccessFixture: Sendable {
    enum Role: CaseIterable {
        case nothing, token, person, creator, member, key
    }

    let world: ServerWorld
    /// The API token of the app.
    let token: String
    /// The ID of the server key.
    let key: String
    private let pair = P256.Signing.PrivateKey()
    private var sessions: [Role: String] = [:]

    /// Makes container, schema, people and credentials on a closed server. The creator has a record `mine` in
    /// the public database and in the private one.
    init(_ world: ServerWorld, schema items: [String]) async throws {
        self.world = world
        token = try await world.app()
        key = try await world.register(pair.publicKey.pemRepresentation)
        let text = "DEFINE SCHEMA CREATE ROLE Staff; RECORD TYPE Plan (\(items.joined(separator: ", ")));"
        let users = " RECORD TYPE Users (roles LIST<INT64>);"
        #expect(try await world.importSchema(text + users).status == 200)
        for role in [Role.person, .creator, .member] {
            _ = try await world.service.people.add(Account(id: "", name: "\(role)"))
            let account = try await world.service.people.person(named: "\(role)")
            sessions[role] = try await world.service.sessions.newSession(
                of: account, place: nil, lifetime: nil)
        }
        _ = try await world.role("grant", "Staff", "member")
        for database in ["public", "private"] { try await save("mine", in: database) }
    }

    func session(_ role: Role) -> String { PercentEncoding.encode(sessions[role] ?? "") }

    /// A new record of the creator.
    func freshRecord(in database: String) async throws -> String {
        let name = world.service.runtime.randomHex(bytes: 8)
        try await save(name, in: database)
        return name
    }

    /// Saves a record as the creator regardless of the present grants.
    private func save(_ name: String, in database: String) async throws {
        let grants = try await world.exported()
        let open = grants.replacingOccurrences(
            of: "GRANT READ, CREATE TO Staff",
            with: "GRANT READ, CREATE TO Staff, GRANT CREATE TO \"_icloud\"")
        if open != grants { _ = try await world.importSchema(open) }
        let body = batch([create(name, type: "Plan", ["x": number(1)])])
        let reply = try await call("\(database)/records/modify", body, by: .creator)
        #expect(reply.records == ["ok"])
        if open != grants { _ = try await world.importSchema(grants) }
    }

    // MARK: Calls

    /// Returns `ok` or the number of records found; `no` if access is refused; otherwise the HTTP status.
    func outcome(of operation: String, in database: String, by caller: Role) async throws -> String {
        switch operation {
        case "lookup":
            return Self.word(for: try await call("\(database)/records/lookup", names("mine"), by: caller))
        case "query":
            let filter: JSON = [
                "systemFieldName": "recordName", "comparator": "EQUALS",
                "fieldValue": ["value": ["recordName": "mine"], "type": "REFERENCE"],
            ]
            let query: JSON = ["query": ["recordType": "Plan", "filterBy": [filter]]]
            let reply = try await call("\(database)/records/query", query, by: caller)
            return reply.status == 200 ? "\(reply.json["records"].elements.count)" : Self.word(for: reply)
        case "upload":
            let wish: JSON = ["tokens": [["recordType": "Plan", "fieldName": "f"]]]
            return Self.word(for: try await call("\(database)/assets/upload", wish, by: caller))
        default: return try await change(operation, in: database, by: caller)
        }
    }

    private func change(_ kind: String, in database: String, by caller: Role) async throws -> String {
        let name =
            kind == "create" || (database == "private" && caller != .creator)
            ? world.service.runtime.randomHex(bytes: 8) : try await freshRecord(in: database)
        let change =
            switch kind {
            case "create": create(name, type: "Plan", ["x": number(2)])
            case "update": operation("forceUpdate", name, type: "Plan", ["x": number(2)])
            case "replace": operation("forceReplace", name, type: "Plan", ["x": number(2)])
            default: forceDelete(name)
            }
        return Self.word(for: try await call("\(database)/records/modify", batch([change]), by: caller))
    }

    /// The public record with this name after this caller has changed it.
    func changed(by caller: Role, _ name: String, _ kind: String, _ x: Int64) async throws -> JSON {
        let change = operation(kind, name, type: "Plan", ["x": number(x)])
        return try await call("public/records/modify", batch([change]), by: caller).json["records"][0]
    }

    /// The outcome of a request with one item, in one word.
    static func word(for reply: Reply) -> String {
        if reply.status != 200 {
            return reply.json["serverErrorCode"] == "ACCESS_DENIED" ? "no" : "\(reply.status)"
        }
        let item = reply.records.first ?? "ok"
        if item == "ok" { return item }
        if item.hasPrefix("ACCESS_DENIED") { return "no" }
        return item.hasPrefix("NOT_FOUND") ? "404" : item
    }

    /// Calls an endpoint as one of the callers.
    private func call(_ endpoint: String, _ body: JSON, by caller: Role) async throws -> Reply {
        switch caller {
        case .nothing: return try await world.call(endpoint, body)
        case .token: return try await world.call(endpoint, body, parameters: "ckAPIToken=\(token)")
        case .key:
            let bytes = try body.encoded()
            return try await world.send(
                "POST", ServerWorld.target(endpoint), headers: try signed(endpoint, bytes), body: bytes)
        case .person, .creator, .member:
            let parameters = "ckAPIToken=\(token)&ckWebAuthToken=\(session(caller))"
            return try await world.call(endpoint, body, parameters: parameters)
        }
    }

    /// The headers of a request of the app's server.
    func signed(_ endpoint: String, _ body: [UInt8]) throws -> CloudHeaders {
        let date = "2014-06-02T12:00:00Z"
        let text = "\(date):\(SignedRequest.hash(body)):\(ServerWorld.target(endpoint))"
        return SignedRequest.headers(key, date, try pair.sign(text))
    }
}
