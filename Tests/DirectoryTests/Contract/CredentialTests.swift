import Directory
import Records
import Testing

@Suite("Directory contract: tokens and keys")
struct CredentialTests {
    private func token(_ id: String, created: Int64 = 0, container: String = "c") -> APIToken {
        APIToken(
            id: id, container: container, environment: .production, label: "an app",
            allowedOrigins: ["https://a.example", "https://b.example"],
            callback: .redirect("https://a.example/back"), created: time(created))
    }

    private func key(_ id: String, created: Int64 = 0, container: String = "c") -> ServerKey {
        ServerKey(
            id: id, container: container, environment: .development, label: "a server",
            publicKey: [4, 0, 255], owner: "_owner", created: time(created))
    }

    @Test(
        "A secret is the first candidate that was passed for its name, and is missing before",
        arguments: DirectoryKind.allCases)
    func secret(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            #expect(try await directory.secret(named: "a") == nil)
            let first = try await directory.secret(named: "a", candidate: [1, 0])
            #expect(first == [1, 0])
            #expect(try await directory.secret(named: "a", candidate: [2]) == [1, 0])
            #expect(try await directory.secret(named: "b", candidate: [2]) == [2])
            #expect(try await directory.secret(named: "a") == [1, 0])
        }
    }

    @Test("A token is found by its hash and by its ID, revoked or not", arguments: DirectoryKind.allCases)
    func found(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            var one = token("1")
            var other = token("2")
            (other.allowedOrigins, other.callback) = ([], .message)
            try await directory.add(one, hash: [1])
            try await directory.add(other, hash: [2])
            #expect(try await directory.apiToken(hash: [1]) == one)
            #expect(try await directory.apiToken(id: "2") == other)
            try await directory.revokeAPIToken(id: "1", at: time(50))
            one.revoked = time(50)
            #expect(try await directory.apiToken(hash: [1]) == one)
            #expect(try await directory.apiToken(id: "1") == one)
            #expect(try await directory.apiToken(hash: [3]) == nil)
            #expect(try await directory.apiToken(id: "3") == nil)
        }
    }

    @Test("Adding a token whose hash or ID is in use fails with `exists`", arguments: DirectoryKind.allCases)
    func tokenTaken(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await directory.add(token("1"), hash: [1])
            await expect(.exists) { try await directory.add(token("1"), hash: [2]) }
            await expect(.exists) { try await directory.add(token("2"), hash: [1]) }
            #expect(try await directory.apiTokens(of: "c") == [token("1")])
        }
    }

    @Test(
        "A key is found by its ID, revoked or not; adding another with the same ID fails with `exists`",
        arguments: DirectoryKind.allCases)
    func keys(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await directory.add(key("1"))
            #expect(try await directory.serverKey(id: "1") == key("1"))
            #expect(try await directory.serverKey(id: "2") == nil)
            try await directory.revokeServerKey(id: "1", at: time(50))
            var revoked = key("1")
            revoked.revoked = time(50)
            #expect(try await directory.serverKey(id: "1") == revoked)
            await expect(.exists) { try await directory.add(key("1", container: "d")) }
            #expect(try await directory.serverKey(id: "1") == revoked)
        }
    }

    @Test(
        "The tokens and the keys of a container are listed oldest first", arguments: DirectoryKind.allCases)
    func list(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            for (number, id, created) in [(1, "b", 2), (2, "a", 2), (3, "c", 1)] as [(UInt8, String, Int64)] {
                try await directory.add(token(id, created: created), hash: [number])
                try await directory.add(key(id, created: created))
            }
            try await directory.add(token("d", container: "d"), hash: [4])
            try await directory.add(key("d", container: "d"))
            #expect(try await directory.apiTokens(of: "c").map(\.id) == ["c", "a", "b"])
            #expect(try await directory.serverKeys(of: "c").map(\.id) == ["c", "a", "b"])
            #expect(try await directory.apiTokens(of: "e") == [])
            #expect(try await directory.serverKeys(of: "e") == [])
        }
    }

    @Test(
        "Revoking a token or key that is missing or already revoked fails with `notFound`",
        arguments: DirectoryKind.allCases)
    func revoke(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await directory.add(token("1"), hash: [1])
            try await directory.add(key("1"))
            try await directory.revokeAPIToken(id: "1", at: time(50))
            try await directory.revokeServerKey(id: "1", at: time(50))
            for id in ["1", "2"] {
                await expect(.notFound) { try await directory.revokeAPIToken(id: id, at: time(60)) }
                await expect(.notFound) { try await directory.revokeServerKey(id: id, at: time(60)) }
            }
            #expect(try await directory.apiToken(id: "1")?.revoked == time(50))
            #expect(try await directory.serverKey(id: "1")?.revoked == time(50))
        }
    }
}
