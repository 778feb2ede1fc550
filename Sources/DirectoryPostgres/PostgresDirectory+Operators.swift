package import Records

extension PostgresDirectory {
    package func add(_ account: OperatorAccount, password: String) async throws {
        try await write { try PostgresOperatorTable(connection: $0).add(account, password: password) }
    }

    package func change(_ account: OperatorAccount, password: String?) async throws {
        try await write { try PostgresOperatorTable(connection: $0).change(account, password: password) }
    }

    package func removeOperator(named name: String) async throws {
        try await write { try PostgresOperatorTable(connection: $0).remove(name) }
    }

    package func operators() async throws -> [OperatorAccount] {
        try await read { try PostgresOperatorTable(connection: $0).all() }
    }

    package func operatorAccount(
        named name: String
    ) async throws -> (account: OperatorAccount, password: String)? {
        try await read { try PostgresOperatorTable(connection: $0).account(named: name) }
    }

    @discardableResult
    package func addAuditEntry(_ entry: AuditEntry, limit: Int) async throws -> Int64 {
        try await write { try PostgresAuditTable(connection: $0).add(entry, limit: limit) }
    }

    package func replaceAuditEntry(_ number: Int64, by entry: AuditEntry?) async throws {
        try await write { try PostgresAuditTable(connection: $0).replace(number, by: entry) }
    }

    package func auditEntries(
        of container: String?, before number: Int64?, limit: Int
    ) async throws -> [AuditEntry] {
        try await read {
            try PostgresAuditTable(connection: $0).entries(of: container, before: number, limit: limit)
        }
    }
}
