import GRDB
package import RecordStore
package import Records

extension SQLiteDirectory {
    /// Types used to have no grants of their own; they get those that all types had. Never changes once
    /// released.
    static func registerRoles(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("roles: grants, members, notation of numbers") { database in
            try database.execute(sql: roleTables)
        }
    }

    private static let roleTables = """
        ALTER TABLE schema_field ADD COLUMN number INTEGER; -- 1 unsettled, 2 preferred; NULL: type was known

        CREATE TABLE schema_grant (
            container TEXT NOT NULL,
            environment TEXT NOT NULL,
            type TEXT NOT NULL,
            role TEXT NOT NULL,
            permissions INTEGER NOT NULL,       -- the bits of read, create, write
            PRIMARY KEY (container, environment, type, role),
            FOREIGN KEY (container, environment, type) REFERENCES schema_type
        ) WITHOUT ROWID, STRICT;

        INSERT INTO schema_grant (container, environment, type, role, permissions)
        SELECT container, environment, type, '_world', 1 FROM schema_type
        UNION ALL
        SELECT container, environment, type, '_icloud', 2 FROM schema_type
        UNION ALL
        SELECT container, environment, type, '_creator', 4 FROM schema_type;

        CREATE TABLE schema_role (
            container TEXT NOT NULL,
            environment TEXT NOT NULL,
            role TEXT NOT NULL,
            PRIMARY KEY (container, environment, role)
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE role_member (
            container TEXT NOT NULL,
            environment TEXT NOT NULL,
            role TEXT NOT NULL,
            user_record_name TEXT NOT NULL,
            PRIMARY KEY (container, environment, role, user_record_name),
            FOREIGN KEY (container, environment, role) REFERENCES schema_role ON DELETE CASCADE,
            FOREIGN KEY (container, user_record_name)
                REFERENCES container_user (container, user_record_name) ON DELETE CASCADE
        ) WITHOUT ROWID, STRICT;

        -- Whoever leaves, leaves all roles.
        CREATE INDEX role_member_by_user ON role_member (container, user_record_name);
        """

    // MARK: Grants and roles

    /// Reads grants and roles; `place` is a container and an environment.
    static func addRoles(
        to schema: inout Schema, _ place: StatementArguments, _ database: Database
    ) throws {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT type, role, permissions FROM schema_grant WHERE container = ? AND environment = ?",
            arguments: place
        )
        for row in rows {
            let bits: UInt8 = row[2]
            let permissions = Permission.allCases.enumerated().filter { bits & 1 << $0.offset != 0 }
            schema.types[row[0]]?.grants[Role(name: row[1])] = Set(permissions.map(\.element))
        }
        schema.roles = try String.fetchSet(
            database, sql: "SELECT role FROM schema_role WHERE container = ? AND environment = ?",
            arguments: place
        )
    }

    /// Writes the grants of a type; `key` is its container, environment and name.
    static func saveGrants(of type: TypeSchema, _ key: StatementArguments, _ database: Database) throws {
        try database.execute(
            sql: "DELETE FROM schema_grant WHERE container = ? AND environment = ? AND type = ?",
            arguments: key
        )
        for (role, permissions) in type.grants.permissions {
            var bits: UInt8 = 0
            for (place, permission) in Permission.allCases.enumerated() where permissions.contains(permission)
            {
                bits |= 1 << place
            }
            try database.execute(
                sql: """
                    INSERT INTO schema_grant (container, environment, type, role, permissions)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: key + [role.name, bits]
            )
        }
    }

    /// Writes which roles there are; those that stay keep their members.
    static func setRoles(
        _ roles: Set<String>, _ place: StatementArguments, _ database: Database
    ) throws {
        let known = try String.fetchSet(
            database, sql: "SELECT role FROM schema_role WHERE container = ? AND environment = ?",
            arguments: place
        )
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

    package func roleMembers(
        of container: String, in environment: CloudEnvironment
    ) async throws -> [RoleMember] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT role, user_record_name
                    FROM role_member
                    WHERE container = ? AND environment = ?
                    ORDER BY role, user_record_name
                    """,
                arguments: [container, environment.rawValue]
            )
            .map { RoleMember(role: $0[0], userRecordName: $0[1]) }
        }
    }

    package func addRoleMember(
        _ member: RoleMember, of container: String, in environment: CloudEnvironment
    ) async throws -> Bool {
        try await write { database in
            let key: StatementArguments = [container, environment.rawValue, member.role]
            let isThere = try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM schema_role WHERE container = ? AND environment = ? AND role = ?
                    )
                    """,
                arguments: key
            )
            guard isThere == true else {
                throw RecordError(
                    .notFound, "there is no such role", culprit: member.role,
                    nextStep: "list the roles, or create it in the schema: CREATE ROLE \(member.role);"
                )
            }
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO role_member (container, environment, role, user_record_name)
                    VALUES (?, ?, ?, ?)
                    """,
                arguments: key + [member.userRecordName]
            )
            return database.changesCount > 0
        }
    }

    package func removeRoleMember(
        _ member: RoleMember, of container: String, in environment: CloudEnvironment
    ) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: """
                    DELETE FROM role_member
                    WHERE container = ? AND environment = ? AND role = ? AND user_record_name = ?
                    """,
                arguments: [container, environment.rawValue, member.role, member.userRecordName]
            )
            return database.changesCount > 0
        }
    }
}
