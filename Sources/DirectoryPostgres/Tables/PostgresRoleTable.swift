import Directory
import PostgreSQLSupport
import Records

/// Reads and writes the roles of one container in one environment, and their members.
struct PostgresRoleTable {
    let connection: PostgresConnection
    let container: String
    let environment: CloudEnvironment

    private var place: [PostgresValue] { [.text(container), .text(environment.rawValue)] }

    func names() throws -> Set<String> {
        Set(
            try connection.run(
                "SELECT role FROM schema_role WHERE container = $1 AND environment = $2", place
            ).map { $0.text(0) })
    }

    /// Replaces the roles. Roles that remain keep their members.
    func set(_ roles: Set<String>) throws {
        let known = try names()
        for role in known.subtracting(roles) {
            try connection.send(
                "DELETE FROM schema_role WHERE container = $1 AND environment = $2 AND role = $3",
                place + [.text(role)])
        }
        for role in roles.subtracting(known) {
            try connection.send(
                "INSERT INTO schema_role (container, environment, role) VALUES ($1, $2, $3)",
                place + [.text(role)])
        }
    }

    // MARK: Members

    func members() throws -> [RoleMember] {
        try connection.run(
            """
            SELECT role, user_record_name
            FROM role_member
            WHERE container = $1 AND environment = $2
            ORDER BY role, user_record_name
            """,
            place
        ).map { RoleMember(role: $0.text(0), userRecordName: $0.text(1)) }
    }

    func add(_ member: RoleMember) throws -> Bool {
        let users = PostgresUserTable(connection: connection)
        try RoleRules.check(
            member, hasRole: try names().contains(member.role),
            hasPerson: try users.has(member.userRecordName, in: container))
        return try connection.run(
            """
            INSERT INTO role_member (container, environment, role, user_record_name)
            VALUES ($1, $2, $3, $4)
            ON CONFLICT DO NOTHING
            """,
            place + [.text(member.role), .text(member.userRecordName)]
        ).affected > 0
    }

    func remove(_ member: RoleMember) throws -> Bool {
        try connection.run(
            """
            DELETE FROM role_member
            WHERE container = $1 AND environment = $2 AND role = $3 AND user_record_name = $4
            """,
            place + [.text(member.role), .text(member.userRecordName)]
        ).affected > 0
    }
}
