import Directory
import PostgreSQLSupport
package import Records

extension PostgresDirectory {
    package func secret(named name: String, candidate: [UInt8]) async throws -> [UInt8] {
        try await write { try PostgresSecretTable(connection: $0).secret(named: name, candidate: candidate) }
    }

    package func secret(named name: String) async throws -> [UInt8]? {
        try await read { try PostgresSecretTable(connection: $0).secret(named: name) }
    }

    package func add(_ token: APIToken, hash: [UInt8]) async throws {
        try await write { try PostgresCredentialTable(connection: $0).add(token, hash: hash) }
    }

    package func apiToken(hash: [UInt8]) async throws -> APIToken? {
        try await read {
            try PostgresCredentialTable(connection: $0).tokens(where: "hash = $1", .bytes(hash)).first
        }
    }

    package func apiToken(id: String) async throws -> APIToken? {
        try await read {
            try PostgresCredentialTable(connection: $0).tokens(where: "id = $1", .text(id)).first
        }
    }

    package func apiTokens(of container: String) async throws -> [APIToken] {
        try await read {
            try PostgresCredentialTable(connection: $0).tokens(where: "container = $1", .text(container))
        }
    }

    package func revokeAPIToken(id: String, at time: Timestamp) async throws {
        try await write(telling: { _ in [.credentials] }) {
            try PostgresCredentialTable(connection: $0).revoke(id, in: "api_token", at: time)
        }
    }

    package func add(_ key: ServerKey) async throws {
        try await write(telling: { _ in [.credentials] }) {
            try PostgresCredentialTable(connection: $0).add(key)
        }
    }

    package func serverKey(id: String) async throws -> ServerKey? {
        try await read { try PostgresCredentialTable(connection: $0).keys(where: "id = $1", .text(id)).first }
    }

    package func serverKeys(of container: String) async throws -> [ServerKey] {
        try await read {
            try PostgresCredentialTable(connection: $0).keys(where: "container = $1", .text(container))
        }
    }

    package func revokeServerKey(id: String, at time: Timestamp) async throws {
        try await write(telling: { _ in [.credentials] }) {
            try PostgresCredentialTable(connection: $0).revoke(id, in: "server_key", at: time)
        }
    }
}
