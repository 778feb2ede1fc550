import CloudService
import HTTPTypes
import Hummingbird
import Records
import RecordsWire
import Synchronization

/// Collects facts about a request while it is being answered, for its measurement. Each request has an
/// instance in its context.
final class RequestNotes: Sendable {
    struct Values: Sendable {
        /// The container, database and endpoint, for requests whose path has them.
        var path: RequestPath?
        /// The database of a file; nil for other requests.
        var file: (key: DatabaseKey, kind: DatabaseKind)?
        var client: ClientKind?
        var person: String?
        /// Whether the credentials of a call of the web services were accepted, or it needed none.
        var isIdentified = false
        var error: RecordError.Code?
        var itemErrors: [RecordError.Code: Int] = [:]
        /// The reason of the first error.
        var reason: String?
        /// The calling device, if the request names one.
        var device: String?
        /// The owner of the zone in which a participant saved records; nil for other requests.
        var owner: String?
        /// The first records that a request to a public database names.
        var recordNames: [String] = []
        /// The number of bytes of the body, or of an uploaded file; nil if they were not counted.
        var requestBytes: Int?
        /// The number of bytes of an answer before compression. nil: the answer was not compressed, and the
        /// length of its body counts.
        var answerBytes: Int?
    }

    private let values = Mutex(Values())

    func note(_ change: (inout Values) -> Void) { values.withLock { change(&$0) } }

    /// The owner of the zone in which a participant saved records; nil for other requests.
    var owner: String? { values.withLock { $0.owner } }

    /// Notes the caller of a request.
    func note(_ caller: Caller) {
        values.withLock {
            switch caller.identity {
            case .person(let name): $0.person = name
            case .serverKey: $0.client = .server
            case .anonymous: break
            }
            $0.device = caller.device
        }
    }

    /// Notes the records that a request names, if they are in a public database.
    func note(recordNames: some Sequence<String>, in database: DatabaseKind) {
        if database != .public { return }
        values.withLock { $0.recordNames = Array(recordNames.prefix(LoggedRequest.nameCount)) }
    }

    /// Notes the caller who sends a file, and the database for which it is meant.
    func note(_ caller: Caller, fileIn database: DatabaseKey) {
        note(caller)
        let kind: DatabaseKind =
            switch database.owner {
            case nil: .public
            case caller.userRecordName: .private
            case .some: .shared
            }
        values.withLock { $0.file = (database, kind) }
    }

    /// Notes the errors of single items of an answer.
    func note(itemErrors: some Sequence<RecordError>) {
        for error in itemErrors {
            values.withLock {
                $0.itemErrors[error.code, default: 0] += 1
                if $0.reason == nil { $0.reason = error.loggedReason }
            }
        }
    }

    /// Describes the request with its answer.
    func measurement(
        of request: Request, on route: Route, _ response: Response, after duration: Duration
    ) -> AnsweredRequest {
        let values = values.withLock { $0 }
        // A request that was refused early has not been parsed.
        let path = values.path ?? route.path(of: request)
        var measured = AnsweredRequest(
            operation: path?.endpoint.rawValue ?? route.operation(of: request),
            latencyClass: route.latencyClass)
        measured.container = path?.container ?? values.file?.key.container
        measured.environment = path?.environment ?? values.file?.key.environment
        measured.database = path?.database ?? values.file?.kind
        measured.client = values.client ?? route.client ?? Self.client(of: request)
        measured.person = values.person
        // The database of a file is known from a valid ticket.
        measured.isIdentified = values.isIdentified || values.file != nil
        measured.status = response.status.code
        measured.error = values.error ?? Self.error(of: response.status.code)
        measured.itemErrors = values.itemErrors
        measured.requestBytes = max(0, values.requestBytes ?? Self.formBytes(of: request, response))
        measured.responseBytes = values.answerBytes ?? response.body.contentLength
        measured.duration = duration
        return measured
    }

    /// The length of a page's form according to `Content-Length`, because pages do not count the bytes that
    /// they read; 0 for other requests, and for a failed one, whose body may not have been read.
    private static func formBytes(of request: Request, _ response: Response) -> Int {
        guard request.method == .post, response.status.code < 400,
            let claimed = request.headers[.contentLength].flatMap({ Int($0) }), claimed <= largestForm
        else { return 0 }
        return claimed
    }

    /// The maximum size of a form in bytes: that of the console for a record with its files.
    private static let largestForm = 4_194_304

    /// The request for the log that operators read. That log leaves out facts about private data.
    func logged(_ measured: AnsweredRequest, at now: Timestamp, id: String?) -> LoggedRequest {
        let values = values.withLock { $0 }
        let duration = measured.duration.components
        var logged = LoggedRequest(
            at: now, operation: measured.operation, client: measured.client.rawValue,
            status: measured.status,
            microseconds: duration.seconds * 1_000_000 + duration.attoseconds / 1_000_000_000_000)
        (logged.container, logged.environment) = (measured.container, measured.environment)
        (logged.database, logged.person, logged.device) = (measured.database, measured.person, values.device)
        logged.errors = [measured.error].compactMap(\.self)
        for code in measured.itemErrors.keys.sorted(by: { $0.rawValue < $1.rawValue })
        where !logged.errors.contains(code) {
            logged.errors.append(code)
        }
        (logged.reason, logged.recordNames) = (values.reason, values.recordNames)
        (logged.requestBytes, logged.responseBytes) = (measured.requestBytes, measured.responseBytes)
        logged.id = id
        return logged
    }

    /// The error code for the status of an answer that has no error in JSON, such as a page.
    private static func error(of status: Int) -> RecordError.Code? {
        if status < 400 { return nil }
        let code = RecordError.Code(status: status)
        return status < 500 && code == .internalError ? .badRequest : code
    }

    private static func client(of request: Request) -> ClientKind {
        if request.wantsDetails { return .app }
        return request.headers.contains(.origin) ? .browser : .other
    }
}
