import Foundation
import GRDB
package import Records

extension SQLiteDirectory {
    package func secret(named name: String, candidate: [UInt8]) async throws -> [UInt8] {
        try await write { try SecretTable(database: $0).secret(named: name, candidate: candidate) }
    }

    package func secret(named name: String) async throws -> [UInt8]? {
        try await read { try SecretTable(database: $0).secret(named: name) }
    }

    package func add(_ token: APIToken, hash: [UInt8]) async throws {
        try await write { try TokenTable(database: $0).add(token, hash: hash) }
    }

    package func apiToken(hash: [UInt8]) async throws -> APIToken? {
        try await read { try TokenTable(database: $0).tokens(where: "hash = ?", [Data(hash)]).first }
    }

    package func apiToken(id: String) async throws -> APIToken? {
        try await read { try TokenTable(database: $0).tokens(where: "id = ?", [id]).first }
    }

    package func apiTokens(of container: String) async throws -> [APIToken] {
        try await read { try TokenTable(database: $0).tokens(where: "container = ?", [container]) }
    }

    package func revokeAPIToken(id: String, at time: Timestamp) async throws {
        try await write { try TokenTable(database: $0).revoke(id: id, at: time) }
    }

    package func add(_ key: ServerKey) async throws {
        try await write { try KeyTable(database: $0).add(key) }
    }

    package func serverKey(id: String) async throws -> ServerKey? {
        try await read { try KeyTable(database: $0).keys(where: "id = ?", [id]).first }
    }

    package func serverKeys(of container: String) async throws -> [ServerKey] {
        try await read { try KeyTable(database: $0).keys(where: "container = ?", [container]) }
    }

    package func revokeServerKey(id: String, at time: Timestamp) async throws {
        try await write { try KeyTable(database: $0).revoke(id: id, at: time) }
    }
}
