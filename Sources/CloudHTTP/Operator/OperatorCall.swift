// Owns the table of the operator's calls.

import CloudService
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Records
import RecordsWire

/// One call: where it is found, and what it does.
struct OperatorCall: Sendable {
    let method: HTTPRequest.Method
    /// Below `/operator/1/`; names behind colons are parameters.
    let path: String
    /// One call of the service, its result in JSON.
    let work: @Sendable (OperatorVisit) async throws -> [UInt8]

    static func get(
        _ path: String, _ work: @escaping @Sendable (OperatorVisit) async throws -> [UInt8]
    ) -> OperatorCall {
        OperatorCall(method: .get, path: path, work: work)
    }

    static func post(
        _ path: String, _ work: @escaping @Sendable (OperatorVisit) async throws -> [UInt8]
    ) -> OperatorCall {
        OperatorCall(method: .post, path: path, work: work)
    }

    /// Every call there is; each subject has a file of its own.
    static let all =
        containerCalls + credentialCalls + peopleCalls + schemaCalls + schemaPartCalls
        + schemaUsageCalls + roleCalls
}

/// One request of the operator, past the door.
struct OperatorVisit: Sendable {
    let service: CloudService
    let parameters: Parameters
    let query: FlatDictionary<Substring, Substring>
    let body: JSONNode

    /// A parameter of the path, such as `container`.
    func name(_ parameter: String) throws(RecordError) -> String {
        guard let text = parameters.get(parameter), let name = PercentEncoding.decode(text) else {
            throw RecordError(.badRequest, "the path names no \(parameter)", culprit: parameter)
        }
        return name
    }

    /// The parameter `container` of the path. Throws `badContainer` when there is none of that name: the
    /// operator's calls never make one by the way.
    func container() async throws -> String {
        try await service.container(try name("container")).name
    }

    /// The parameter `environment` of the path.
    func environment() throws(RecordError) -> CloudEnvironment {
        let name = try name("environment")
        if let environment = CloudEnvironment(rawValue: name) { return environment }
        throw RecordError(
            .badRequest, "there is no environment of that name", culprit: name,
            nextStep: "name development or production"
        )
    }
}

extension OperatorDoor {
    /// Puts every call on the router.
    func open(_ router: Router<DoorContext>) {
        for call in OperatorCall.all {
            router.on(RouterPath("operator/1/" + call.path), method: call.method) { request, context in
                await answer(request, context, call)
            }
        }
        for method in [HTTPRequest.Method.get, .post] {
            router.on("operator/**", method: method) { request, _ in await unknown(request) }
        }
    }
}

extension JSONWriter {
    /// An object with the members that are written.
    static func object(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        members(&json)
        json.endObject()
        return json.bytes
    }

    /// An object with one member, a list.
    static func list<Element>(
        _ name: StaticString, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
    ) -> [UInt8] {
        object { json in
            json.key(name)
            json.beginArray()
            for element in elements { write(&json, element) }
            json.endArray()
        }
    }
}
