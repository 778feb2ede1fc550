import Directory
import RecordStore
package import Records

extension SchemaKeeper.Place {
    /// Where a caller is.
    init(_ caller: Caller) {
        self.init(container: caller.container, environment: caller.environment)
    }
}

extension CloudService {
    /// What a caller may do with public records.
    func accessRules(for caller: Caller) async throws -> AccessRules {
        try await schemas.access(of: caller.userRecordName, in: SchemaKeeper.Place(caller))
    }

    /// What the rules of the public database say of a permission: on a record, else on records of a type that
    /// the caller would make.
    ///
    /// Throws `notFound` for a record that is not there, and `badRequest` when neither is named.
    package func explain(
        _ permission: Permission, type: String?, recordName: String?, by caller: Caller
    ) async throws -> AccessVerdict {
        let rules = try await accessRules(for: caller)
        if let recordName {
            let record = try await using(.public, for: caller) { database in
                try await database.records.records(named: [recordName], in: ZoneID.defaultName)[0]
            }
            guard let record else { throw RecordError.recordNotFound(recordName) }
            return rules.verdict(
                permission, on: record.type, createdBy: record.created.by, culprit: recordName)
        }
        guard let type else {
            throw RecordError(
                .badRequest, "neither a record type nor a record is named", culprit: "recordType",
                nextStep: "name one of them"
            )
        }
        let creator = permission == .read ? nil : caller.userRecordName
        return rules.verdict(permission, on: type, createdBy: creator)
    }

    // MARK: Members

    /// The roles of a container in one environment, by name, each with its members.
    package func roles(of container: String, in environment: CloudEnvironment) async throws -> [RoleReport] {
        try await checkExists(container)
        let place = SchemaKeeper.Place(container: container, environment: environment)
        let roles = try await schemas.schema(of: place).roles
        var members: [String: [RoleReport.Member]] = [:]
        for member in try await directory.roleMembers(of: container, in: environment) {
            let account = try await directory.account(
                withUserRecordName: member.userRecordName, in: container)
            members[member.role, default: []].append(
                RoleReport.Member(userRecordName: member.userRecordName, person: account?.name)
            )
        }
        return roles.sorted { $0.precedesInBytes($1) }.map {
            RoleReport(name: $0, members: members[$0] ?? [])
        }
    }

    /// Makes a person, by sign-in name, address or user record name, a member of a role, or ends that.
    ///
    /// - Returns: the record name of the person, and whether anything changed.
    /// - Throws: `notFound` for a role or person that is not there.
    package func setRole(
        _ role: String, of person: String, isMember: Bool, in container: String,
        _ environment: CloudEnvironment
    ) async throws -> (userRecordName: String, isNew: Bool) {
        try await checkExists(container)
        let place = SchemaKeeper.Place(container: container, environment: environment)
        guard try await schemas.schema(of: place).roles.contains(role) else { throw RecordError.noRole(role) }
        let user = try await userRecordName(ofPerson: person, in: container)
        let member = RoleMember(role: role, userRecordName: user)
        return (user, try await schemas.setMember(member, isMember, in: place))
    }

    private func userRecordName(ofPerson name: String, in container: String) async throws -> String {
        if name.hasPrefix("_"), NameRules.mayBeSought(name),
            try await directory.account(withUserRecordName: name, in: container) != nil
        {
            return name
        }
        return try await recordName(of: try await person(named: name), in: container)
    }
}

extension RecordError {
    /// The error for a role of which nobody can be made a member.
    static func noRole(_ role: String) -> RecordError {
        let isSystem = Role(name: role).isSystem
        return RecordError(
            .notFound, isSystem ? "nobody is made a member of this role" : "there is no such role",
            culprit: role,
            nextStep: isSystem
                ? "everybody holds it of whom it is true; grant it something in the schema instead"
                : "create it in the schema first: CREATE ROLE \(role);"
        )
    }
}
