import Directory
import Records
import Testing

@Suite("Directory contract: accounts")
struct AccountTests {
    @Test("An account that was added is found by its name", arguments: DirectoryKind.allCases)
    func added(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let anna = Account(
                id: "#1", name: "anna", email: "anna@example.org", phone: "+4912345", givenName: "Anna",
                familyName: "Ö", status: .restricted, created: time(77), hasPassword: true)
            try await directory.add(anna, password: "secret")
            #expect(try await directory.account(named: "anna", newID: "#2", at: time(99)) == anna)
            #expect(try await directory.account(signingInAs: "anna") == anna)
            #expect(try await directory.password(of: "#1") == "secret")
            #expect(try await directory.account(signingInAs: "Anna") == nil)
            #expect(try await directory.password(of: "#2") == nil)
        }
    }

    @Test("Looking up a name creates an account for it once", arguments: DirectoryKind.allCases)
    func madeOnce(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let made = try await directory.account(named: "bert", newID: "#1", at: time(3))
            #expect(made == Account(id: "#1", name: "bert", created: time(3)))
            #expect(try await directory.account(named: "bert", newID: "#2", at: time(4)) == made)
            #expect(try await directory.accounts() == [made])
        }
    }

    @Test("Accounts are sorted by name, all of them and in pages", arguments: DirectoryKind.allCases)
    func order(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            for name in ["b", "ä", "B", "a", "Z"] { try await directory.addPerson(name) }
            #expect(try await directory.accounts().map(\.name) == ["B", "Z", "a", "b", "ä"])
            #expect(try await directory.accounts(after: nil, limit: 2).map(\.name) == ["B", "Z"])
            #expect(try await directory.accounts(after: "Z", limit: 2).map(\.name) == ["a", "b"])
            #expect(try await directory.accounts(after: "c", limit: 2).map(\.name) == ["ä"])
            #expect(try await directory.accounts(after: "ä", limit: 2).isEmpty)
        }
    }

    @Test(
        "A person signs in with the name, or with the e-mail address in any case; the name comes first",
        arguments: DirectoryKind.allCases)
    func signIn(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let anna = try await directory.addPerson("anna", email: "a@example.org", phone: "+4912345")
            for name in ["anna", "a@example.org", "A@Example.ORG"] {
                #expect(try await directory.account(signingInAs: name) == anna)
            }
            for name in ["+4912345", "ANNA", "", "bert"] {
                #expect(try await directory.account(signingInAs: name) == nil)
            }
            // In the other order, the second account would be refused.
            let twin = try await directory.addPerson("B@example.org")
            let bert = try await directory.addPerson("bert", email: "b@example.org")
            #expect(try await directory.account(signingInAs: "B@example.org") == twin)
            #expect(try await directory.account(signingInAs: "b@example.org") == bert)
        }
    }

    @Test(
        "A name, e-mail address or phone number of one account cannot be any of these of another",
        arguments: DirectoryKind.allCases)
    func unique(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await directory.addPerson("anna", email: "a@example.org", phone: "+4912345")
            let bert = try await directory.addPerson("bert")
            let before = try await directory.state()
            for (name, email, phone) in [
                ("anna", nil, nil), ("x", "a@example.org", nil), ("x", nil, "+4912345"),
                ("a@example.org", nil, nil), ("A@EXAMPLE.org", nil, nil), ("+4912345", nil, nil),
                ("x", "anna", nil), ("x", nil, "anna"),
            ] as [(String, String?, String?)] {
                let new = Account(id: "#new", name: name, email: email, phone: phone)
                await expect(.exists) { try await directory.add(new, password: nil) }
                var changed = bert
                (changed.name, changed.email, changed.phone) = (name, email, phone)
                let change = changed
                await expect(.exists) {
                    try await directory.change(change, hashes: ContactHashes())
                }
            }
            await expect(.exists) {
                _ = try await directory.account(named: "A@example.org", newID: "#2", at: time(0))
            }
            #expect(try await directory.state() == before)
            // An account may keep its own name and addresses.
            var same = bert
            same.email = "bert"
            try await directory.change(same, hashes: ContactHashes())
        }
    }

    @Test(
        "A change replaces all data of an account except the password and the time of creation",
        arguments: DirectoryKind.allCases)
    func change(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await directory.addPerson("anna", email: "a@example.org", password: "secret")
            let changed = Account(
                id: "#anna", name: "Anne", phone: "+4911111", givenName: "Anne", familyName: "B",
                status: .temporarilyUnavailable, created: time(9), hasPassword: false, quotaBytes: 7)
            try await directory.change(changed, hashes: ContactHashes())
            var expected = changed
            expected.created = time(5)
            expected.hasPassword = true
            #expect(try await directory.accounts() == [expected])
            #expect(try await directory.password(of: "#anna") == "secret")
            #expect(try await directory.account(signingInAs: "a@example.org") == nil)
        }
    }

    @Test("Changing a missing account fails with `notFound`", arguments: DirectoryKind.allCases)
    func changeMissing(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            await expect(.notFound) {
                try await directory.change(Account(id: "#9", name: "x"), hashes: ContactHashes())
            }
        }
    }

    @Test(
        "A new password replaces the old one, and ends all sessions of the account with all its devices",
        arguments: DirectoryKind.allCases)
    func password(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let anna = try await directory.addUser("anna", password: "old")
            let bert = try await directory.addUser("bert")
            try await directory.signIn(1, anna)
            try await directory.signIn(2, anna, in: "c")
            try await directory.signIn(3, bert)
            let first = try await directory.addDevice("one", of: "anna", session: 1)
            let second = try await directory.addDevice("two", of: "anna", in: "d")
            try await directory.addDevice("three", of: "bert", session: 3)
            let ended = try await directory.setPassword("new", of: anna.id)
            #expect(ended == EndedSessions(hashes: [[1], [2]], devices: [first, second]))
            #expect(try await directory.password(of: anna.id) == "new")
            #expect(try await directory.hasSession([1]) == false)
            #expect(try await directory.hasSession([3]))
            #expect(try await directory.pushTokens("two") == [])
            #expect(try await directory.pushTokens("three").count == 1)
            _ = try await directory.setPassword(nil, of: anna.id)
            #expect(try await directory.password(of: anna.id) == nil)
            #expect(try await directory.account(signingInAs: "anna")?.hasPassword == false)
        }
    }

    @Test(
        "Setting the password of a missing account fails with `notFound`", arguments: DirectoryKind.allCases)
    func passwordOfMissing(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            await expect(.notFound) { _ = try await directory.setPassword("x", of: "#9") }
        }
    }

    @Test(
        "Removing an account removes its sessions, devices, badges, record names and memberships",
        arguments: DirectoryKind.allCases)
    func remove(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let bert = try await directory.addUser("bert")
            try await directory.replaceSchema(
                of: "c", in: .development, with: Schema(types: [:], roles: ["admin"]))
            let before = try await directory.state()
            let anna = try await directory.addUser("anna", password: "secret")
            try await directory.signIn(1, anna)
            let device = try await directory.addDevice("one", of: "anna", session: 1)
            try await directory.setBadge(4, of: "_anna-c", in: "c", .development)
            try await directory.setBadge(4, of: "_bert-c", in: "c", .development)
            _ = try await directory.addRoleMember(
                RoleMember(role: "admin", userRecordName: "_anna-c"), of: "c", in: .development)
            let ended = try await directory.removeAccount(anna.id)
            #expect(ended == EndedSessions(hashes: [[1]], devices: [device]))
            #expect(try await directory.state() == before)
            #expect(try await directory.account(withUserRecordName: "_anna-c", in: "c") == nil)
            #expect(try await directory.account(withUserRecordName: "_bert-c", in: "c") == bert)
            let badges = try await directory.changeBadges(
                ["_anna-c": 0, "_bert-c": 0], of: "c", in: .development, atMost: 9)
            #expect(badges == ["_anna-c": 0, "_bert-c": 4])
            #expect(try await directory.removeAccount(anna.id) == EndedSessions())
        }
    }

    // MARK: Record names

    @Test(
        "An account keeps the first record name that it got in a container",
        arguments: DirectoryKind.allCases)
    func recordName(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let anna = try await directory.addPerson("anna")
            for (container, candidate, name) in [("c", "_1", "_1"), ("c", "_2", "_1"), ("d", "_3", "_3")] {
                #expect(
                    try await directory.userRecordName(of: anna, in: container, candidate: candidate) == name)
            }
            #expect(try await directory.userRecordNames(of: anna.id) == ["c": "_1", "d": "_3"])
            #expect(try await directory.userRecordNames(of: "#9") == [:])
        }
    }

    @Test(
        "Requesting a record name for a missing account fails with `notFound`",
        arguments: DirectoryKind.allCases)
    func recordNameOfMissing(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            await expect(.notFound) {
                _ = try await directory.userRecordName(
                    of: Account(id: "#9", name: "x"), in: "c", candidate: "_1")
            }
            let count = try await directory.userCount(of: "c")
            #expect(count == 0)
        }
    }

    @Test("A record name identifies its account in its own container only", arguments: DirectoryKind.allCases)
    func ownContainer(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let anna = try await directory.addUser("anna")
            #expect(try await directory.account(withUserRecordName: "_anna-c", in: "c") == anna)
            #expect(try await directory.account(withUserRecordName: "_anna-c", in: "d") == nil)
            #expect(try await directory.account(withUserRecordName: "_x", in: "c") == nil)
        }
    }

    @Test("The containers of a record name are sorted by name", arguments: DirectoryKind.allCases)
    func containersOfName(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let anna = try await directory.addPerson("anna")
            for (container, name) in [("d", "_1"), ("c", "_1"), ("e", "_2")] {
                _ = try await directory.userRecordName(of: anna, in: container, candidate: name)
            }
            #expect(try await directory.containers(withUserRecordName: "_1") == ["c", "d"])
            #expect(try await directory.containers(withUserRecordName: "_3") == [])
        }
    }
}
