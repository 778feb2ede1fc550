import CloudHTTP
import CloudService
import Records
import RecordsWire

/// One request of an operator to a screen.
struct Visit: Sendable {
    let service: CloudService
    let operatorAccount: OperatorAccount
    /// The token of the operator's session.
    let token: String
    /// Ties the forms of the page to the session.
    let proof: String
    let place: ConsolePlace?
    let query: FormFields
    /// The form that was refused, whose values the page shows again; nil on a fresh page.
    var refused: FormFields?
    /// The change that a form makes, of which the audit log knows already; nil on a page.
    var change: AuditedChange?
    /// The client's address as limits count it; nil for requests from this process.
    var clientKey: String?

    /// The beginning of a text of the form that was refused, for the input in which it was typed.
    func typed(_ name: String) -> String {
        var budget = TextBudget(bytes: 2000)
        return budget.take(refused?[name] ?? "", most: 512).text
    }

    /// The role that counts on this page: in its container or, outside of containers, for the server.
    var role: OperatorRole? {
        place.map { operatorAccount.role(in: $0.container) } ?? operatorAccount.role
    }

    /// Whether the operator may do what this role may do.
    func may(_ needed: OperatorRole) -> Bool { role.map { $0 >= needed } ?? false }

    /// The container of the page. Throws `notFound` on a page without one.
    func container() throws(RecordError) -> ConsolePlace {
        if let place { return place }
        throw RecordError(.notFound, "the page belongs to a container", nextStep: "choose one")
    }

    /// Runs work whose cost depends on a number of bytes: on this thread, or on another one if there are
    /// many, because the requests of all users wait for this thread.
    func working<Result>(onBytes count: Int, _ work: () throws -> Result) async throws -> Result {
        if count <= Self.fewBytes { return try work() }
        let payer = RequestPayer.person(container: Address.root, name: operatorAccount.name)
        return try await service.slowWork.computing(for: payer, work)
    }

    /// Decodes records where it holds up no other request.
    func decoded(_ records: [StoredRecord]) async throws -> [Record] {
        try await working(onBytes: records.reduce(0) { $0 + $1.answerBytes() }) {
            try records.map { try $0.decoded(by: FieldJSON()) }
        }
    }

    /// The fields as lines for the audit log, in which there is room for all of them.
    func auditText(_ fields: Fields) -> String {
        // A name has at most 255 bytes, and few changes have so many fields that no value has room.
        let names = fields.names.reduce(0) { $0 + $1.utf8.count + 8 }
        return fields.lines(bytes: max(0, service.limits.auditTextBytes - names))
    }

    /// Work on so many bytes takes less than a thread switch is worth.
    private static let fewBytes = 16_384

    /// Who reads and changes public records.
    func caller() throws(RecordError) -> Caller {
        let place = try container()
        return .console(place.container, place.environment)
    }

    /// The place in a list at which the page begins; nil: the first. Throws `badRequest` for a text that no
    /// page of ours has in its address.
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
