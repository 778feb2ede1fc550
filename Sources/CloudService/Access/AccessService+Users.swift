import Directory
package import Records

extension AccessService {
    /// A page of the people who have used a container, sorted by user record name. People who agreed to be
    /// found have a name; of the others, it has only the user record name.
    ///
    /// - Parameter name: the last user record name of the page before; nil: the first page.
    package func users(
        of container: String, after name: String?, limit: Int
    ) async throws -> [RoleReport.Member] {
        try await containerRegistry.checkExists(container)
        let users = try await context.directory.userRecordNames(in: container, after: name, limit: limit)
        let found = try await context.directory.discoverableUsers(
            users.map(UserLookup.userRecordName), in: container)
        return zip(users, found).map { user, known in
            RoleReport.Member(userRecordName: user, person: known?.account.name)
        }
    }

    /// The roles of each of these people in one environment, sorted by name. A person without roles is left
    /// out. The members of a container's roles are cached, so this reads nothing for a single person.
    package func roles(
        of people: [String], in container: String, _ environment: CloudEnvironment
    ) async throws -> [String: [String]] {
        try await containerRegistry.checkExists(container)
        let place = ContainerKey(container: container, environment: environment)
        let known = try await schemaCache.schema(of: place).roles
        if known.isEmpty { return [:] }
        let members = try await schemaCache.members(of: place)
        var roles: [String: [String]] = [:]
        for person in people {
            let names = known.intersection(members[person] ?? []).sorted { $0.precedesInBytes($1) }
            if !names.isEmpty { roles[person] = names }
        }
        return roles
    }
}
