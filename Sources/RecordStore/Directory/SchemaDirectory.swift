package import Records

/// Somebody who has been made a member of a role.
package struct RoleMember: Hashable, Sendable {
    package var role: String
    package var userRecordName: String

    package init(role: String, userRecordName: String) {
        self.role = role
        self.userRecordName = userRecordName
    }
}

/// The schema of each container and environment, with the members of its roles. All methods throw
/// `RecordError`.
package protocol SchemaDirectory: Sendable {
    /// The record types of a container in one environment.
    func schema(of container: String, in environment: CloudEnvironment) async throws -> Schema

    /// Replaces what is known of some types.
    func save(
        _ types: [TypeSchema], of container: String, in environment: CloudEnvironment
    ) async throws

    /// Replaces types and roles; a role that is gone loses its members.
    func replaceSchema(
        of container: String, in environment: CloudEnvironment, with schema: Schema
    ) async throws

    /// The members of all roles, by role.
    func roleMembers(
        of container: String, in environment: CloudEnvironment
    ) async throws -> [RoleMember]

    /// Makes somebody a member; false when that was so before. Throws `notFound` for a role that is not
    /// there.
    func addRoleMember(
        _ member: RoleMember, of container: String, in environment: CloudEnvironment
    ) async throws -> Bool

    /// Ends a membership; false when there was none.
    func removeRoleMember(
        _ member: RoleMember, of container: String, in environment: CloudEnvironment
    ) async throws -> Bool
}
