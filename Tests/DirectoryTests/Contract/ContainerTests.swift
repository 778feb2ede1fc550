import Directory
import Records
import Testing

@Suite("Directory contract: containers")
struct ContainerTests {
    @Test("A container is added once, and keeps the time of its creation", arguments: DirectoryKind.allCases)
    func once(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let before = try await directory.container("c")
            #expect(before == nil)
            #expect(try await directory.addContainer("c", at: time(3)))
            #expect(try await directory.addContainer("c", at: time(4)) == false)
            #expect(try await directory.container("c") == ContainerEntry(name: "c", createdAt: time(3)))
        }
    }

    @Test("Containers are sorted by name", arguments: DirectoryKind.allCases)
    func list(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            for name in ["b", "a", "B"] { _ = try await directory.addContainer(name, at: time(0)) }
            #expect(try await directory.containers().map(\.name) == ["B", "a", "b"])
        }
    }

    @Test(
        "The users of a container are those who have a record name in it", arguments: DirectoryKind.allCases)
    func users(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await directory.addUser("anna")
            let bert = try await directory.addPerson("bert")
            _ = try await directory.userRecordName(of: bert, in: "c", candidate: "_1")
            #expect(try await directory.userCount(of: "c") == 2)
            #expect(try await directory.userCount(of: "d") == 1)
            #expect(try await directory.userCount(of: "e") == 0)
        }
    }

    /// Adds one object of each kind to a container.
    private func fill(_ container: String, _ directory: any Directory) async throws {
        _ = try await directory.addContainer(container, at: time(1))
        let person = Account(id: "#" + container, name: "person of " + container)
        try await directory.add(person, password: nil)
        _ = try await directory.userRecordName(of: person, in: container, candidate: "_" + container)
        try await directory.signIn(UInt8(container.utf8.first ?? 0), person, in: container)
        try await directory.addDevice("device", of: "person", in: container)
        try await directory.setBadge(3, of: "_" + container, in: container, .development)
        let token = APIToken(
            id: "t" + container, container: container, environment: .development, label: "", created: time(0))
        try await directory.add(token, hash: Array(container.utf8))
        let key = ServerKey(
            id: "k" + container, container: container, environment: .development, label: "",
            publicKey: [1], owner: "_", created: time(0))
        try await directory.add(key)
        try await directory.replaceSchema(
            of: container, in: .development,
            with: Schema(types: ["T": TypeSchema(name: "T")], roles: ["admin"]))
        _ = try await directory.addRoleMember(
            RoleMember(role: "admin", userRecordName: "_" + container), of: container, in: .development)
    }

    @Test(
        "Removing a container removes all its data, and nothing of other containers",
        arguments: DirectoryKind.allCases)
    func remove(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await fill("d", directory)
            let others = try await directory.state()
            try await fill("c", directory)
            #expect(try await directory.removeContainer("c"))
            // The person belongs to the server, not to the container.
            #expect(
                try await directory.removeAccount("#c") == EndedSessions(), "the session has ended already")
            #expect(try await directory.state() == others)
            #expect(try await directory.hasSession([UInt8(ascii: "c")]) == false)
            #expect(try await directory.hasSession([UInt8(ascii: "d")]))
            for (container, value) in [("c", 0), ("d", 3)] {
                let user = "_" + container
                let badges = try await directory.changeBadges(
                    [user: 0], of: container, in: .development, atMost: 9)
                #expect(badges == [user: value])
            }
        }
    }

    @Test(
        "A container that exists has the fallback URL that was set last", arguments: DirectoryKind.allCases)
    func fallback(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            _ = try await directory.addContainer("c", at: time(1))
            for url in ["https://a.example/", "https://b.example/", nil] {
                #expect(try await directory.setFallbackURL(url, of: "c"))
                let expected = ContainerEntry(name: "c", createdAt: time(1), fallbackURL: url)
                #expect(try await directory.container("c") == expected)
                #expect(try await directory.containers() == [expected])
            }
            #expect(try await directory.setFallbackURL("https://a.example/", of: "d") == false)
            #expect(try await directory.container("d") == nil)
        }
    }

    @Test("Removing a container succeeds once", arguments: DirectoryKind.allCases)
    func removeOnce(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            _ = try await directory.addContainer("c", at: time(0))
            #expect(try await directory.removeContainer("c"))
            #expect(try await directory.removeContainer("c") == false)
            #expect(try await directory.container("c") == nil)
        }
    }

    @Test("The users of a container are listed by record name, in pages", arguments: DirectoryKind.allCases)
    func userPages(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            for name in ["cleo", "Bert", "anna"] { _ = try await directory.addUser(name) }
            let first = try await directory.userRecordNames(in: "c", after: nil, limit: 2)
            #expect(first == ["_Bert-c", "_anna-c"])
            let second = try await directory.userRecordNames(in: "c", after: "_anna-c", limit: 2)
            #expect(second == ["_cleo-c"])
            #expect(try await directory.userRecordNames(in: "e", after: nil, limit: 2) == [])
        }
    }
}
