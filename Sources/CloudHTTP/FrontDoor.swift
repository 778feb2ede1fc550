// Owns the first decision about a request: a call of the protocol, or something else.

package import Hummingbird

/// Answers calls of the protocol straight away, and hands everything else to the routes. Nearly all requests
/// are calls, and their paths have a reader of their own.
package struct FrontDoor: HTTPResponder {
    private let threshold: Threshold
    private let routes: any HTTPResponder<DoorContext>

    init(_ threshold: Threshold, routes: any HTTPResponder<DoorContext>) {
        self.threshold = threshold
        self.routes = routes
    }

    package func respond(to request: Request, context: DoorContext) async throws -> Response {
        guard Self.isCall(request) else { return try await routes.respond(to: request, context: context) }
        return try await threshold.handle(request, context: context) { request, context in
            try await threshold.door.answer(request, context)
        }
    }

    private static func isCall(_ request: Request) -> Bool {
        guard request.method == .post || request.method == .get, let path = request.head.path?.utf8 else {
            return false
        }
        return path.starts(with: "/database/".utf8)
            || (request.method == .post && path.starts(with: "/device/".utf8))
    }
}
