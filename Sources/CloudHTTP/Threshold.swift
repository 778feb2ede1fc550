// Owns what happens to every request before and after its route, and to those that have none.

import CloudService
import HTTPTypes
import Hummingbird

/// Answers the preflights of browsers, and puts what the router refuses into the protocol's form: clients
/// want JSON with every status (web services sheet 1.3). Every answer says how long it took the server.
struct Threshold: RouterMiddleware {
    let door: Door
    let rules: EntryRules

    func handle(
        _ request: Request, context: DoorContext, next: (Request, DoorContext) async throws -> Response
    ) async throws -> Response {
        if context.isFromNetwork, let refusal = rules.refusal(of: request.head) {
            return door.turnedAway(refusal)
        }
        if request.method == .options { return Door.preflight() }
        let start = door.service.seams.uptime()
        var response = try await answer(to: request, context: context, next: next)
        response.headers[.serverTiming] = Self.timing(door.service.seams.uptime() - start)
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// The value of `Server-Timing`, in milliseconds as W3C's draft has it.
    private static func timing(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let microseconds = max(0, seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
        let fraction = String(microseconds % 1000)
        let zeros = String(repeating: "0", count: 3 - fraction.utf8.count)
        return "total;dur=\(microseconds / 1000).\(zeros)\(fraction)"
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
