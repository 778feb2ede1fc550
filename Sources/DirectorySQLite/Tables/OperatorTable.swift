import Directory
import GRDB
import Records

/// Reads and writes operators and their roles.
struct OperatorTable {
    let database: Database

    func add(_ account: OperatorAccount, password: String) throws {
        if try has(account.name) { throw OperatorRules.taken(account.name) }
        try database.execute(
            sql: "INSERT INTO operator (name, role, password, created_at) VALUES (?, ?, ?, ?)",
            arguments: [account.name, account.role?.rawValue, password, account.created.milliseconds])
        try setRoles(of: account)
    }

    func change(_ account: OperatorAccount, password: String?) throws {
        guard try has(account.name) else { throw OperatorRules.missing(account.name) }
        try database.execute(
            sql: "UPDATE operator SET role = ?, password = coalesce(?, password) WHERE name = ?",
            arguments: [account.role?.rawValue, password, account.name])
        try setRoles(of: account)
    }

    func remove(_ name: String) throws {
        guard try has(name) else { throw OperatorRules.missing(name) }
        try database.execute(sql: "DELETE FROM operator_container WHERE operator = ?", arguments: [name])
        try database.execute(sql: "DELETE FROM operator WHERE name = ?", arguments: [name])
    }

    func all() throws -> [OperatorAccount] {
        try Row.fetchAll(database, sql: "SELECT name, role, created_at FROM operator ORDER BY name")
            .map(account)
    }

    func account(named name: String) throws -> (account: OperatorAccount, password: String)? {
        try Row.fetchOne(
            database, sql: "SELECT name, role, created_at, password FROM operator WHERE name = ?",
            arguments: [name]
        )
        .map { (try account($0), $0[3]) }
    }

    /// Removes the roles in a container.
    func remove(rolesIn container: String) throws {
        try database.execute(
            sql: "DELETE FROM operator_container WHERE container = ?", arguments: [container])
    }

    private func has(_ name: String) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM operator WHERE name = ?)", arguments: [name]) == true
    }

    private func setRoles(of account: OperatorAccount) throws {
        try database.execute(
            sql: "DELETE FROM operator_container WHERE operator = ?", arguments: [account.name])
        for (container, role) in account.containers {
            try database.execute(
                sql: "INSERT INTO operator_container (operator, container, role) VALUES (?, ?, ?)",
                arguments: [account.name, container, role.rawValue])
        }
    }

    private func account(_ row: Row) throws -> OperatorAccount {
        let name: String = row[0]
        let roles = try Row.fetchAll(
            database, sql: "SELECT container, role FROM operator_container WHERE operator = ?",
            arguments: [name])
        var account = OperatorAccount(
            name: name, role: (row[1] as String?).flatMap(OperatorRole.init),
            created: Timestamp(milliseconds: row[2]))
        for role in roles { account.containers[role[0]] = OperatorRole(rawValue: role[1]) }
        return account
    }
}
