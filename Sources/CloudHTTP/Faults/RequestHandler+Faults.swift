import CloudService
import Hummingbird
import Records
import RecordsWire

/// The error that makes the server close a connection without an answer, because of a fault.
package struct BrokenConnection: Error, Hashable, Sendable {}

extension RequestHandler {
    /// Answers a request with `answer`, unless a fault applies to it: a fault may delay the request, refuse
    /// it, or lose its answer. These faults apply only to calls of the web services, uploads and downloads;
    /// `PushHub` applies those of pushes.
    ///
    /// Throws `BrokenConnection` if a fault requires that no answer arrives.
    func answer(
        _ request: Request, _ context: ServerRequestContext, on route: Route, meeting faults: FaultInjector,
        _ answer: () async -> Response
    ) async throws(BrokenConnection) -> Response {
        guard !faults.isQuiet, let call = Self.faultCall(request, on: route) else { return await answer() }
        for fault in faults.faultsBefore(call) {
            if fault.kind == .networkFailureBefore { throw BrokenConnection() }
            do {
                if fault.kind == .slow { try await service.runtime.pause(fault.seconds) }
                if let error = fault.kind.error(afterSeconds: fault.seconds) { throw error }
            } catch {
                let uuid = service.runtime.randomUUID()
                let shown = await addingSignInURL(to: error, request)
                return failure(shown, uuid: uuid, addsDetails: request.wantsDetails, context.notes)
            }
        }
        let response = await FaultInjector.$call.withValue(call) { await answer() }
        if response.status.code < 400, faults.losesAnswer(to: call) { throw BrokenConnection() }
        return response
    }

    /// Describes a request so that faults can select it; nil for requests to which no fault applies.
    private static func faultCall(_ request: Request, on route: Route) -> FaultCall? {
        switch route {
        case .upload: return FaultCall(endpoint: FaultCall.upload)
        case .download: return FaultCall(endpoint: FaultCall.download)
        case .webService:
            guard let path = try? RequestPath(path: request.uri.path),
                (try? check(request.method, for: path.endpoint)) != nil
            else { return nil }
            let parameters = RequestParameters(query: request.uri.query ?? "")
            return FaultCall(endpoint: path.endpoint.rawValue, device: parameters.clientID)
        case .server, .console, .unknownOperatorCall, .unknown: return nil
        }
    }
}
