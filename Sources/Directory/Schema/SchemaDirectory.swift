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

/// Stores the schema of each container and environment, and the members of its roles.
///
/// - A schema is read as it was saved, for its container and environment only.
/// - Saving types replaces these types, and keeps other types and the roles.
/// - A schema that has changed since it was read is not changed.
/// - Replacing a schema removes the types and roles that the new one lacks.
/// - A role that is removed loses its members; a role that stays keeps them.
/// - Members are sorted by role and record name.
/// - Adding a member succeeds once, and so does removing the member.
/// - Adding a member fails for a missing role and for a person without a record name in the container.
package protocol SchemaDirectory: Sendable {
    /// The schema of a container in one environment.
    func schema(of container: String, in environment: CloudEnvironment) async throws -> Schema

    /// Adds types, or replaces those with the same names. Returns false, and changes nothing, if the schema,
    /// completed by the types of a new container, differs from `known`.
    ///
    /// - Parameter known: the schema as the caller has read it; nil: any schema.
    func save(
        _ types: [TypeSchema], of container: String, in environment: CloudEnvironment, ifStill known: Schema?
    ) async throws -> Bool

    /// Replaces types and roles. A role that the new schema lacks loses its members. Returns false as `save`
    /// does.
    func replaceSchema(
        of container: String, in environment: CloudEnvironment, with schema: Schema, ifStill known: Schema?
    ) async throws -> Bool

    /// The members of all roles, sorted by role and record name.
    func roleMembers(
        of container: String, in environment: CloudEnvironment
    ) async throws -> [RoleMember]

    /// Adds a member to a role. Returns false if the person is a member already. Throws `notFound` for a
    /// missing role or person.
    func addRoleMember(
        _ member: RoleMember, of container: String, in environment: CloudEnvironment
    ) async throws -> Bool

    /// Removes a member from a role. Returns false if the person was no member.
    func removeRoleMember(
        _ member: RoleMember, of container: String, in environment: CloudEnvironment
    ) async throws -> Bool
}
