import CloudService
import HTTPTypes
import Hummingbird
import Logging
import Records
import RecordsWire

/// How much of a client's network address the log of requests shows.
package enum LoggedAddresses: String, Hashable, Sendable, CaseIterable {
    case none
    /// The network: the /24 of an IPv4 address, the /48 of an IPv6 address.
    case network
    /// The IPv4 address, or the /64 of an IPv6 address.
    case address
}

/// Logs a line for each request, at the level `info`. At higher levels, it costs one comparison a request.
///
/// A line has no names of people and records, no tokens and no queries: the path shows the container, the
/// database and the endpoint, and parameters of the path only by their names.
struct RequestLog: Sendable {
    let logger: Logger
    let addresses: LoggedAddresses

    /// Whether requests are logged.
    var isOn: Bool { logger.logLevel <= .info }

    /// Logs a request when its answer begins. The line omits `bytes` for an answer of unknown length.
    func write(
        _ measured: AnsweredRequest, _ request: Request, _ route: Route, uuid: String?,
        from client: NetworkAddress?
    ) {
        var line: Logger.Metadata = [
            "method": "\(request.method.rawValue)", "path": "\(Self.path(of: request, route))",
            "status": .stringConvertible(measured.status),
            "ms": .stringConvertible(Self.ms(measured.duration)),
        ]
        if let bytes = measured.responseBytes { line["bytes"] = .stringConvertible(bytes) }
        if let code = measured.error { line["code"] = "\(code.rawValue)" }
        if let uuid { line["request"] = "\(uuid)" }
        if let text = text(of: client) { line["address"] = "\(text)" }
        logger.info("request", metadata: line)
    }

    /// As much of the client's address as the operator's log shows; nil for nothing.
    func text(of client: NetworkAddress?) -> String? {
        switch addresses {
        case .none: nil
        case .network: client?.loggedNetwork
        case .address: client?.limitKey
        }
    }

    /// The path as the log shows it: without tickets, names and other secrets.
    static func path(of request: Request, _ route: Route) -> String {
        switch route {
        case .webService: (try? RequestPath(path: request.uri.path))?.text ?? "/database/…"
        case .upload, .download: "/assets/:ticket"
        case .server(let endpoint, _): String(endpoint.text.drop { $0 != "/" })
        case .console: "/console/…"
        case .unknownOperatorCall: "/operator/…"
        case .unknown: "/…"
        }
    }

    /// Milliseconds with three decimals.
    private static func ms(_ duration: Duration) -> Double {
        (duration / .microseconds(1)).rounded() / 1000
    }
}
