import CloudService
import HTTPTypes
import Hummingbird
import Records
import RecordsWire

/// The kind of a request, determined by its method and path.
enum Route: Equatable {
    /// A call of the web services. `RequestPath` parses its path.
    case webService
    case upload(ticket: String)
    case download(ticket: String)
    /// A call of the server's own API, with the parameters of its path, still percent-encoded.
    case server(ServerEndpoint, [String: Substring])
    /// A page of the console.
    case console
    /// An unknown path below `/operator/`.
    case unknownOperatorCall
    case unknown

    /// Finds the route of a request. Calls of the web services, the most frequent ones, are recognised
    /// without splitting the path.
    init(_ request: Request) {
        if let path = request.head.path?.utf8, Self.isWebService(request.method, path) {
            self = .webService
        } else {
            self.init(request.method, request.uri.path)
        }
    }

    /// Finds the route of a path without query. Empty components of the path are ignored.
    init(_ method: HTTPRequest.Method, _ path: String) {
        if let (endpoint, parameters) = ServerEndpoint.find(method.rawValue, path) {
            self = .server(endpoint, parameters)
            return
        }
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
        self =
            switch (parts.first, method) {
            case ("database", .get), ("database", .post), ("device", .post):
                parts.count > 1 ? .webService : .unknown
            case ("assets", .post): parts.count == 2 ? .upload(ticket: String(parts[1])) : .unknown
            // After the ticket, the path may have any file name.
            case ("assets", .get), ("assets", .head):
                parts.count > 1 ? .download(ticket: String(parts[1])) : .unknown
            case ("console", .get), ("console", .head), ("console", .post): .console
            case ("operator", .get), ("operator", .post): parts.count > 1 ? .unknownOperatorCall : .unknown
            default: .unknown
            }
    }

    /// Whether the request is added to the list of the last requests. Pages of the console and reads of that
    /// list are left out, because they would displace the requests of apps.
    var isKeptInHistory: Bool { self != .console && self != .server(.operator(.readRequests), [:]) }

    private static func isWebService(_ method: HTTPRequest.Method, _ path: String.UTF8View) -> Bool {
        switch method {
        case .get: path.starts(with: "/database/".utf8)
        case .post: path.starts(with: "/database/".utf8) || path.starts(with: "/device/".utf8)
        default: false
        }
    }
}

extension Route {
    /// The name of the operation in measurements, one of a fixed set.
    func operation(of request: Request) -> String {
        switch self {
        case .webService: path(of: request)?.endpoint.rawValue ?? "unknown"
        case .upload: "assets/send"
        case .download: "assets/fetch"
        case .server(.push(let endpoint), _): endpoint.operation
        case .server(let endpoint, _): endpoint.text
        case .console: "console"
        case .unknownOperatorCall, .unknown: request.method == .options ? "preflight" : "unknown"
        }
    }

    /// The path of a call of the web services; nil for others, and if it is not valid.
    func path(of request: Request) -> RequestPath? {
        self == .webService ? try? RequestPath(path: request.uri.path) : nil
    }

    var latencyClass: LatencyClass {
        switch self {
        case .server(.push(.poll), _): .poll
        case .server(.push(.stream), _): .stream
        default: .ordinary
        }
    }

    /// The kind of the client, if the route alone determines it.
    var client: ClientKind? {
        switch self {
        case .server(.operator, _), .unknownOperatorCall: .operator
        case .console: .console
        default: nil
        }
    }
}

extension PushEndpoint {
    fileprivate var operation: String {
        switch self {
        case .poll: "push/poll"
        case .stream: "push/stream"
        case .leave: "push/leave"
        }
    }
}
