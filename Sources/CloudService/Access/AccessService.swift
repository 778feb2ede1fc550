import Directory
import RecordStore
package import Records

/// Explains which operations callers may perform on public records, and manages the members of roles.
package final class AccessService: Sendable {
    let context: ServiceContext
    let databases: DatabaseService
    let containerRegistry: ContainerRegistry
    let schemaCache: SchemaCache
    let sessions: SessionService
    let people: PeopleService

    init(
        _ context: ServiceContext, databases: DatabaseService, containerRegistry: ContainerRegistry,
        schemaCache: SchemaCache, sessions: SessionService, people: PeopleService
    ) {
        self.context = context
        self.databases = databases
        self.containerRegistry = containerRegistry
        self.schemaCache = schemaCache
        self.sessions = sessions
        self.people = people
    }

    /// Says whether a caller has a permission in the public database, and why: on the record `recordName`, or
    /// otherwise on records of `type`. Without a record, READ is about the records of all people, and CREATE
    /// and WRITE are about records that the caller would create.
    ///
    /// Throws `notFound` if the record does not exist, and `badRequest` if neither a type nor a record is
    /// named.
    package func explain(
        _ permission: Permission, type: String?, recordName: String?, by caller: Caller
    ) async throws -> AccessVerdict {
        let rules = try await schemaCache.access(for: caller)
        if let recordName {
            let record = try await databases.using(.public, for: caller) { database in
                try await database.records.heads(named: [recordName], in: ZoneID.defaultName)[0]
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

    /// The roles of a container in one environment, by name, each with its members. Members who agreed
    /// to be found have a name; of the others, the report has only the user record name.
    ///
    /// - Parameter named: how many members of each role get their name; the names of others are not looked
    ///   up.
    package func roles(
        of container: String, in environment: CloudEnvironment, named: Int = .max
    ) async throws -> [RoleReport] {
        try await containerRegistry.checkExists(container)
        let place = ContainerKey(container: container, environment: environment)
        let roles = try await schemaCache.schema(of: place).roles
        let all = try await context.directory.roleMembers(of: container, in: environment)
        let shown = Dictionary(grouping: all, by: \.role).values.flatMap { $0.prefix(named) }
        let users = Set(shown.map(\.userRecordName)).map(UserLookup.userRecordName)
        var names: [String: String] = [:]
        for case let user? in try await context.directory.discoverableUsers(users, in: container) {
            names[user.userRecordName] = user.account.name
        }
        var members: [String: [RoleReport.Member]] = [:]
        for member in all {
            let user = member.userRecordName
            members[member.role, default: []].append(
                RoleReport.Member(userRecordName: user, person: names[user]))
        }
        return roles.sorted { $0.precedesInBytes($1) }.map {
            RoleReport(name: $0, members: members[$0] ?? [])
        }
    }

    /// Adds a person, given by sign-in name, e-mail address or user record name, to a role, or removes the
    /// person.
    ///
    /// - Parameter isLimited: whether only people are found who have used the container, for operators who
    ///   may not know who else has an account.
    /// - Returns: the record name of the person, and whether anything changed.
    /// - Throws: `notFound` for an unknown role or person.
    package func setRole(
        _ role: String, of person: String, isMember: Bool, in container: String,
        _ environment: CloudEnvironment, isLimited: Bool = false
    ) async throws -> (userRecordName: String, isNew: Bool) {
        try await containerRegistry.checkExists(container)
        let place = ContainerKey(container: container, environment: environment)
        guard try await schemaCache.schema(of: place).roles.contains(role) else {
            throw RecordError.noRole(role)
        }
        let user =
            isLimited
            ? try await knownUserRecordName(ofPerson: person, in: container)
            : try await userRecordName(ofPerson: person, in: container)
        let member = RoleMember(role: role, userRecordName: user)
        return (user, try await schemaCache.setMember(member, isMember, in: place))
    }

    private func isUserRecordName(_ name: String, in container: String) async throws -> Bool {
        guard name.hasPrefix("_"), NameRules.canBeLookedUp(name) else { return false }
        return try await context.directory.account(withUserRecordName: name, in: container) != nil
    }

    /// The user record name of a person who has used the container. The error for all others is the same.
    private func knownUserRecordName(
        ofPerson name: String, in container: String
    ) async throws -> String {
        if try await isUserRecordName(name, in: container) { return name }
        if NameRules.canBeLookedUp(name),
            let account = try await context.directory.account(signingInAs: name),
            let user = try await people.userRecordNames(of: account)[container]
        {
            return user
        }
        throw RecordError(
            .notFound, "nobody of that name has used this container", culprit: name,
            nextStep: "let the person sign in to it first, or ask an operator of the whole server")
    }

    private func userRecordName(ofPerson name: String, in container: String) async throws -> String {
        if try await isUserRecordName(name, in: container) { return name }
        return try await sessions.recordName(of: try await people.person(named: name), in: container)
    }
}

extension RecordError {
    /// The error for a role that does not exist, or that is a system role, to which nobody can be added.
    static func noRole(_ role: String) -> RecordError {
        let isSystem = Role(name: role).isSystem
        return RecordError(
            .notFound, isSystem ? "a system role has no list of members" : "there is no such role",
            culprit: role,
            nextStep: isSystem
                ? "the server assigns it by itself; add members to a role of the schema instead"
                : "create it in the schema first: CREATE ROLE \(role);"
        )
    }
}
