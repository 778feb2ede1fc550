import Directory
import GRDB
import Records

/// Reads and writes the roles of one container in one environment, and their members.
struct RoleTable {
    let database: Database
    let container: String
    let environment: CloudEnvironment

    private var place: StatementArguments { [container, environment.rawValue] }

    func names() throws -> Set<String> {
        try String.fetchSet(
            database, sql: "SELECT role FROM schema_role WHERE container = ? AND environment = ?",
            arguments: place
        )
    }

    /// Replaces the roles. Roles that remain keep their members.
    func set(_ roles: Set<String>) throws {
        let known = try names()
        for role in known.subtracting(roles) {
            try database.execute(
                sql: "DELETE FROM schema_role WHERE container = ? AND environment = ? AND role = ?",
                arguments: place + [role]
            )
        }
        for role in roles.subtracting(known) {
            try database.execute(
                sql: "INSERT INTO schema_role (container, environment, role) VALUES (?, ?, ?)",
                arguments: place + [role]
            )
        }
    }

    // MARK: Members

    func members() throws -> [RoleMember] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT role, user_record_name
                FROM role_member
                WHERE container = ? AND environment = ?
                ORDER BY role, user_record_name
                """,
            arguments: place
        )
        .map { RoleMember(role: $0[0], userRecordName: $0[1]) }
    }

    func add(_ member: RoleMember) throws -> Bool {
        try RoleRules.check(
            member, hasRole: try names().contains(member.role),
            hasPerson: try UserTable(database: database).has(member.userRecordName, in: container))
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO role_member (container, environment, role, user_record_name)
                VALUES (?, ?, ?, ?)
                """,
            arguments: place + [member.role, member.userRecordName]
        )
        return database.changesCount > 0
    }

    func remove(_ member: RoleMember) throws -> Bool {
        try database.execute(
            sql: """
                DELETE FROM role_member
                WHERE container = ? AND environment = ? AND role = ? AND user_record_name = ?
                """,
            arguments: place + [member.role, member.userRecordName]
        )
        return database.changesCount > 0
    }
}
