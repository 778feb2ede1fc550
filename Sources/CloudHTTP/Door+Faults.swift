// Owns the dials of a development server: what goes wrong on purpose, set from outside.

import CloudService
import Hummingbird
import NIOCore
import Records
import RecordsWire

extension Door {
    /// `GET /dev/faults`: the catalogue, and the faults in force.
    func listFaults() -> Response {
        let uuid = service.seams.randomUUID()
        do {
            try service.checkTakesFaults()
            return Self.response(.ok, faultsInForce(withCatalogue: true), uuid: uuid)
        } catch {
            return failure(error, uuid: uuid, addsDetails: true)
        }
    }

    /// `POST /dev/faults`: `{"add":{"name":…, "endpoint"?, "device"?, "first"?, "count"?, "seconds"?}}`,
    /// `{"remove":id}` or `{"clear":true}`; answers the faults in force.
    func changeFaults(_ request: Request) async -> Response {
        let uuid = service.seams.randomUUID()
        do {
            try service.checkTakesFaults()
            let body = try await smallBody(of: request)
            if let clear = body["clear"], try clear.bool() { service.faults.clear() }
            if let id = try body["remove"]?.int(), !service.faults.remove(id) {
                throw RecordError(
                    .notFound, "there is no such fault", culprit: "\(id)",
                    nextStep: "look at the faults in force with GET /dev/faults"
                )
            }
            if let fault = body["add"] { _ = service.faults.add(try Fault(fault.object())) }
            return Self.response(.ok, faultsInForce(withCatalogue: false), uuid: uuid)
        } catch {
            return failure(error, uuid: uuid, addsDetails: true)
        }
    }

    /// The body of a request to a development server.
    func smallBody(of request: Request) async throws -> JSONNode {
        try Self.object(try await collected(request, upTo: 65_536))
    }

    /// The JSON object of a body that holds names and no values of records.
    ///
    /// Throws `badRequest` for a body with a NUL in a text: SQLite would end the text there, and take it for
    /// another. In JSON, a NUL is only ever written as an escape.
    static func object(_ body: [UInt8]) throws(RecordError) -> JSONNode {
        guard body.firstRange(of: Array("\\u0000".utf8)) == nil else {
            throw RecordError(
                .badRequest, "a text of the request holds the character NUL", culprit: "body",
                nextStep: "send the text without it"
            )
        }
        return try JSONDocument(body).root.object()
    }

    private func faultsInForce(withCatalogue: Bool) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        if withCatalogue {
            json.key("catalogue")
            json.beginArray()
            for kind in FaultKind.allCases {
                json.beginObject()
                json.member("name", kind.rawValue)
                json.member("summary", kind.summary)
                json.member("endpoints", kind.endpoints?.sorted())
                json.member("seconds", Int64(kind.usualSeconds))
                json.endObject()
            }
            json.endArray()
        }
        json.key("faults")
        json.beginArray()
        for entry in service.faults.entries { entry.write(to: &json) }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}

extension FaultInForce {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", Int64(id))
        json.member("name", fault.kind.rawValue)
        json.member("endpoint", fault.endpoint)
        json.member("device", fault.device)
        json.member("first", Int64(fault.first))
        json.member("count", fault.count.map(Int64.init))
        json.member("seconds", Int64(fault.seconds))
        json.member("met", Int64(met))
        json.member("struck", Int64(struck))
        json.endObject()
    }
}

extension Fault {
    /// Reads a fault. Throws `badRequest` for a name that is not in the catalogue.
    fileprivate init(_ node: JSONNode) throws(RecordError) {
        let name = try node.required("name").string()
        guard let kind = FaultKind(rawValue: name) else {
            throw RecordError(
                .badRequest, "there is no fault of this name", culprit: name,
                nextStep: "use \(FaultKind.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        let endpoint = try node["endpoint"]?.string()
        if let endpoint, !Self.endpoints.contains(endpoint) {
            throw RecordError(
                .badRequest, "there is no such endpoint", culprit: endpoint,
                nextStep: "use one such as records/modify, upload or download"
            )
        }
        self.init(
            kind, endpoint: endpoint, device: try node["device"]?.string(),
            first: try Self.number("first", in: node, 1...1_000_000) ?? 1,
            count: try Self.number("count", in: node, 1...1_000_000),
            seconds: try Self.number("seconds", in: node, 0...86_400)
        )
    }

    private static let endpoints = Set(Endpoint.allCases.map(\.rawValue))
        .union([FaultCall.upload, FaultCall.download, FaultCall.push])

    private static func number(
        _ key: StaticString, in node: JSONNode, _ range: ClosedRange<Int>
    ) throws(RecordError) -> Int? {
        guard let number = try node[key]?.int() else { return nil }
        if range.contains(number) { return number }
        throw RecordError(
            .badRequest, "\(key) must be \(range.lowerBound) to \(range.upperBound)", culprit: "\(number)",
            nextStep: "choose another number, or leave it out"
        )
    }
}
