import Records

/// Makes calls of one server for whoever looks after it.
///
/// ```swift
/// let client = OperatorClient(transport: server.transport, key: server.operatorKey, place: "this process")
/// ```
///
/// Without a key, only calls that need none can be made.
public struct OperatorClient: Sendable {
    private let transport: any CloudTransport
    private let key: String?
    /// The server in words, for errors: its address or its data folder.
    public let place: String
    /// The longest wait for an answer; nil leaves it to the transport.
    public var timeout: Duration?

    /// A client of the server that the transport speaks to.
    ///
    /// - Parameters:
    ///   - transport: Carries the calls.
    ///   - key: The content of the server's `operator.key`; nil when it is not at hand.
    ///   - place: The server in words, for errors.
    public init(transport: any CloudTransport, key: String?, place: String) {
        self.transport = transport
        self.key = key
        self.place = place
    }

    /// Whether the operator's calls can be made.
    public var hasKey: Bool { key != nil }

    /// Makes a call and waits for its answer.
    ///
    /// Throws `RecordError`: the server's refusal, `internalError` when it cannot be reached or its answer
    /// cannot be read, and `authenticationFailed` for an operator's call without a key.
    package func send<Call: ServerCall>(
        _ call: Call, as person: RequestParameters = RequestParameters()
    ) async throws -> Call.Answer {
        try Call.Answer(bytes: try await bytes(of: call, as: person))
    }

    /// The answer to a call as the server sent it. Throws as `send` does.
    package func bytes<Call: ServerCall>(
        of call: Call, as person: RequestParameters = RequestParameters()
    ) async throws -> [UInt8] {
        var request = try CloudRequest(call, as: person, key: key)
        request.timeout = timeout
        do {
            return try await transport.answer(to: request)
        } catch let error as CloudTransportError {
            throw RecordError(
                .internalError, "\(error)", culprit: place,
                nextStep: "check that the server runs: cloudlet doctor"
            )
        }
    }
}

extension CloudTransport {
    /// Makes a call and waits for its answer. Throws `RecordError` for a refusal and for an answer that
    /// cannot be read, and what the transport throws.
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
                .authenticationFailed, "the operator's key of this server is not at hand",
                culprit: "operator.key", nextStep: "name the file operator.key of its data folder"
            )
        }
        headers.add("Authorization", "Bearer " + key)
    }
}
