import CloudService
import HTTPTypes
import Hummingbird
import Records
import RecordsWire

extension ServerRequest {
    /// Adds a change by the operator's command line to the audit log, with what its answer says. Bodies are
    /// left out, because some have passwords.
    func log(_ call: some ServerCall, _ answer: any WireObject) async throws {
        guard case .operator(let endpoint) = endpoint, request.method == .post,
            !OperatorEndpoint.unlogged.contains(endpoint), (call as? DeploySchema)?.isTrial != true
        else { return }
        var entry = AuditEntry(
            at: service.runtime.now(), by: OperatorService.keyHolderName,
            container: try? parameter("container"),
            environment: (try? parameter("environment")).flatMap { CloudEnvironment(rawValue: $0) },
            action: "\(endpoint)", subject: (try? parameter("name")) ?? (try? parameter("id")) ?? "")
        switch answer {
        case let change as SchemaChange:
            if change.differences.isEmpty { return }
            entry.after = change.differences.map(\.text).joined(separator: "\n")
        case let membership as RoleMembership:
            if !membership.hasChanged { return }
            entry.subject = "\(membership.role): \(membership.userRecordName)"
        case let person as PersonReport:
            entry.subject = person.name
            entry.after = person.status.rawValue
        case let container as ContainerReport: entry.container = container.name
        default: break
        }
        try await service.operators.log(entry)
    }
}

extension OperatorEndpoint {
    /// The calls with POST that change nothing, and those that write the log themselves.
    fileprivate static let unlogged: Set<OperatorEndpoint> = [
        .validateSchema, .compareSchema, .countPart, .checkSchema, .makeConsoleLink, .setOperator,
        .removeOperator,
    ]
}
