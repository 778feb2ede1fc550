import CloudService
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Records
import RecordsWire

/// Handles the requests to the web services, and makes the responses that all calls share. It has no mutable
/// state of its own.
struct RequestHandler: Sendable {
    let service: CloudService
    let publicURL: String?
    let scheme: String
    /// The proxies whose headers about the client's address are believed.
    let proxies: TrustedProxies
    /// The key for the operator's calls; nil if the server has no operator.
    let operatorKey: OperatorKey?
    /// Whether the server has a console.
    let hasConsole: Bool
    /// Returns the reason why the server is not ready for requests; nil if it is.
    let obstacle: @Sendable () -> RecordError?
    let logger: Logger
    let requestLog: RequestLog

    /// Answers a request to the web services. Every error becomes an error answer of the protocol.
    ///
    /// The headers and the query determine the caller. The caller's rate limits are checked before the body
    /// is read, and the caller's size limit while it is read. The signature of a signed request covers the
    /// body, so for such a request the signature and the rate limits are checked after the body was read.
    func answer(_ request: Request, _ context: ServerRequestContext) async -> Response {
        let uuid = service.runtime.randomUUID()
        var session: String?
        var budget: RequestBudget?
        var response: Response
        do {
            let path = try RequestPath(path: request.uri.path)
            context.notes.note { $0.path = path }
            try Self.check(request.method, for: path.endpoint)
            let parameters = RequestParameters(query: request.uri.query ?? "")
            let signature = try Self.signature(of: request)
            var caller = try await caller(of: path, parameters, request, signature)
            context.notes.note(caller)
            // A signature is checked together with the body.
            if signature == nil { context.notes.note { $0.isIdentified = true } }
            session = caller.nextToken
            caller.network = network(of: request, context)
            let payers = Payers(caller.network, caller)
            let body = try await body(
                of: request, for: path.endpoint, by: &caller, signature, payers, &budget)
            context.notes.note {
                $0.requestBytes = body.bytes.count
                $0.isIdentified = true
            }
            var incoming = ProtocolRequest(
                handler: self, path: path, parameters: parameters, caller: caller, body: body.bytes,
                uuid: uuid, notes: context.notes
            )
            incoming.bodyLease = body.lease
            incoming.answerLease = payers.isCounted ? service.traffic.sending.lease(for: payers.all) : nil
            incoming.addsDetails = request.wantsDetails
            incoming.baseURL = baseURL(of: request)
            let answer = try await incoming.answer()
            response = try await sent(
                answer, to: incoming, accepting: request.headers[values: .acceptEncoding], over: context)
            if path.endpoint == .recordsModify { await warn(of: incoming, in: &response) }
        } catch {
            let shown = await addingSignInURL(to: error, request)
            response = failure(
                shown, uuid: uuid, addsDetails: request.wantsDetails, context.notes)
        }
        // Clients keep the session token of the last answer, so every answer has it.
        if let session { response.headers[.webAuthToken] = session }
        if let budget { response.headers.setRateLimit(budget) }
        return response
    }

    /// Warns the client by a header, and the operator in the log, if a database is nearly full. Participants
    /// do not learn how full the owner's database is.
    private func warn(of request: ProtocolRequest, in response: inout Response) async {
        guard
            let warning = try? await service.records.quotaWarning(
                in: request.kind, ofOwner: request.notes.owner, by: request.caller)
        else { return }
        if warning.scope != .shared {
            response.headers[.quota] = "\"\(warning.scope.rawValue)\";percent=\(warning.percent)"
        }
        guard warning.isNewStep else { return }
        logger.warning(
            "a database is nearly full",
            metadata: ["database": "\(warning.key.text)", "percent": "\(warning.percent)"])
    }

    /// Runs `work` for any other request than a call of the web services. An error becomes an error answer.
    ///
    /// - Parameter addsDetails: whether an error answer has details for every client; otherwise only for
    ///   those that ask for them with a header.
    func answering(
        _ request: Request, _ notes: RequestNotes, addsDetails: Bool = false,
        _ work: (_ uuid: String) async throws -> Response
    ) async -> Response {
        let uuid = service.runtime.randomUUID()
        do {
            return try await work(uuid)
        } catch {
            return failure(error, uuid: uuid, addsDetails: addsDetails || request.wantsDetails, notes)
        }
    }

