// Owns what happens to every request before and after its route, and to those that have none.

import CloudService
import HTTPTypes
import Hummingbird

/// Answers the preflights of browsers, and puts what the router refuses into the protocol's form: clients
/// want JSON with every status (web services sheet 1.3).
struct Threshold: RouterMiddleware {
    let door: Door

    func handle(
        _ request: Request, context: DoorContext, next: (Request, DoorContext) async throws -> Response
    ) async throws -> Response {
        if request.method == .options { return Door.preflight() }
        let response = try await answer(to: request, context: context, next: next)
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func answer(
        to request: Request, context: DoorContext,
        next: (Request, DoorContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            return door.unknown(request)
        } catch let broken as BrokenConnection {
            await context.breakConnection()
            throw broken
        }
    }
}
