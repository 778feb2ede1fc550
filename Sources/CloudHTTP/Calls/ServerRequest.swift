import CloudService
import HTTPTypes
import Hummingbird
import NIOCore
import Records
import RecordsWire

/// A call of the server's own API with its implementation. The tables in `CallTable.swift` assign one to each
/// endpoint.
protocol ServedCall: ServerCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer
}

/// One request to an endpoint of the server's own API.
struct ServerRequest: Sendable {
    let handler: RequestHandler
    let endpoint: ServerEndpoint
    let request: Request
    let context: ServerRequestContext
    let uuid: String
    private let parameters: [String: Substring]

    init(
        _ handler: RequestHandler, _ endpoint: ServerEndpoint, _ parameters: [String: Substring],
        _ request: Request, _ context: ServerRequestContext, uuid: String
    ) {
        self.handler = handler
        self.endpoint = endpoint
        self.parameters = parameters
        self.request = request
        self.context = context
        self.uuid = uuid
    }

    var service: CloudService { handler.service }

    /// The address to which the request is charged.
    var payers: Payers { Payers(handler.network(of: request, context)) }

    /// The payer for slow work: that of an anonymous caller at this address, of no container.
    private var workPayer: RequestPayer {
        var caller = Caller(container: "", environment: .development, identity: .anonymous)
        caller.network = payers.network
        return caller.workPayer
    }

    /// Counts the visit of a page, or a call to sign in. Throws `throttled` for too many from one address.
    func chargeVisitor() throws(RecordError) {
        if let refusal = service.rateLimiter.charge(visitorFrom: payers.network)?.refusal { throw refusal }
    }

    var credentials: RequestParameters { RequestParameters(query: request.uri.query ?? "") }

    /// Returns the person of the session token in the query; an anonymous caller without a token.
    ///
    /// Throws `authenticationFailed` for an invalid token, and `authenticationRequired` for a session that
    /// has ended.
    func caller(in container: String, _ environment: CloudEnvironment) async throws -> Caller {
        try await service.credentials.caller(
            Credentials(webAuthToken: credentials.webAuthToken), container: container,
            environment: environment)
    }

    /// Decodes the call, executes it, and returns its answer as JSON.
    func answer<Call: ServedCall>(_ type: Call.Type) async throws -> Response {
        let body = try await body()
        context.notes.note { $0.requestBytes = body.bytes.count }
        let call = try Call(reading: try reader(body: body.bytes))
        let answer = try await audited(call)
        withExtendedLifetime(body.lease) {}
        var response = try await handler.sent(
            .bytes(answer.encoded()), accepting: request.headers[values: .acceptEncoding],
            for: workPayer, uuid: uuid, over: context)
        if isPrivate { response.headers[.cacheControl] = "no-store" }
        return response
    }

    /// Throws if the request lacks the authority that its endpoint requires.
    func checkAuthority() throws(RecordError) {
        switch endpoint.authority {
        case .none: break
        case .operatorKey: try handler.checkOperatorKey(request)
        case .openServer: try service.checkDevelopment(endpoint.pathText)
        case .faultyServer: _ = try service.settableFaults()
        }
    }

    /// Returns a parameter of the query; nil if it is missing or its percent encoding is invalid.
    func query(_ name: StaticString) throws -> String? {
        try reader(body: Self.emptyObject).encodedQuery(name).flatMap { PercentEncoding.decode($0) }
    }

    /// Returns a parameter of the path, decoded. Throws `badRequest` if its percent encoding is invalid.
    func parameter(_ name: StaticString) throws -> String {
        try reader(body: Self.emptyObject).parameter(name)
    }

    /// Reads the body. An operator's call may have a long one, or none; all other calls have at most 16 KiB.
    /// Calls to sign in are charged to the address first, because they need no credentials.
    private func body() async throws -> ReceivedBody {
        guard request.method == .post else { return ReceivedBody(bytes: Self.emptyObject) }
        if case .signIn = endpoint { try chargeVisitor() }
        guard case .operator = endpoint else {
            return try await handler.received(request, upTo: Page.formBytes, from: payers)
        }
        let body = try await handler.received(request, upTo: service.limits.requestBytes, from: .none)
        return body.bytes.isEmpty ? ReceivedBody(bytes: Self.emptyObject) : body
    }

