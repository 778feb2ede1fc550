import CloudService
import HTTPTypes
import Hummingbird
import Records
import RecordsWire
import Synchronization

/// Collects what the parts of the server learn about a request while they answer it, for its measurement.
///
/// Each request has its own in its context.
final class RequestNotes: Sendable {
    struct Values: Sendable {
        /// The container, database and endpoint, for requests whose path has them.
        var path: RequestPath?
        /// The database of a file; nil for other requests.
        var file: (key: DatabaseKey, kind: DatabaseKind)?
        var client: ClientKind?
        var person: String?
        var error: RecordError.Code?
        var itemErrors: [RecordError.Code: Int] = [:]
        /// The bytes of the body; nil unless it was read as a whole.
        var requestBytes: Int?
    }

    private let values = Mutex(Values())

    func note(_ change: (inout Values) -> Void) { values.withLock { change(&$0) } }

    /// Notes the caller of a request.
    func note(_ caller: Caller) {
        values.withLock {
            switch caller.identity {
            case .person(let name): $0.person = name
            case .serverKey: $0.client = .server
            case .anonymous: break
            }
        }
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
        for error in itemErrors { values.withLock { $0.itemErrors[error.code, default: 0] += 1 } }
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
        measured.status = response.status.code
        measured.error = values.error ?? Self.error(of: response.status.code)
        measured.itemErrors = values.itemErrors
        // A body that was refused has not been read, and its length is only a claim.
        let claimed = response.status.code < 400 ? request.headers[.contentLength].flatMap { Int($0) } : nil
        measured.requestBytes = max(0, values.requestBytes ?? claimed ?? 0)
        measured.responseBytes = response.body.contentLength
        measured.duration = duration
        return measured
    }

    /// The error of an answer that is a page or part of a file.
    private static func error(of status: Int) -> RecordError.Code? {
        if status < 400 { return nil }
        let code = RecordError.Code(status: status)
        return status < 500 && code == .internalError ? .badRequest : code
    }

    private static func client(of request: Request) -> ClientKind {
        if request.headers[.cloudletDetails] == "1" { return .app }
        return request.headers.contains(.origin) ? .browser : .other
    }
}
