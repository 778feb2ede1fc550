// Owns the operator's door: who may enter, and how a call is answered there.

import CloudService
import HTTPTypes
import Hummingbird
import NIOCore
import Records
import RecordsWire

/// Answers whoever shows the operator's key in `Authorization: Bearer …`.
///
/// Paths begin with `/operator/1/`; calls that read are GET, calls that change are POST with a body of JSON.
/// Answers are JSON objects, which the command line prints as they are with `--json`; errors have the
/// protocol's form, with details. Without the key nothing is told, not even which paths there are.
struct OperatorDoor: Sendable {
    let door: Door
    /// nil where the server has no operator.
    let key: OperatorKey?

    /// The answer to a request for a call.
    func answer(_ request: Request, _ context: DoorContext, _ call: OperatorCall) async -> Response {
        await guarded(request) {
            let visit = OperatorVisit(
                service: door.service, parameters: context.parameters, query: request.uri.queryParameters,
                body: try await body(of: request)
            )
            return try await call.work(visit)
        }
    }

    /// The answer to a request for no call.
    func unknown(_ request: Request) async -> Response {
        await guarded(request) {
            throw RecordError(
                .notFound, "unknown call", culprit: "\(request.method.rawValue) \(request.uri.path)",
                nextStep: "use a command line of the server's own version"
            )
        }
    }

    private func guarded(_ request: Request, _ work: () async throws -> [UInt8]) async -> Response {
        let uuid = door.service.seams.randomUUID()
        do {
            try checkKey(request.headers[.authorization])
            var response = Door.response(.ok, try await work(), uuid: uuid)
            response.headers[.cacheControl] = "no-store"
            return response
        } catch {
            return door.failure(error, uuid: uuid, addsDetails: true)
        }
    }

    private func checkKey(_ authorization: String?) throws(RecordError) {
        let scheme = "Bearer "
        if let key, let authorization, authorization.hasPrefix(scheme),
            key.admits(String(authorization.dropFirst(scheme.count)))
        {
            return
        }
        throw RecordError(
            .authenticationFailed, "the operator's key is missing or wrong", culprit: "Authorization",
            nextStep: "send the content of operator.key in the server's data folder as a bearer token"
        )
    }

    private func body(of request: Request) async throws -> JSONNode {
        if request.method != .post { return try JSONDocument(Array("{}".utf8)).root }
        let bytes = try await door.collected(request, upTo: door.service.limits.requestBytes)
        return try Door.object(bytes.isEmpty ? Array("{}".utf8) : bytes)
    }
}
