package import Records

/// A person who is a member of a role.
package struct RoleMember: Hashable, Sendable {
    package var role: String
    package var userRecordName: String

    package init(role: String, userRecordName: String) {
        self.role = role
        self.userRecordName = userRecordName
    }
}

/// The schema of each container and environment, with the members of its roles.
///
/// - A schema comes back as it was saved, for its container and environment only.
/// - Saving types replaces those and leaves other types and the roles.
/// - Replacing a schema removes the types and roles that the new one lacks.
/// - A role that is removed loses its members; a role that stays keeps them.
/// - Members are listed by role and record name.
/// - A person becomes a member once, and ends to be one once.
/// - A missing role takes no members, and a person without a record name in the container is none.
package protocol SchemaDirectory: Sendable {
    /// The record types of a container in one environment.
    func schema(of container: String, in environment: CloudEnvironment) async throws -> Schema

    /// Replaces some types.
    func save(
        _ types: [TypeSchema], of container: String, in environment: CloudEnvironment
    ) async throws

    /// Replaces types and roles. A role that the new schema lacks loses its members.
    func replaceSchema(
        of container: String, in environment: CloudEnvironment, with schema: Schema
    ) async throws

    /// The members of all roles, by role.
    func roleMembers(
        of container: String, in environment: CloudEnvironment
    ) async throws -> [RoleMember]

    /// Makes a person a member; false when that was so before. Throws `notFound` for a missing role or
    /// person.
    func addRoleMember(
        _ member: RoleMember, of container: String, in environment: CloudEnvironment
    ) async throws -> Bool

    /// Ends a membership; false when there was none.
    func removeRoleMember(
        _ member: RoleMember, of container: String, in environment: CloudEnvironment
    ) async throws -> Bool
}
