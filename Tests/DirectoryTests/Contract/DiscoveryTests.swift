import Directory
import Records
import Testing

@Suite("Directory contract: discovery")
struct DiscoveryTests {
    private let hashes = ContactHashes(email: [1, 1], phone: [2, 2])

    @Test(
        """
        A person who agreed is found by e-mail address, phone number, record name and the hash of an address
        """, arguments: DirectoryKind.allCases)
    func found(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let anna = try await directory.addUser("anna", email: "a@example.org", phone: "+4912345")
            try await directory.addUser("bert", email: "b@example.org", phone: "+4954321")
            try await directory.setDiscoverable(true, "_anna-c", in: "c", hashes: hashes)
            let lookups: [UserLookup] = [
                .email("a@example.org"), .phone("+4912345"), .userRecordName("_anna-c"),
                .contactHash([1, 1]), .contactHash([2, 2]),
            ]
            let found = try await directory.discoverableUsers(lookups, in: "c")
            #expect(found.map { $0?.account } == lookups.map { _ in anna })
            #expect(found.map { $0?.userRecordName } == lookups.map { _ in "_anna-c" })
        }
    }

    @Test(
        "Results are in the order of the look-ups, nil for people who are unknown or did not agree",
        arguments: DirectoryKind.allCases)
    func order(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            for name in ["anna", "bert", "carl"] {
                try await directory.addUser(name, email: "\(name)@example.org")
            }
            try await directory.setDiscoverable(true, "_anna-c", in: "c", hashes: ContactHashes())
            try await directory.setDiscoverable(false, "_bert-c", in: "c", hashes: ContactHashes())
            let names = ["nobody", "carl", "anna", "bert", "anna"]
            let found = try await directory.discoverableUsers(
                names.map { .email("\($0)@example.org") }, in: "c")
            #expect(found.map { $0?.account.name } == [nil, nil, "anna", nil, "anna"])
            #expect(try await directory.discoverableUsers([], in: "c").isEmpty)
        }
    }

    @Test(
        "A person agrees or refuses in each container; before that, the setting is nil",
        arguments: DirectoryKind.allCases)
    func answers(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await directory.addUser("anna")
            #expect(try await directory.isDiscoverable("_anna-c", in: "c") == nil)
            for answer in [true, false, true] {
                try await directory.setDiscoverable(answer, "_anna-c", in: "c", hashes: hashes)
                #expect(try await directory.isDiscoverable("_anna-c", in: "c") == answer)
            }
            #expect(try await directory.isDiscoverable("_anna-d", in: "d") == nil)
            let found = try await directory.discoverableUsers([.userRecordName("_anna-d")], in: "d")
            #expect(found[0] == nil)
        }
    }

    @Test(
        "Changing the setting or the account replaces the hashes by which the person is found",
        arguments: DirectoryKind.allCases)
    func replaced(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            func found(_ hash: [UInt8]) async throws -> Bool {
                let people = try await directory.discoverableUsers([.contactHash(hash)], in: "c")
                return people[0] != nil
            }
            let anna = try await directory.addUser("anna")
            try await directory.setDiscoverable(true, "_anna-c", in: "c", hashes: hashes)
            try await directory.setDiscoverable(true, "_anna-c", in: "c", hashes: ContactHashes(email: [3]))
            #expect(try await found([3]))
            #expect(try await found([1, 1]) == false)
            #expect(try await found([2, 2]) == false)
            try await directory.change(anna, hashes: ContactHashes(phone: [4]))
            #expect(try await found([4]))
            #expect(try await found([3]) == false)
            try await directory.change(anna, hashes: ContactHashes())
            #expect(try await found([4]) == false)
        }
    }

    @Test("Changing the setting of a missing person changes nothing", arguments: DirectoryKind.allCases)
    func missing(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await directory.addUser("anna")
            let before = try await directory.state()
            try await directory.setDiscoverable(true, "_x", in: "c", hashes: hashes)
            try await directory.setDiscoverable(true, "_anna-c", in: "d", hashes: hashes)
            #expect(try await directory.state() == before)
            #expect(try await directory.isDiscoverable("_x", in: "c") == nil)
        }
    }
}
