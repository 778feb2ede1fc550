import Directory
import PostgreSQLSupport
import Records

/// Reads and writes operators and their roles.
struct PostgresOperatorTable {
    let connection: PostgresConnection

    func add(_ account: OperatorAccount, password: String) throws {
        if try has(account.name) { throw OperatorRules.taken(account.name) }
        try connection.send(
            "INSERT INTO operator (name, role, password, created_at) VALUES ($1, $2, $3, $4)",
            [
                .text(account.name), .optional(account.role?.rawValue), .text(password),
                .integer(account.created.milliseconds),
            ])
        try setRoles(of: account)
    }

    func change(_ account: OperatorAccount, password: String?) throws {
        guard try has(account.name) else { throw OperatorRules.missing(account.name) }
        try connection.send(
            "UPDATE operator SET role = $1, password = COALESCE($2, password) WHERE name = $3",
            [.optional(account.role?.rawValue), .optional(password), .text(account.name)])
        try setRoles(of: account)
    }

    func remove(_ name: String) throws {
        guard try has(name) else { throw OperatorRules.missing(name) }
        try connection.send("DELETE FROM operator_container WHERE operator = $1", [.text(name)])
        try connection.send("DELETE FROM operator WHERE name = $1", [.text(name)])
    }

    func all() throws -> [OperatorAccount] {
        try connection.run("SELECT name, role, created_at FROM operator ORDER BY name", []).map(account)
    }

    func account(named name: String) throws -> (account: OperatorAccount, password: String)? {
        try connection.run(
            "SELECT name, role, created_at, password FROM operator WHERE name = $1", [.text(name)]
        ).first.map { (try account($0), $0.text(3)) }
    }

    private func has(_ name: String) throws -> Bool {
        try !connection.run("SELECT 1 FROM operator WHERE name = $1", [.text(name)]).isEmpty
    }

    private func setRoles(of account: OperatorAccount) throws {
        try connection.send("DELETE FROM operator_container WHERE operator = $1", [.text(account.name)])
        for (container, role) in account.containers {
            try connection.send(
                "INSERT INTO operator_container (operator, container, role) VALUES ($1, $2, $3)",
                [.text(account.name), .text(container), .text(role.rawValue)])
        }
    }

    private func account(_ row: PostgresRow) throws -> OperatorAccount {
        let name = row.text(0)
        var account = OperatorAccount(
            name: name, role: row.optionalText(1).flatMap(OperatorRole.init),
            created: Timestamp(milliseconds: row.integer(2)))
        let roles = try connection.run(
            "SELECT container, role FROM operator_container WHERE operator = $1", [.text(name)])
        for role in roles { account.containers[role.text(0)] = OperatorRole(rawValue: role.text(1)) }
        return account
    }
}
