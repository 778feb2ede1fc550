/// One of the last requests that a server has answered, as its operators see it.
///
/// It contains no values of records. For a request to a private or shared database, it also omits record
/// names, sizes, reasons and the number of errors, so that nobody can count the records.
package struct LoggedRequest: Hashable, Sendable {
    /// The request's number in the order of the answers, counted from 1 since the server started.
    package var number: Int64 = 0
    package var at: Timestamp
    /// The name of the operation, such as `records/query`.
    package var operation: String
    package var container: String?
    package var environment: CloudEnvironment?
    package var database: DatabaseKind?
    /// The kind of the client, such as `app`.
    package var client: String
    /// The caller's record name in the container; nil if nobody was signed in.
    package var person: String?
    /// The sign-in name of the caller, only in answers to the operator's key. The log does not keep it.
    package var personName: String?
    /// The identifier of the calling device, if the request named one.
    package var device: String?
    /// The status code of the answer.
    package var status: Int
    /// The errors of the request and of its items, each once.
    package var errors: [RecordError.Code] = []
    /// The reason of the error; nil for private data.
    package var reason: String?
    /// The first record names in the request, for the public database only.
    package var recordNames: [String] = []
    package var requestBytes: Int?
    package var responseBytes: Int?
    package var microseconds: Int64
    /// The identifier of the request, which the answer returns in `X-Apple-Request-UUID`.
    package var id: String?

    package init(
        at: Timestamp, operation: String, client: String, status: Int, microseconds: Int64
    ) {
        self.at = at
        self.operation = operation
        self.client = client
        self.status = status
        self.microseconds = microseconds
    }

    /// The largest number of record names in one entry.
    package static let nameCount = 10

    /// The entry as the log keeps it: without details of private and shared databases, and with long texts
    /// cut off.
    package var kept: LoggedRequest {
        var kept = self
        if database == .private || database == .shared {
            (kept.reason, kept.recordNames) = (nil, [])
            (kept.requestBytes, kept.responseBytes) = (nil, nil)
        }
        kept.recordNames = kept.recordNames.prefix(Self.nameCount).map { Self.shortened($0, 255) }
        kept.reason = kept.reason.map { Self.shortened($0, 300) }
        kept.container = kept.container.map { Self.shortened($0, 255) }
        kept.person = kept.person.map { Self.shortened($0, 255) }
        kept.device = kept.device.map { Self.shortened($0, 64) }
        return kept
    }

    private static func shortened(_ text: String, _ bytes: Int) -> String {
        if text.utf8.count <= bytes { return text }
        return String(decoding: text.utf8.prefix(bytes), as: UTF8.self)
    }
}

/// Selects logged requests. A property that is nil matches every request.
package struct RequestFilter: Hashable, Sendable {
    package var container: String?
    package var environment: CloudEnvironment?
    package var operation: String?
    /// Only requests with one of these errors; with or without errors if it is empty.
    package var errors: Set<RecordError.Code> = []
    package var person: String?
    package var device: String?
    package var recordName: String?
    /// Only requests that were answered after the one with this number.
    package var after: Int64?
    /// Only requests that were answered before the one with this number.
    package var before: Int64?

    package init() {}

    /// The maximum number of requests in a page.
    package static let pageSize = 100

    package func admits(_ request: LoggedRequest) -> Bool {
        func isWanted(_ wanted: String?, _ known: String?) -> Bool {
            wanted.map { wanted in known.map { $0.utf8.elementsEqual(wanted.utf8) } ?? false } ?? true
        }
        let hasError = errors.isEmpty || !errors.isDisjoint(with: request.errors)
        return isWanted(container, request.container)
            && (environment ?? request.environment) == request.environment
            && isWanted(operation, request.operation) && isWanted(person, request.person)
            && isWanted(device, request.device) && hasError
            && (recordName.map { name in request.recordNames.contains { isWanted(name, $0) } } ?? true)
            && request.number > after ?? 0 && request.number < before ?? .max
    }
}
