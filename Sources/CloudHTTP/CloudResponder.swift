package import CloudService
import HTTPTypes
package import Hummingbird
package import Logging
package import Records
import RecordsWire

/// Answers every request, both from sockets and from callers in this process.
///
/// The routes are the calls of the web services (`Endpoint`), the calls of the server's own API
/// (`ServerEndpoint`), uploads and downloads of files, which a ticket in the path authorizes, and the pages
/// of the console. Every answer has the header `Server-Timing`. An unknown path gets an error answer in JSON,
/// because clients expect JSON with every status.
package struct CloudResponder: HTTPResponder {
    private let handler: RequestHandler
    private let rules: EntryRules
    /// The pages of the console; nil if the server has none.
    private let console: PageHandler?
    private let observers: [any RequestObserver]

    /// - Parameters:
    ///   - publicURL: the base URL under which clients reach this server, without a slash at its end, if it
    ///     is not the one in their requests, for example behind a proxy.
    ///   - scheme: the scheme of the URLs in answers if `publicURL` is nil.
    ///   - rules: decides which requests from the network are answered.
    ///   - proxies: the proxies whose headers about the client's address are believed.
    ///   - operatorKey: the key for the operator's calls; nil disables them.
    ///   - obstacle: returns the reason why the server is not ready for requests; nil if it is.
    ///   - logger: for messages to the operator; at the level `info`, also a line for each request.
    ///   - console: answers requests to paths below `/console`; nil if the server has no console.
    ///   - loggedAddresses: how much of a client's address the line for a request shows.
    ///   - observers: receive the measurement of each answered request.
    package init(
        _ service: CloudService, publicURL: String? = nil, scheme: String = "http",
        rules: EntryRules = EntryRules(), proxies: TrustedProxies = TrustedProxies(),
        operatorKey: OperatorKey? = nil, obstacle: @escaping @Sendable () -> RecordError? = { nil },
        console: PageHandler? = nil,
        logger: Logger, loggedAddresses: LoggedAddresses = .network, observers: [any RequestObserver] = []
    ) {
        handler = RequestHandler(
            service: service, publicURL: publicURL, scheme: scheme, proxies: proxies,
            operatorKey: operatorKey, hasConsole: console != nil, obstacle: obstacle, logger: logger,
            requestLog: RequestLog(logger: logger, addresses: loggedAddresses))
        self.rules = rules
        self.console = console
        self.observers = observers
    }

    package func respond(to request: Request, context: ServerRequestContext) async throws -> Response {
        let start = handler.service.runtime.uptime()
        let route = Route(request)
        var response = try await answered(request, context, route)
        // One measurement for the client, the log and the observers.
        let duration = handler.service.runtime.uptime() - start
        response.headers[.serverTiming] = Self.timing(duration)
        if request.method == .head { response = response.createHeadResponse() }
        let measured = context.notes.measurement(of: request, on: route, response, after: duration)
        for observer in observers { observer.observe(measured) }
        if route.isKeptInHistory {
            let service = handler.service
            service.history.add(
                context.notes.logged(
                    measured, at: service.runtime.now(), id: response.headers[.requestUUID]))
        }
        if handler.requestLog.isOn {
            handler.requestLog.write(
                measured, request, route, uuid: response.headers[.requestUUID],
                from: handler.client(of: request, context))
        }
        return response
    }

    /// Answers a request, after the checks that do not depend on its route. A request from the network must
    /// satisfy the rules of entry, and there must be memory for its head. On a server that accepts faults,
    /// those that apply come next.
    private func answered(
        _ request: Request, _ context: ServerRequestContext, _ route: Route
    ) async throws -> Response {
        if context.isFromNetwork, let refusal = rules.refusal(of: request.head) {
            return handler.refusal(refusal, context.notes)
        }
        if request.method == .options { return RequestHandler.preflight() }
        let head: ByteLease?
        do throws(RecordError) {
            head = try handler.leaseForHead(of: request, context)
        } catch {
            return handler.failure(
                error, uuid: handler.service.runtime.randomUUID(), addsDetails: true, context.notes)
        }
        defer { withExtendedLifetime(head) {} }
        if let faults = handler.service.faults {
            do throws(BrokenConnection) {
                return try await handler.answer(request, context, on: route, meeting: faults) {
                    await answer(request, context, route)
                }
            } catch {
                await context.breakConnection()
                throw error
            }
        }
        return await answer(request, context, route)
    }

    private func answer(_ request: Request, _ context: ServerRequestContext, _ route: Route) async -> Response
    {
        switch route {
        case .webService: await handler.answer(request, context)
        case .upload(let ticket): await handler.upload(request, context, ticket: ticket)
        case .download(let ticket): await handler.download(request, context, ticket: ticket)
        case .server(let endpoint, let parameters):
            await handler.answer(request, context, endpoint, parameters)
        case .console:
            if let console {
                await console(PageRequest(handler: handler, request: request, context: context))
            } else {
                handler.unknown(request, context.notes)
            }
        case .unknownOperatorCall: await handler.unknownOperatorCall(request, context.notes)
        case .unknown: handler.unknown(request, context.notes)
        }
    }

    /// The value of `Server-Timing`, in milliseconds (W3C, *Server Timing*).
    private static func timing(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let microseconds = max(0, seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
        let fraction = String(microseconds % 1000)
        let zeros = String(repeating: "0", count: 3 - fraction.utf8.count)
        return "total;dur=\(microseconds / 1000).\(zeros)\(fraction)"
    }
}