    /// The answer to a request for an unknown path.
    func unknown(_ request: Request, _ notes: RequestNotes) -> Response {
        let error = RecordError(
            .notFound, "unknown endpoint", culprit: request.uri.path,
            nextStep: "begin the path with /database/1/{container}/{environment}/{database}/"
        )
        return failure(error, uuid: service.runtime.randomUUID(), addsDetails: true, notes)
    }

    /// Reads the body of a request, after checking the rate limits of its caller and the room for its answer.
    /// For a signed request, verifies the signature and checks the rate limits after reading.
    private func body(
        of request: Request, for endpoint: Endpoint, by caller: inout Caller,
        _ signature: RequestSignature?, _ payers: Payers, _ budget: inout RequestBudget?
    ) async throws -> ReceivedBody {
        // A signed request is charged only after its signature is checked, because otherwise anyone who
        // knows the name of a key could use up the budget of its owner.
        if signature == nil { try charge(caller, payers, &budget) }
        if payers.isCounted { try service.traffic.sending.checkRoom(for: payers.forAnswer) }
        let body = try await received(request, upTo: bodyLimit(for: caller), from: payers)
        guard var signature else { return body }
        signature.body = body.bytes
        signature.isRead = endpoint.isRead
        try await service.credentials.check(signature, by: &caller)
        try charge(caller, payers, &budget)
        return body
    }

    /// Charges a request to the rate limits of its caller. Throws `throttled` if it must not be executed.
    private func charge(
        _ caller: Caller, _ payers: Payers, _ budget: inout RequestBudget?
    ) throws(RecordError) {
        budget = service.rateLimiter.charge(caller, from: payers.network)
        if let refusal = budget?.refusal { throw refusal }
    }

    static func check(_ method: HTTPRequest.Method, for endpoint: Endpoint) throws {
        if endpoint.methods.contains(where: { $0.rawValue == method.rawValue }) { return }
        throw RecordError(
            .badRequest, "\(endpoint.rawValue) does not answer \(method.rawValue)", culprit: method.rawValue,
            nextStep: "use \(endpoint.methods.map(\.rawValue).joined(separator: " or "))"
        )
    }

    /// The network address of the client, also behind trusted proxies; nil for requests from this process.
    func client(of request: Request, _ context: ServerRequestContext) -> NetworkAddress? {
        proxies.client(of: context.address, request.headers)
    }

    /// The client's address in the form that the limits use as a key; nil for requests from this process,
    /// which are not counted.
    func network(of request: Request, _ context: ServerRequestContext) -> ClientNetwork? {
        let connection = context.network
        // The usual case: the connection's address, without parsing it again.
        if connection == nil || proxies.isEmpty { return connection }
        return client(of: request, context)?.clientNetwork ?? connection
    }

    /// The answer to a request that is refused before its caller is determined. It has no CORS headers, so a
    /// page of another origin cannot read it.
    func refusal(_ refusal: RecordError, _ notes: RequestNotes) -> Response {
        var response = failure(refusal, uuid: service.runtime.randomUUID(), addsDetails: true, notes)
        response.headers[.accessControlAllowOrigin] = nil
        response.headers[.accessControlExposeHeaders] = nil
        return response
    }

    /// The base URL for URLs in answers.
    func baseURL(of request: Request) -> String {
        publicURL ?? "\(scheme)://\(request.head.authority ?? "localhost")"
    }
}

// MARK: - Responses

extension RequestHandler {
    /// A response with a JSON body and the usual headers.
    static func response(_ status: HTTPResponse.Status, _ body: [UInt8], uuid: String) -> Response {
        response(status, ByteBuffer(bytes: body), uuid: uuid)
    }

    static func response(_ status: HTTPResponse.Status, _ body: ByteBuffer, uuid: String) -> Response {
        response(status, ResponseBody(byteBuffer: body), uuid: uuid)
    }

