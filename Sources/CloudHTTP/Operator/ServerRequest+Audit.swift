import CloudService
import HTTPTypes
import Hummingbird
import Records
import RecordsWire

extension ServerRequest {
    /// Executes a call. A change that is made with the operator's key is added to the audit log before it
    /// begins; afterwards the entry is completed with the result. The log contains no bodies, because some
    /// have passwords.
    func audited<Call: ServedCall>(_ call: Call) async throws -> Call.Answer {
        guard case .operator(let endpoint) = endpoint, request.method == .post,
            !OperatorEndpoint.unlogged.contains(endpoint), (call as? DeploySchema)?.isTrial != true
        else { return try await call.answer(self) }
        var entry = AuditEntry(
            at: service.runtime.now(), by: OperatorService.keyHolderName,
            container: try? parameter("container"),
            environment: (try? parameter("environment")).flatMap { CloudEnvironment(rawValue: $0) },
            action: Self.action(of: call, at: endpoint),
            subject: (try? parameter("name")) ?? (try? parameter("id")) ?? "")
        entry.before = await replaced(by: call)
        if let place = await placeOfRevocation(call) {
            (entry.container, entry.environment) = (place.container, place.environment)
        }
        let isDeletion = OperatorEndpoint.deletions.contains(endpoint)
        return try await service.operators.change(entry, isDeletion: isDeletion) { [entry] change in
            let answer = try await call.answer(self)
            if let outcome = Self.outcome(of: entry, call, answer) { try await change.log(outcome) }
            return answer
        }
    }

    /// The value that a call is about to replace; nil for calls that replace no single value.
    private func replaced(by call: any ServedCall) async -> String? {
        switch call {
        case let call as SetPersonStatus:
            (try? await service.people.person(named: call.name))?.status.rawValue
        case let call as SetPersonQuota:
            (try? await service.people.person(named: call.name))?.quotaBytes.map { String($0) }
        case let call as SetContainerFallback:
            (try? await service.containers.container(call.name))?.fallbackURL
        default: nil
        }
    }

    /// Where a token or key is valid that a call revokes by its ID, so that the audit log of its container
    /// has the change.
    private func placeOfRevocation(_ call: any ServedCall) async -> ContainerKey? {
        switch call {
        case let call as RevokeToken: try? await service.credentials.place(ofAPIToken: call.id)
        case let call as RevokeKey: try? await service.credentials.place(ofServerKey: call.id)
        default: nil
        }
    }

    /// The action of a call: the name of its endpoint, or `removeIndex` and `removeGrant` for calls that
    /// remove what their endpoint sets.
    private static func action(of call: any ServedCall, at endpoint: OperatorEndpoint) -> String {
        switch call {
        case let call as SetIndex where !call.isThere: "removeIndex"
        case let call as SetGrant where !call.isThere: "removeGrant"
        default: "\(endpoint)"
        }
    }

    /// The part of the schema that a call changes; nil for calls that may change all of it.
    private static func part(of call: any ServedCall) -> String? {
        switch call {
        case let call as SetIndex: "\(call.type).\(call.field)"
        case let call as SetGrant:
            "\(call.permission.rawValue) on \(call.type) \(call.isThere ? "to" : "from") \(call.role)"
        case let call as DeletePart: call.input.type + (call.input.field.map { ".\($0)" } ?? "")
        case let call as CreateRole: call.role
        default: nil
        }
    }

    /// The entry of a change, completed from the answer; nil if nothing was changed.
    private static func outcome(
        of intent: AuditEntry, _ call: any ServedCall, _ answer: any WireObject
    ) -> AuditEntry? {
        var entry = intent
        switch answer {
        case let change as SchemaChange:
            if change.differences.isEmpty { return nil }
            entry.after = change.differences.map(\.text).joined(separator: "\n")
            entry.subject = part(of: call) ?? entry.subject
        case let membership as RoleMembership:
            if !membership.hasChanged { return nil }
            entry.subject = "\(membership.role): \(membership.userRecordName)"
        case let person as PersonReport:
            entry.subject = person.name
            let quota = person.quotaBytes.map { String($0) }
            entry.after = call is SetPersonQuota ? quota : person.status.rawValue
        case let container as ContainerReport:
            entry.container = container.name
            if call is SetContainerFallback { entry.after = container.fallbackURL }
        case let new as NewAPIToken: (entry.subject, entry.after) = (new.token.id, new.token.label)
        case let key as ServerKeyReport: (entry.subject, entry.after) = (key.id, key.label)
        default: break
        }
        return entry
    }
}

extension OperatorEndpoint {
    /// The calls with POST that change nothing, and those that write the audit log themselves.
    fileprivate static let unlogged: Set<OperatorEndpoint> = [
        .validateSchema, .compareSchema, .countPart, .checkSchema, .makeConsoleLink, .setOperator,
        .removeOperator,
    ]

    /// The calls that delete databases, and so free space on the disk.
    fileprivate static let deletions: Set<OperatorEndpoint> = [.deletePerson, .deleteContainer, .resetSchema]
}
