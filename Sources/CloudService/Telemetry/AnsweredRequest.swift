package import Records

/// The measurement of one request, made when its answer begins.
///
/// It contains no record names, no record types, no tokens and no queries, except the record name of the
/// caller, from which distinct people are counted.
package struct AnsweredRequest: Hashable, Sendable {
    /// The name of the operation, such as `records/query`: one of a fixed set, never a text of the client.
    package var operation: String
    package var latencyClass: LatencyClass
    /// The container that the request names, which need not exist; nil for requests that name none.
    package var container: String?
    package var environment: CloudEnvironment?
    /// The database; nil for requests that concern a device, a session, or the server as a whole.
    package var database: DatabaseKind?
    package var client = ClientKind.other
    /// The person's record name in the container; nil for other callers and for ones that were not
    /// identified.
    package var person: String?
    /// Whether the credentials of the request were accepted, or it needed none.
    package var isIdentified = false
    /// The status code of the answer.
    package var status = 200
    /// The error of the request as a whole; nil if it succeeded.
    package var error: RecordError.Code?
    /// The errors of single items, such as the conflict of one record in an answer with the status 200.
    package var itemErrors: [RecordError.Code: Int] = [:]
    /// The bytes of the request's body that were read.
    package var requestBytes = 0
    /// The bytes of the answer's body before compression; nil for an answer without a length.
    package var responseBytes: Int?
    /// The time until the answer began.
    package var duration = Duration.zero

    package init(operation: String, latencyClass: LatencyClass = .ordinary) {
        self.operation = operation
        self.latencyClass = latencyClass
    }

    /// The errors of the request and of its items.
    private var codes: [RecordError.Code] { [error].compactMap(\.self) + itemErrors.keys }
    /// Whether the server is to blame for an error of the request or of one of its items.
    package var hasServerError: Bool { codes.contains(where: \.isOfServer) }
    /// Whether the client must resolve an error of the request or of one of its items.
    package var hasClientError: Bool { codes.contains { !$0.isOfServer } }
    /// Whether an app sent the request, and not an operator, a page or a probe. Only requests of apps name a
    /// container. Anybody can send one whose credentials are refused, so it is not an app's; but a failure of
    /// the server may prevent that an app's credentials are accepted.
    package var isOfApp: Bool { container != nil && (isIdentified || hasServerError) }
}

/// The meaning of the duration of a request.
package enum LatencyClass: String, Hashable, Sendable, CaseIterable {
    /// The duration is that of the server's work.
    case ordinary
    /// The client waits until something happens: the answer begins at once and ends much later.
    case poll
    /// The answer lasts as long as the connection.
    case stream
}

/// Receives the measurement of each answered request.
///
/// It is called on the thread that answers requests, so it must return at once, without waiting for a disk or
/// for another task.
package protocol RequestObserver: Sendable {
    func observe(_ request: AnsweredRequest)
}
