// Owns the map of the door: which paths lead where.

package import CloudService
import HTTPTypes
package import Hummingbird
import Records
import RecordsWire

/// The routes of the protocol, the same for sockets and for callers in this process.
package enum CloudRouter {
    /// - Parameter publicURL: the address under which clients reach this server, if it is not the one they name in
    ///   their requests (behind a proxy, say); without a slash at its end.
    package static func make(_ service: CloudService, publicURL: String? = nil) -> Router<DoorContext> {
        let door = Door(service: service, publicURL: publicURL)
        let router = Router(context: DoorContext.self)
        router.on("**", method: .options) { _, _ in Door.preflight() }
        router.on("database/**", method: .post) { request, _ in await door.answer(request) }
        router.on("database/**", method: .get) { request, _ in await door.answer(request) }
        router.on("device/**", method: .post) { request, _ in await door.answer(request) }
        router.on("assets/:ticket", method: .post) { request, context in
            await door.upload(request, ticket: context.parameters.get("ticket") ?? "")
        }
        router.on("assets/:ticket", method: .get) { request, context in
            await door.download(request, ticket: context.parameters.get("ticket") ?? "")
        }
        router.on("assets/:ticket/**", method: .get) { request, context in
            await door.download(request, ticket: context.parameters.get("ticket") ?? "")
        }
        router.on("dev/sign-in", method: .post) { request, _ in await door.signIn(request) }
        router.on("**", method: .get) { request, _ in door.unknown(request) }
        router.on("**", method: .post) { request, _ in door.unknown(request) }
        return router
    }
}
