package import Records

extension SQLiteDirectory {
    package func add(_ account: OperatorAccount, password: String) async throws {
        try await write { try OperatorTable(database: $0).add(account, password: password) }
    }

    package func change(_ account: OperatorAccount, password: String?) async throws {
        try await write { try OperatorTable(database: $0).change(account, password: password) }
    }

    package func removeOperator(named name: String) async throws {
        try await write { try OperatorTable(database: $0).remove(name) }
    }

    package func operators() async throws -> [OperatorAccount] {
        try await read { try OperatorTable(database: $0).all() }
    }

    package func operatorAccount(
        named name: String
    ) async throws -> (account: OperatorAccount, password: String)? {
        try await read { try OperatorTable(database: $0).account(named: name) }
    }

    package func addAuditEntry(_ entry: AuditEntry, limit: Int) async throws {
        try await write { try AuditTable(database: $0).add(entry, limit: limit) }
    }

    package func auditEntries(
        of container: String?, before number: Int64?, limit: Int
    ) async throws -> [AuditEntry] {
        try await read { try AuditTable(database: $0).entries(of: container, before: number, limit: limit) }
    }
}
