import CloudHTTP
import CloudService
import Records
import RecordsWire

/// One request of an operator to a screen.
struct ScreenRequest: Sendable {
    let service: CloudService
    let operatorAccount: OperatorAccount
    /// The token of the operator's session.
    let token: String
    /// The CSRF token for the forms of the page. It is valid for this session only.
    let csrfToken: String
    let place: ConsolePlace?
    let query: FormFields
    /// A form that was refused, whose values the page shows again; nil if the page does not follow a form.
    var refused: FormFields?
    /// The change of a form, whose entry in the audit log has begun; nil for a request of a page.
    var change: AuditedChange?
    /// The key for the client's address in limits; nil for requests from this process.
    var clientKey: String?

    /// The beginning of a value of the refused form, to fill in its input again.
    ///
    /// - Parameter orQuery: whether the page's address fills in the input of a form that was not refused.
    func typed(_ name: String, orQuery: Bool = false) -> String {
        var budget = PageTextBudget(bytes: 2000)
        return budget.take(refused?[name] ?? (orQuery ? query[name] : nil) ?? "", bytes: 512).text
    }

    /// The operator's role on this page: the role in its container or, outside of containers, for the server.
    var role: OperatorRole? {
        place.map { operatorAccount.role(in: $0.container) } ?? operatorAccount.role
    }

    /// Whether the operator has at least this role.
    func may(_ needed: OperatorRole) -> Bool { role.map { $0 >= needed } ?? false }

    /// The container of the page. Throws `notFound` on a page without one.
    func container() throws(RecordError) -> ConsolePlace {
        if let place { return place }
        throw RecordError(.notFound, "the page belongs to a container", nextStep: "choose one")
    }

    /// Runs work whose cost depends on a number of bytes. Much work runs on another thread, because the
    /// requests of all users share this one.
    func working<Result>(onBytes count: Int, _ work: () throws -> Result) async throws -> Result {
        if count <= Self.fewBytes { return try work() }
        let payer = RequestPayer.person(container: Address.root, name: operatorAccount.name)
        return try await service.slowWork.computing(for: payer, work)
    }

    /// Decodes records; many bytes on another thread, so that other requests need not wait.
    func decoded(_ records: [StoredRecord]) async throws -> [Record] {
        try await working(onBytes: records.reduce(0) { $0 + $1.answerBytes() }) {
            try records.map { try $0.decoded(by: FieldJSON()) }
        }
    }

    /// The fields as lines for the audit log, shortened so that all fields have room.
    func auditText(_ fields: Fields) -> String {
        // A name has at most 255 bytes, so only a change of very many fields leaves no room for values.
        let names = fields.names.reduce(0) { $0 + $1.utf8.count + 8 }
        return fields.lines(bytes: max(0, service.limits.auditTextBytes - names))
    }

    /// The number of bytes up to which a switch of threads would cost more than the work.
    private static let fewBytes = 16_384

    /// The caller that reads and changes public records for the console.
    func caller() throws(RecordError) -> Caller {
        let place = try container()
        return .console(place.container, place.environment)
    }

    /// The marker in the query at which the page of a list begins; nil for the first page. Throws
    /// `badRequest` if it is invalid.
    func marker() throws(RecordError) -> [UInt8]? {
        guard let text = query["marker"] else { return nil }
        if let marker = Base64.decode(text) { return marker }
        throw RecordError(
            .badRequest, "the address of the page does not say where in the list it begins",
            culprit: "marker", nextStep: "go back to the first page")
    }

    /// Adds a change by this operator to the audit log.
    func log(_ action: String, _ subject: String, before: String? = nil, after: String? = nil) async throws {
        var entry = entry(action, subject)
        (entry.before, entry.after) = (before, after)
        if let change { try await change.log(entry) } else { try await service.operators.log(entry) }
    }

    /// An entry of the audit log about this operator and place.
    func entry(_ action: String, _ subject: String) -> AuditEntry {
        AuditEntry(
            at: Timestamp(milliseconds: 0), by: operatorAccount.name, container: place?.container,
            environment: place?.environment, action: action, subject: subject)
    }
}
