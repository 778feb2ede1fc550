import Records

/// A client for the operator's calls of one server.
///
/// ```swift
/// let client = OperatorClient(transport: server.transport, key: server.operatorKey, place: "this process")
/// ```
///
/// Without a key, it can make only the calls that do not require one.
public struct OperatorClient: Sendable {
    private let transport: any CloudTransport
    private let key: String?
    /// The name of the server in errors: its URL or its data folder.
    public let place: String
    /// The longest wait for an answer; nil uses the transport's limit.
    public var timeout: Duration?

    /// Creates a client for the server at the other end of the transport.
    ///
    /// - Parameters:
    ///   - transport: Sends the requests.
    ///   - key: The content of the server's `operator.key`; nil if it is unavailable.
    ///   - place: The name of the server in errors.
    public init(transport: any CloudTransport, key: String?, place: String) {
        self.transport = transport
        self.key = key
        self.place = place
    }

    /// Whether the client has a key, so that it can make operator's calls.
    public var hasKey: Bool { key != nil }

    /// Sends a call and decodes its answer.
    ///
    /// Throws `RecordError`: the error that the server returned, `internalError` if the server is unreachable
    /// or its answer cannot be read, and `authenticationFailed` for an operator's call without a key.
    package func send<Call: ServerCall>(
        _ call: Call, as person: RequestParameters = RequestParameters()
    ) async throws -> Call.Answer {
        try Call.Answer(bytes: try await bytes(of: call, as: person))
    }

    /// Sends a call and returns the body of its answer. Throws as `send` does.
    package func bytes<Call: ServerCall>(
        of call: Call, as person: RequestParameters = RequestParameters()
    ) async throws -> [UInt8] {
        var request = try CloudRequest(call, as: person, key: key)
        request.timeout = timeout
        do {
            return try await transport.answer(to: request)
        } catch CloudTransportError.timedOut where timeout != nil {
            throw RecordError(
                .internalError,
                "the server has not answered within \(timeout?.components.seconds ?? 0) s",
                culprit: place,
                nextStep: "it may still do its work, so look before you repeat the command; check that it "
                    + "runs: cloudlet doctor; wait longer: --timeout SECONDS"
            )
        } catch let error as CloudTransportError {
            throw RecordError(
                .internalError, "\(error)", culprit: place,
                nextStep: "check that the server runs: cloudlet doctor"
            )
        }
    }
}

extension CloudTransport {
    /// Sends a call and decodes its answer. Throws the `RecordError` that the server returned, `RecordError`
    /// for an unreadable answer, and the transport's errors.
    ///
    /// - Parameter key: The content of the server's `operator.key`, for the operator's calls.
    package func send<Call: ServerCall>(
        _ call: Call, as person: RequestParameters = RequestParameters(), key: String? = nil,
        idleTimeout: Duration? = nil
    ) async throws -> Call.Answer {
        var request = try CloudRequest(call, as: person, key: key)
        request.idleTimeout = idleTimeout
        return try Call.Answer(bytes: try await answer(to: request))
    }

    fileprivate func answer(to request: CloudRequest) async throws -> [UInt8] {
        let response = try await send(request)
        if response.status == 200 { return response.bytes }
        throw RecordError(status: response.status, body: response.bytes)
    }
}

extension CloudRequest {
    /// The request that makes a call. Throws `authenticationFailed` for an operator's call without a key.
    fileprivate init<Call: ServerCall>(
        _ call: Call, as person: RequestParameters, key: String?
    ) throws(RecordError) {
        self.init(call, as: person)
        guard Call.endpoint.authority == .operatorKey else { return }
        guard let key else {
            throw RecordError(
                .authenticationFailed, "this command needs the operator's key of the server",
                culprit: "operator.key", nextStep: "name the file operator.key of the server's data folder"
            )
        }
        headers.add("Authorization", "Bearer " + key)
    }
}
