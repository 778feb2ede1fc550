package import Records

/// Rules for the members of roles.
package enum RoleRules {
    /// Throws `notFound` if the role or the person is missing.
    package static func check(
        _ member: RoleMember, hasRole: Bool, hasPerson: Bool
    ) throws(RecordError) {
        guard hasRole else {
            throw RecordError(
                .notFound, "there is no such role", culprit: member.role,
                nextStep: "list the roles, or create it in the schema: CREATE ROLE \(member.role);"
            )
        }
        guard hasPerson else {
            throw RecordError(
                .notFound, "nobody has this record name in the container", culprit: member.userRecordName,
                nextStep: "look up the person's record name"
            )
        }
    }
}
