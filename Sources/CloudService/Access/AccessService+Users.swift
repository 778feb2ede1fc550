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
}
