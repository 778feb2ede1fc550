package import Records

extension MemoryDirectory {
    package func secret(named name: String, candidate: [UInt8]) async throws -> [UInt8] {
        try with { state in
            let secret = state.secrets[name] ?? candidate
            state.secrets[name] = secret
            return secret
        }
    }

    package func secret(named name: String) async throws -> [UInt8]? { try with { $0.secrets[name] } }

    package func add(_ token: APIToken, hash: [UInt8]) async throws {
        try with { state in
            if state.tokens[hash] != nil || state.tokens.values.contains(where: { $0.id == token.id }) {
                throw CredentialRules.taken(token.id)
            }
            state.tokens[hash] = token
        }
    }

    package func apiToken(hash: [UInt8]) async throws -> APIToken? {
        try with { $0.tokens[hash] }
    }

    package func apiToken(id: String) async throws -> APIToken? {
        try with { $0.tokens.values.first { $0.id == id } }
    }

    package func apiTokens(of container: String) async throws -> [APIToken] {
        try with { state in
            state.tokens.values.filter { $0.container == container }
                .sorted { ($0.created, $0.id) < ($1.created, $1.id) }
        }
    }

    package func revokeAPIToken(id: String, at time: Timestamp) async throws {
        try with { state in
            let found = state.tokens.first { $0.value.id == id && $0.value.revoked == nil }
            guard let found else { throw CredentialRules.notValid(id) }
            state.tokens[found.key]?.revoked = time
        }
    }

    package func add(_ key: ServerKey) async throws {
        try with { state in
            if state.keys[key.id] != nil { throw CredentialRules.taken(key.id) }
            state.keys[key.id] = key
        }
    }

    package func serverKey(id: String) async throws -> ServerKey? {
        try with { $0.keys[id] }
    }

    package func serverKeys(of container: String) async throws -> [ServerKey] {
        try with { state in
            state.keys.values.filter { $0.container == container }
                .sorted { ($0.created, $0.id) < ($1.created, $1.id) }
        }
    }

    package func revokeServerKey(id: String, at time: Timestamp) async throws {
        try with { state in
            guard let key = state.keys[id], key.revoked == nil else { throw CredentialRules.notValid(id) }
            state.keys[id]?.revoked = time
        }
    }
}
