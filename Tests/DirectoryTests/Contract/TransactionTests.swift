import Directory
import Records
import Testing

@Suite("Directory contract: calls")
struct TransactionTests {
    @Test("A call that is refused changes nothing", arguments: DirectoryKind.allCases)
    func refused(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let anna = try await directory.addUser("anna", email: "a@example.org", password: "secret")
            let bert = try await directory.addUser("bert")
            try await directory.signIn(1, anna)
            let token = APIToken(
                id: "1", container: "c", environment: .development, label: "", created: time(0))
            try await directory.add(token, hash: [1])
            let before = try await directory.state()
            var taken = bert
            (taken.name, taken.email) = ("carl", "a@example.org")
            let change = taken
            await expect(.exists) { try await directory.change(change, hashes: ContactHashes(email: [1])) }
            await expect(.exists) { try await directory.addPerson("dora", email: "a@example.org") }
            await expect(.exists) { try await directory.add(token, hash: [2]) }
            await expect(.exists) { try await directory.signIn(1, anna, limit: 0) }
            await expect(.notFound) { _ = try await directory.setPassword("new", of: "#9") }
            await expect(.notFound) { try await directory.revokeServerKey(id: "1", at: time(0)) }
            #expect(try await directory.state() == before)
            #expect(try await directory.hasSession([1]))
        }
    }

    @Test(
        "Concurrent calls have the effect of the same calls in some order", arguments: DirectoryKind.allCases)
    func together(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await withThrowingTaskGroup(of: Account.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        try await directory.account(named: "anna", newID: "#\(number)", at: time(0))
                    }
                }
                var found: Set<Account> = []
                for try await account in group { found.insert(account) }
                #expect(found.count == 1)
            }
            let anna = try await directory.accounts()[0]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 as Range<UInt8> {
                    group.addTask { try await directory.signIn(number, anna, seen: 0, limit: 5) }
                    group.addTask {
                        _ = try await directory.changeBadges(
                            ["_": 1], of: "c", in: .development, atMost: 100)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await directory.removeSessions(of: anna.id).hashes.count == 5)
            #expect(
                try await directory.changeBadges(["_": 0], of: "c", in: .development, atMost: 100)
                    == ["_": 40])
        }
    }
}
