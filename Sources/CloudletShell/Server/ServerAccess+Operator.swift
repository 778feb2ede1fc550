import Cloudlet
import CommandShell
import Foundation

/// What such a call says; each takes some of it.
struct OperatorBody: Encodable {
    var name: String?
    var type: String?
    var field: String?
    var permission: String?
    var role: String?
    var person: String?
    var remove: Bool?
}

/// What such a call answers; each gives some of it.
struct OperatorReply: Decodable {
    struct Difference: Decodable {
        let text: String
    }

    struct Container: Decodable {
        let name: String
    }

    struct Person: Decodable {
        let name: String
        let givenName: String?
        let familyName: String?
    }

    let people: [Person]?
    let differences: [Difference]?
    let containers: [Container]?
    let warnings: [String]?
    let changed: Bool?
}

/// What a rule says to somebody.
struct RuleReply: Decodable {
    let allowed: Bool
    let permission: String
    let recordType: String
    let recordName: String?
    let granted: [String]
    let held: [String]
    let explanation: String
}

extension ServerAccess {
    private struct Question: Encodable {
        let container: String
        let environment: String
        let permission: String
        let recordType: String?
        let recordName: String?
    }

    private struct Refusal: Decodable {
        struct Details: Decodable {
            let nextStep: String?
        }

        let serverErrorCode: String
        let reason: String
        let cloudlet: Details?
    }

    /// How a shell gets the key of a server elsewhere.
    static let wayToKey = "CLOUDLET_OPERATOR_KEY_FILE=FILE, with the operator.key of its data folder"

    /// Makes one of the operator's calls; the parts of its path are encoded.
    func operate(
        _ method: CloudRequest.Method, _ parts: String..., body: OperatorBody = OperatorBody()
    ) async throws -> OperatorReply {
        try await call(method, parts, body)
    }

    func call<Reply: Decodable>(
        _ method: CloudRequest.Method, _ parts: [String], _ body: OperatorBody
    ) async throws -> Reply {
        guard let operatorKey else {
            if let keyObjection {
                throw Complaint(
                    code: "plainHTTP", message: "\(keyObjection.place): \(keyObjection.reason)",
                    remedy: keyObjection.nextStep)
            }
            throw Complaint(
                code: "notEmbedded", message: "a server elsewhere is looked after by whoever has its key",
                remedy: Self.wayToKey
            )
        }
        let path = parts.map(Self.escaped).joined(separator: "/")
        return try await send(
            method, "/operator/1/" + path, ["Authorization": "Bearer \(operatorKey)"], body)
    }

    /// What somebody's private data takes up, and may.
    struct PrivateRoom: Decodable {
        let privateBytes: Int
        let privateBytesLimit: Int?
    }

    /// The room that a person's private data takes up; without the operator's key, the person's token asks.
    func privateRoom(
        of person: String, in container: String, token: String?
    ) async throws -> PrivateRoom {
        if operatorKey != nil { return try await call(.get, ["people", person], OperatorBody()) }
        let target = "/dev/storage?container=\(Self.escaped(container))"
        return try await send(
            .get, target + (token.map { "&ckWebAuthToken=" + Self.escaped($0) } ?? ""), [:], OperatorBody())
    }

    /// Which rule of the public database allows or refuses something to whoever has the token.
    func rule(
        _ permission: String, type: String?, record: String?, in place: CloudSession.Place, token: String?
    ) async throws -> RuleReply {
        let target = token.map { "/dev/access?ckWebAuthToken=" + Self.escaped($0) } ?? "/dev/access"
        let question = Question(
            container: place.container, environment: place.environment.rawValue, permission: permission,
            recordType: type, recordName: record
        )
        return try await send(.post, target, [:], question)
    }

    func send<Body: Encodable, Reply: Decodable>(
        _ method: CloudRequest.Method, _ target: String, _ headers: CloudHeaders, _ body: Body
    ) async throws -> Reply {
        var headers = headers
        headers.add("Content-Type", "application/json")
        let sent = method == .get ? CloudRequest.Body.none : .bytes(Array(try JSONEncoder().encode(body)))
        let response = try await transport.send(
            CloudRequest(method, target, headers: headers, body: sent))
        let data = Data(response.bytes)
        if response.status == 200 { return try JSONDecoder().decode(Reply.self, from: data) }
        guard let refusal = try? JSONDecoder().decode(Refusal.self, from: data) else {
            throw Complaint(code: "failed", message: "the server answered with status \(response.status)")
        }
        throw Complaint(
            code: Self.word(refusal.serverErrorCode), message: refusal.reason,
            remedy: refusal.cloudlet?.nextStep)
    }

    /// `badRequest` for `BAD_REQUEST`.
    private static func word(_ code: String) -> String {
        let words = code.lowercased().split(separator: "_").map(String.init)
        return words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined()
    }
}