    static func response(_ status: HTTPResponse.Status, _ body: ResponseBody, uuid: String) -> Response {
        var headers = commonHeaders
        headers[.requestUUID] = uuid
        return Response(status: status, headers: headers, body: body)
    }

    /// Turns an error into a JSON error answer with its status, and logs internal errors. All JSON error
    /// answers are made here; pages for people show errors with `Page`.
    func failure(
        _ error: any Error, uuid: String, addsDetails: Bool, _ notes: RequestNotes
    ) -> Response {
        report(error, uuid: uuid)
        let known = error as? RecordError ?? RecordError(.internalError, "the server failed")
        let body = known.encoded(in: AnswerContext(uuid: uuid, addsDetails: addsDetails))
        var response = Self.response(Self.status(of: known), body, uuid: uuid)
        if let seconds = known.retryAfter { response.headers[.retryAfter] = String(seconds) }
        notes.note { ($0.error, $0.reason) = (known.code, known.loggedReason) }
        return response
    }

    static func status(of error: RecordError) -> HTTPResponse.Status {
        HTTPResponse.Status(code: error.code.status)
    }

    /// Logs an internal error or a full disk for the operator; the client does not see the details.
    func report(_ error: any Error, uuid: String) {
        if error is CancellationError { return }
        let known = error as? RecordError
        if known == RecordError.fullDisk { return service.runtime.warnOfFullDisk() }
        if let known, known.code != .internalError { return }
        let description = known?.diagnosis.map { "\(error): \($0)" } ?? "\(error)"
        service.runtime.refusals.tell(.failure) {
            logger.error("a request failed", metadata: ["request": "\(uuid)", "error": "\(description)"])
        }
    }

    /// The answer to a CORS preflight request, which lets web pages of all origins send requests.
    static func preflight() -> Response {
        var headers = HTTPFields()
        headers[.accessControlAllowOrigin] = "*"
        headers[.accessControlAllowMethods] = "GET, POST, OPTIONS, HEAD"
        headers[.accessControlAllowHeaders] =
            "content-type, x-cloudlet-details, range, if-none-match, if-range"
        headers[.accessControlExposeHeaders] = exposedHeaders
        headers[.accessControlMaxAge] = "86400"
        return Response(status: .ok, headers: headers)
    }

    private static let commonHeaders: HTTPFields = [
        .contentType: "application/json; charset=UTF-8", .accessControlAllowOrigin: "*",
        .accessControlExposeHeaders: exposedHeaders, .cloudKitVersion: "1.0",
    ]

    private static let exposedHeaders =
        "X-Apple-Request-UUID,X-Apple-CloudKit-Web-Auth-Token,X-Responding-Instance,Via,RateLimit,"
        + "RateLimit-Policy,Retry-After,X-Cloudlet-Quota"
}

extension Request {
    /// Whether the client asks for the details of errors, as Cloudlet's own client always does.
    var wantsDetails: Bool { headers[.cloudletDetails] == "1" }
}

extension HTTPFields {
    /// Sets the headers with the client's remaining budget, as in the IETF draft "RateLimit header fields for
    /// HTTP".
    fileprivate mutating func setRateLimit(_ budget: RequestBudget) {
        let rule = "\"\(budget.policy)\""
        self[.rateLimitPolicy] = "\(rule);q=\(budget.rate.requests);w=\(budget.rate.seconds)"
        self[.rateLimit] = "\(rule);r=\(budget.remaining);t=\(budget.resetSeconds)"
    }
}

extension HTTPField.Name {
    static let requestUUID = known("X-Apple-Request-UUID")
    static let cloudKitVersion = known("X-Apple-CloudKit-Version")
    static let webAuthToken = known("X-Apple-CloudKit-Web-Auth-Token")
    static let cloudletDetails = known(detailsHeader)
    static let rateLimit = known("RateLimit")
    static let rateLimitPolicy = known("RateLimit-Policy")
    static let serverTiming = known("Server-Timing")
    static let quota = known("X-Cloudlet-Quota")
}
