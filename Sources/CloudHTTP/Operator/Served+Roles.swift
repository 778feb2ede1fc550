import CloudService
import Records
import RecordsWire

extension ListRoles: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        ListAnswer(try await incoming.service.access.roles(of: container, in: environment))
    }
}

extension CreateRole: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        try environment.checkDevelopment()
        return SchemaChange(try await incoming.service.schemas.createRole(role, in: container))
    }
}

extension GrantRole: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        try await incoming.set(input, isMember: true)
    }
}

extension RevokeRole: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        try await incoming.set(input, isMember: false)
    }
}

extension ServerRequest {
    fileprivate func set(_ member: RoleCandidate, isMember: Bool) async throws -> RoleMembership {
        let (user, hasChanged) = try await service.access.setRole(
            member.role, of: member.person, isMember: isMember, in: member.container, member.environment)
        return RoleMembership(
            role: member.role, userRecordName: user, isMember: isMember, hasChanged: hasChanged)
    }
}
