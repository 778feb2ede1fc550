import CloudService
import Records
import RecordsWire

extension ListRoles: ServedCall {
    func answer(_ visit: ServerVisit) async throws -> Answer {
        ListAnswer(try await visit.service.access.roles(of: container, in: environment))
    }
}

extension CreateRole: ServedCall {
    func answer(_ visit: ServerVisit) async throws -> Answer {
        try environment.checkDevelopment()
        return SchemaChange(try await visit.service.schemas.createRole(role, in: container))
    }
}

extension GrantRole: ServedCall {
    func answer(_ visit: ServerVisit) async throws -> Answer {
        try await visit.set(input, isMember: true)
    }
}

extension RevokeRole: ServedCall {
    func answer(_ visit: ServerVisit) async throws -> Answer {
        try await visit.set(input, isMember: false)
    }
}

extension ServerVisit {
    fileprivate func set(_ member: RoleCandidate, isMember: Bool) async throws -> RoleMembership {
        let (user, isNew) = try await service.access.setRole(
            member.role, of: member.person, isMember: isMember, in: member.container, member.environment)
        return RoleMembership(
            role: member.role, userRecordName: user, isMember: isMember, hasChanged: isNew)
    }
}
