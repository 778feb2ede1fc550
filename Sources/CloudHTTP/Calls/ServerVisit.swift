import CloudService
import HTTPTypes
import Hummingbird
import NIOCore
import Records
import RecordsWire

/// A call that this server answers. Every endpoint names one in the table of calls.
protocol ServedCall: ServerCall {
    func answer(_ visit: ServerVisit) async throws -> Answer
}

/// One request to the server itself whose endpoint is known.
struct ServerVisit: Sendable {
    let door: Door
    let endpoint: ServerEndpoint
    let request: Request
    let context: DoorContext
    let uuid: String
    private let parameters: [String: Substring]

    init(
        _ door: Door, _ endpoint: ServerEndpoint, _ parameters: [String: Substring], _ request: Request,
        _ context: DoorContext, uuid: String
    ) {
        self.door = door
        self.endpoint = endpoint
        self.parameters = parameters
        self.request = request
        self.context = context
        self.uuid = uuid
    }

    var service: CloudService { door.service }

    /// Whose connection the request came through.
    var payers: Payers { Payers(door.origin(of: request, context)) }

    /// The credentials in the query.
    var credentials: RequestParameters { RequestParameters(query: request.uri.query ?? "") }

    /// The person of the session in the query. Throws `authenticationFailed` for one that has ended.
    func caller(in container: String, _ environment: CloudEnvironment) async throws -> Caller {
        try await service.credentials.caller(
            Credentials(webAuthToken: credentials.webAuthToken), container: container,
            environment: environment)
    }

    /// Answers the call with JSON.
    func answer<Call: ServedCall>(_ type: Call.Type) async throws -> Response {
        let body = try await body()
        let call = try Call(reading: try reader(body: body.bytes))
        let answer = try await call.answer(self)
        withExtendedLifetime(body.lease) {}
        var response = Door.response(.ok, answer.encoded(), uuid: uuid)
        if isPrivate { response.headers[.cacheControl] = "no-store" }
        return response
    }

    /// Throws when the request does not show what its endpoint asks for.
    func checkAuthority() throws(RecordError) {
        switch endpoint.authority {
        case .none: break
        case .operatorKey: try door.checkOperatorKey(request)
        case .openServer: try service.checkDevelopment(endpoint.pathText)
        case .faultyServer: _ = try service.settableFaults()
        }
    }

    /// A parameter of the query; nil if it is not there or cannot be read.
    func query(_ name: StaticString) throws -> String? {
        try reader(body: Self.emptyObject).encodedQuery(name).flatMap { PercentEncoding.decode($0) }
    }

    /// Operator's calls may have long bodies, and none; all others have a short one.
    private func body() async throws -> ReceivedBody {
        guard request.method == .post else { return ReceivedBody(bytes: Self.emptyObject) }
        guard case .operator = endpoint else {
            return try await door.received(request, upTo: 65_536, from: payers)
        }
        let body = try await door.received(request, upTo: service.limits.requestBytes, from: .none)
        return body.bytes.isEmpty ? ReceivedBody(bytes: Self.emptyObject) : body
    }

    private func reader(body: [UInt8]) throws -> CallReader {
        CallReader(
            parameters: parameters, query: request.uri.query ?? "", body: try Door.object(body))
    }

    private static let emptyObject = Array("{}".utf8)

    /// Whether an answer holds what nobody may keep: the operator's business, or a session.
    private var isPrivate: Bool {
        switch endpoint {
        case .operator, .signIn: true
        case .limits, .development, .push: false
        }
    }
}

extension Door {
    /// Answers a request to a call of the server itself. Whatever goes wrong becomes an error in the
    /// protocol's form.
    func answer(
        _ request: Request, _ context: DoorContext, _ endpoint: ServerEndpoint,
        _ parameters: [String: Substring]
    ) async -> Response {
        await answering(request, addsDetails: endpoint.addsDetails) { uuid in
            let visit = ServerVisit(self, endpoint, parameters, request, context, uuid: uuid)
            try visit.checkAuthority()
            return try await visit.answer()
        }
    }

    /// The answer to an operator's call that there is not. Without the key nothing is told, not even that.
    func unknownOperatorCall(_ request: Request) async -> Response {
        await answering(request, addsDetails: true) { _ in
            try checkOperatorKey(request)
            throw RecordError(
                .notFound, "unknown call", culprit: "\(request.method.rawValue) \(request.uri.path)",
                nextStep: "use a command line of the server's own version"
            )
        }
    }

    /// Throws unless the request shows the operator's key in `Authorization: Bearer …`.
    fileprivate func checkOperatorKey(_ request: Request) throws(RecordError) {
        let scheme = "Bearer "
        if let operatorKey, let authorization = request.headers[.authorization],
            authorization.hasPrefix(scheme),
            operatorKey.admits(String(authorization.dropFirst(scheme.count)))
        {
            return
        }
        throw RecordError(
            .authenticationFailed, "the operator's key is missing or wrong", culprit: "Authorization",
            nextStep: "send the content of operator.key in the server's data folder as a bearer token"
        )
    }

    /// The JSON object of a body that holds names and no values of records.
    ///
    /// Throws `badRequest` for a body with a NUL in a text: SQLite would end the text there, and take it for
    /// another. In JSON, a NUL is only ever written as an escape.
    fileprivate static func object(_ body: [UInt8]) throws(RecordError) -> JSONNode {
        guard body.firstRange(of: Array("\\u0000".utf8)) == nil else {
            throw RecordError(
                .badRequest, "a text of the request holds the character NUL", culprit: "body",
                nextStep: "send the text without this character"
            )
        }
        return try JSONDocument(body).root.object()
    }
}

extension ServerEndpoint {
    /// The path, as errors name it: `dev/faults`.
    fileprivate var pathText: String { text.split(separator: "/", maxSplits: 1).last.map(String.init) ?? "" }

    /// Whether errors have details for every client; others ask for them with a header.
    fileprivate var addsDetails: Bool {
        if case .push = self { false } else { true }
    }
}
