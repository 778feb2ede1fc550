package import Directory
package import Records

extension PostgresDirectory {
    package func account(named name: String, newID: String, at time: Timestamp) async throws -> Account {
        try await write { connection in
            let accounts = PostgresAccountTable(connection: connection)
            if let known = try accounts.account(named: name) { return known }
            let account = Account(id: newID, name: name, created: time)
            try accounts.add(account, password: nil)
            return account
        }
    }

    package func add(_ account: Account, password: String?) async throws {
        try await write { try PostgresAccountTable(connection: $0).add(account, password: password) }
    }

    package func accounts() async throws -> [Account] {
        try await read { try PostgresAccountTable(connection: $0).accounts() }
    }

    package func accounts(after name: String?, limit: Int) async throws -> [Account] {
        try await read { try PostgresAccountTable(connection: $0).accounts(after: name, limit: limit) }
    }

    package func account(signingInAs name: String) async throws -> Account? {
        try await read { try PostgresAccountTable(connection: $0).account(signingInAs: name) }
    }

    package func change(_ account: Account, hashes: ContactHashes) async throws {
        try await write(telling: { _ in [.people] }) {
            try PostgresAccountTable(connection: $0).change(account, hashes: hashes)
        }
    }

    package func password(of account: String) async throws -> String? {
        try await read { try PostgresAccountTable(connection: $0).password(of: account) }
    }

    package func setPassword(_ password: String?, of account: String) async throws -> EndedSessions {
        try await write(telling: \.changes) { connection in
            try PostgresAccountTable(connection: connection).setPassword(password, of: account)
            return try PostgresSessionTable(connection: connection).endAll(of: account)
        }
    }

    package func removeAccount(_ account: String) async throws -> EndedSessions {
        try await write(telling: { $0.changes + [.people] }) { connection in
            let ended = try PostgresSessionTable(connection: connection).endAll(of: account)
            try PostgresAccountTable(connection: connection).remove(account)
            return ended
        }
    }

    // MARK: Record names

    package func userRecordName(
        of account: Account, in container: String, candidate: String
    ) async throws -> String {
        try await write {
            try PostgresUserTable(connection: $0).recordName(of: account, in: container, candidate: candidate)
        }
    }

    package func userRecordNames(of account: String) async throws -> [String: String] {
        try await read { try PostgresUserTable(connection: $0).recordNames(of: account) }
    }

    package func account(
        withUserRecordName name: String, in container: String
    ) async throws -> Account? {
        try await read { try PostgresUserTable(connection: $0).account(withRecordName: name, in: container) }
    }

    package func containers(withUserRecordName name: String) async throws -> [String] {
        try await read { try PostgresUserTable(connection: $0).containers(withRecordName: name) }
    }

    // MARK: Linked addresses

    package func link(_ address: ContactAddress, to account: String) async throws {
        try await write { try PostgresAccountTable(connection: $0).link(address, to: account) }
    }

    package func linkedAddresses(of account: String) async throws -> [ContactAddress] {
        try await read { try PostgresAccountTable(connection: $0).linkedAddresses(of: account) }
    }
}
