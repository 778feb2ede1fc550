// Owns the map of the door: which paths lead where.

package import CloudService
import HTTPTypes
import Hummingbird
package import Logging
import Records
import RecordsWire

/// What the door answers, the same for sockets and for callers in this process: calls of the protocol, which
/// have a way of their own, and routes to everything else.
///
/// Beside those of CloudKit Web Services: `GET /limits`, what a request may hold; `GET /push/poll` and
/// `GET /push/stream`, pushes, and `POST /push/leave`, a device's word that it goes off line; in development
/// `POST /dev/sign-in`, a session by name, `GET` and `POST /dev/faults`, what goes wrong on purpose,
/// `POST /dev/zones`, what a person does to an app's data in the settings of a device, `POST /dev/account`,
/// what a person says of herself there, `POST /dev/rate`, how often people may ask, `POST /dev/access`, which
/// rule allows or refuses something, `GET /dev/schema`, the record types, `GET /dev/push-trace`, what became
/// of pushes, and `GET /dev/storage`, how much is kept; and for whoever has the operator's key, everything
/// below `/operator/1/`.
package enum CloudRouter {
    /// - Parameters:
    ///   - publicURL: the address under which clients reach this server, if it is not the one they name in
    ///     their requests (behind a proxy, say); without a slash at its end.
    ///   - scheme: how clients reach this server when they name its address themselves.
    ///   - rules: which requests from the network are answered at all.
    ///   - proxies: whose word counts on where a request comes from.
    ///   - operatorKey: what opens the operator's calls; nil leaves them shut.
    ///   - logger: where the server writes what an operator should know.
    package static func make(
        _ service: CloudService, publicURL: String? = nil, scheme: String = "http",
        rules: EntryRules = EntryRules(), proxies: TrustedProxies = TrustedProxies(),
        operatorKey: OperatorKey? = nil, logger: Logger
    ) -> FrontDoor {
        let door = Door(
            service: service, publicURL: publicURL, scheme: scheme, proxies: proxies, logger: logger)
        let router = Router(context: DoorContext.self)
        let threshold = Threshold(door: door, rules: rules)
        router.add(middleware: threshold)
        // The long way, for calls whose paths are spelled in another way than the front door looks for.
        router.on("database/**", method: .post) { try await door.answer($0, $1) }
        router.on("database/**", method: .get) { try await door.answer($0, $1) }
        router.on("device/**", method: .post) { try await door.answer($0, $1) }
        router.on("assets/:ticket", method: .post) { request, context in
            try await door.upload(request, ticket: context.parameters.get("ticket") ?? "")
        }
        // Behind the ticket, the client may name the file as it likes.
        for path: RouterPath in ["assets/:ticket", "assets/:ticket/**"] {
            for method in [HTTPRequest.Method.get, .head] {
                router.on(path, method: method) { request, context in
                    try await door.download(
                        request, context, ticket: context.parameters.get("ticket") ?? "")
                }
            }
        }
        router.on("limits", method: .get) { _, _ in door.publishLimits() }
        openDevelopment(router, door)
        PushDoor(door: door).open(router)
        SignInDoor(door: door).open(router)
        OperatorDoor(door: door, key: operatorKey).open(router)
        return FrontDoor(threshold, routes: router.buildResponder())
    }

    private static func openDevelopment(_ router: Router<DoorContext>, _ door: Door) {
        router.on("dev/sign-in", method: .post) { request, _ in await door.signIn(request) }
        router.on("dev/faults", method: .get) { _, _ in door.listFaults() }
        router.on("dev/faults", method: .post) { request, _ in await door.changeFaults(request) }
        router.on("dev/access", method: .post) { request, _ in await door.explainAccess(request) }
        router.on("dev/zones", method: .post) { request, _ in await door.removeZones(request) }
        router.on("dev/account", method: .post) { request, _ in await door.describeAccount(request) }
        router.on("dev/rate", method: .post) { request, _ in await door.setRate(request) }
        router.on("dev/schema", method: .get) { request, _ in await door.tellSchema(request) }
        router.on("dev/storage", method: .get) { request, _ in await door.tellStorage(request) }
    }
}