    private func reader(body: [UInt8]) throws -> CallReader {
        CallReader(
            parameters: parameters, query: request.uri.query ?? "",
            body: try RequestHandler.object(body, service.limits))
    }

    private static let emptyObject = Array("{}".utf8)

    /// Whether no cache may store the answer, because it has data for the operator or a session, or because
    /// it describes the present moment.
    private var isPrivate: Bool {
        switch endpoint {
        case .operator, .signIn, .share, .live, .ready, .metrics: true
        case .limits, .development, .push: false
        }
    }
}

extension RequestHandler {
    /// Answers a request to the server's own API. Every error becomes an error answer of the protocol.
    func answer(
        _ request: Request, _ context: ServerRequestContext, _ endpoint: ServerEndpoint,
        _ parameters: [String: Substring]
    ) async -> Response {
        await answering(request, context.notes, addsDetails: endpoint.addsDetails) { uuid in
            let incoming = ServerRequest(self, endpoint, parameters, request, context, uuid: uuid)
            try incoming.checkAuthority()
            return try await incoming.answer()
        }
    }

    /// The answer to an unknown operator's call. Without the operator's key, it is the same as for a known
    /// one.
    func unknownOperatorCall(_ request: Request, _ notes: RequestNotes) async -> Response {
        await answering(request, notes, addsDetails: true) { _ in
            try checkOperatorKey(request)
            throw RecordError(
                .notFound, "unknown call", culprit: "\(request.method.rawValue) \(request.uri.path)",
                nextStep: "use the command-line program of the server's version"
            )
        }
    }

    /// Throws `authenticationFailed` unless the request has the operator's key in `Authorization: Bearer …`.
    fileprivate func checkOperatorKey(_ request: Request) throws(RecordError) {
        let scheme = "Bearer "
        if let operatorKey, let authorization = request.headers[.authorization],
            authorization.hasPrefix(scheme),
            operatorKey.matches(String(authorization.dropFirst(scheme.count)))
        {
            return
        }
        throw RecordError(
            .authenticationFailed, "the operator's key is missing or wrong", culprit: "Authorization",
            nextStep: "send the content of operator.key in the server's data folder as a bearer token"
        )
    }

    /// Returns the JSON object of a body.
    ///
    /// Throws `badRequest` for a body with a NUL character in a text: SQLite would end the text there, and
    /// confuse it with a shorter one. In JSON, NUL can only be written as an escape.
    fileprivate static func object(_ body: [UInt8], _ limits: Limits) throws(RecordError) -> JSONNode {
        guard !hasNUL(body) else {
            throw RecordError(
                .badRequest, "a text of the request contains the character NUL", culprit: "body",
                nextStep: "send the text without this character"
            )
        }
        return try JSONDocument(request: body, limits).root.object()
    }

    /// Whether JSON has an escaped NUL. The bytes are compared in place: the standard library's search takes
    /// 20 ms for 64 KB, and making a slice at each backslash takes long for a body of backslashes.
    private static func hasNUL(_ body: [UInt8]) -> Bool {
        let (backslash, letter, zero) = (UInt8(ascii: "\\"), UInt8(ascii: "u"), UInt8(ascii: "0"))
        return body.withUnsafeBufferPointer { bytes -> Bool in
            var index = 0
            while index + 5 < bytes.count {
                if bytes[index] != backslash {
                    index += 1
                    continue
                }
                let isNUL =
                    bytes[index + 1] == letter && bytes[index + 2] == zero
                    && bytes[index + 3] == zero && bytes[index + 4] == zero && bytes[index + 5] == zero
                if isNUL { return true }
                // The byte after a backslash belongs to its escape, and begins none itself.
                index += 2
            }
            return false
        }
    }
}

extension ServerEndpoint {
    /// The path as errors name it, such as `dev/faults`.
    fileprivate var pathText: String { text.split(separator: "/", maxSplits: 1).last.map(String.init) ?? "" }

    /// Whether errors always have details. Clients of the other endpoints request details with a header.
    fileprivate var addsDetails: Bool {
        if case .push = self { false } else { true }
    }
}
