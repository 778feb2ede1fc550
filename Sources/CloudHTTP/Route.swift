import HTTPTypes
import Hummingbird
import RecordsWire

/// What a request is for.
enum Route: Equatable {
    /// A call of the web services; its path has a reader of its own.
    case webService
    case upload(ticket: String)
    case download(ticket: String)
    /// A call of the server itself, with the parameters of its path as they stand there.
    case server(ServerEndpoint, [String: Substring])
    /// A call below `/operator/` that there is not.
    case unknownOperatorCall
    case unknown

    /// Nearly all requests are calls of the web services, so they are recognised without splitting the path.
    init(_ request: Request) {
        if let path = request.head.path?.utf8, Self.isWebService(request.method, path) {
            self = .webService
        } else {
            self.init(request.method, request.uri.path)
        }
    }

    /// The route of a path without its query. Empty parts of it do not count.
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
            // Behind the ticket, the client may name the file as it likes.
            case ("assets", .get), ("assets", .head):
                parts.count > 1 ? .download(ticket: String(parts[1])) : .unknown
            case ("operator", .get), ("operator", .post): parts.count > 1 ? .unknownOperatorCall : .unknown
            default: .unknown
            }
    }

    private static func isWebService(_ method: HTTPRequest.Method, _ path: String.UTF8View) -> Bool {
        switch method {
        case .get: path.starts(with: "/database/".utf8)
        case .post: path.starts(with: "/database/".utf8) || path.starts(with: "/device/".utf8)
        default: false
        }
    }
}
