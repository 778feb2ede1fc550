import Directory
import Records
import Testing

@Suite("Directory contract: sessions")
struct SessionTests {
    @Test(
        "A session is found by the hash of its token, with its account", arguments: DirectoryKind.allCases)
    func found(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let anna = try await directory.addPerson("anna", email: "a@example.org")
            let bound = Session(
                account: anna.id, place: ContainerKey(container: "c", environment: .production),
                lifetime: 60, seen: time(7), isOpen: true)
            _ = try await directory.addSession(hash: [1, 2], bound, limit: 9)
            let free = Session(account: anna.id, place: nil, lifetime: nil, seen: time(8))
            _ = try await directory.addSession(hash: [1], free, limit: 9)
            for (hash, session) in [([1, 2], bound), ([1], free)] as [([UInt8], Session)] {
                let found = try #require(try await directory.session(hash: hash))
                #expect(found.session == session)
                #expect(found.account == anna)
            }
            #expect(try await directory.hasSession([2]) == false)
        }
    }

    @Test(
        "A session is known to exist by a range that its hash lies in", arguments: DirectoryKind.allCases)
    func range(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let anna = try await directory.addPerson("anna")
            let session = Session(account: anna.id, place: nil, lifetime: nil, seen: time(8))
            _ = try await directory.addSession(hash: [5, 200], session, limit: 9)
            for (first, last, isFound) in [
                ([5], [5], false), ([5], [5, 255], true), ([5, 200], [5, 200], true), ([4], [6], true),
                ([5, 201], [6], false), ([4], [5, 199, 255], false),
            ] as [([UInt8], [UInt8], Bool)] {
                let found = try await directory.hasSession(from: first, through: last)
                #expect(found == isFound)
            }
            _ = try await directory.removeSession(hash: [5, 200])
            let isLeft = try await directory.hasSession(from: [0], through: [255])
            #expect(isLeft == false)
        }
    }

    @Test("Adding a session for a missing account fails with `notFound`", arguments: DirectoryKind.allCases)
    func missing(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            await expect(.notFound) { try await directory.signIn(1, Account(id: "#9", name: "x")) }
            let isThere = try await directory.hasSession([1])
            #expect(isThere == false)
        }
    }

    @Test("Adding a second session with the same hash fails with `exists`", arguments: DirectoryKind.allCases)
    func taken(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let anna = try await directory.addPerson("anna")
            let bert = try await directory.addPerson("bert")
            try await directory.signIn(1, anna)
            await expect(.exists) { try await directory.signIn(1, bert, limit: 1) }
            #expect(try await directory.session(hash: [1])?.account == anna)
        }
    }

    @Test(
        "A person's sessions in a container are limited; one more ends the least recently used one",
        arguments: DirectoryKind.allCases)
    func limit(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let anna = try await directory.addUser("anna")
            let bert = try await directory.addUser("bert")
            try await directory.signIn(9, bert, in: "c", seen: 0)
            try await directory.signIn(8, anna, in: "d", seen: 0)
            for (hash, seen) in [(1, 10), (2, 5), (3, 10)] as [(UInt8, Int64)] {
                #expect(
                    try await directory.signIn(hash, anna, in: "c", seen: seen, limit: 3) == EndedSessions())
            }
            let device = try await directory.addDevice("one", of: "anna", session: 2)
            #expect(
                try await directory.signIn(4, anna, in: "c", seen: 11, limit: 3)
                    == EndedSessions(hashes: [[2]], devices: [device]))
            // The last use decides; of two sessions with the same time of use, the older one ends.
            try await directory.touchSession(hash: [1], at: time(11))
            #expect(
                try await directory.signIn(5, anna, in: "c", seen: 12, limit: 2).hashes == [[1], [3]])
            #expect(try await directory.signIn(6, anna, in: "c", seen: 12, limit: 0).hashes.count == 2)
            #expect(try await directory.hasSession([6]))
            #expect(try await directory.hasSession([8]))
            #expect(try await directory.hasSession([9]))
        }
    }

    @Test(
        "Sessions that are valid in all containers are counted separately", arguments: DirectoryKind.allCases)
    func everywhere(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let anna = try await directory.addPerson("anna")
            try await directory.signIn(1, anna, limit: 1)
            #expect(try await directory.signIn(2, anna, in: "c", limit: 1).hashes == [])
            #expect(try await directory.signIn(3, anna, seen: 1, limit: 1).hashes == [[1]])
            #expect(try await directory.hasSession([2]))
        }
    }

    @Test("A session keeps the latest time of use", arguments: DirectoryKind.allCases)
    func touch(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let anna = try await directory.addPerson("anna")
            try await directory.signIn(1, anna, seen: 10)
            for (noted, seen) in [(5, 10), (20, 20), (15, 20)] as [(Int64, Int64)] {
                try await directory.touchSession(hash: [1], at: time(noted))
                #expect(try await directory.session(hash: [1])?.session.seen == time(seen))
            }
            try await directory.touchSession(hash: [2], at: time(1))
            #expect(try await directory.hasSession([2]) == false)
        }
    }

    @Test(
        "Ending a session removes the devices that were registered in it", arguments: DirectoryKind.allCases)
    func end(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let anna = try await directory.addUser("anna")
            for hash in [1, 2] as [UInt8] { try await directory.signIn(hash, anna) }
            let newer = try await directory.addDevice("a", of: "anna", session: 1, created: 2)
            let older = try await directory.addDevice("b", of: "anna", in: "d", session: 1, created: 1)
            try await directory.addDevice("c", of: "anna", session: 2)
            try await directory.addDevice("d", of: "anna")
            let ended = try await directory.removeSession(hash: [1])
            #expect(ended == EndedSessions(hashes: [[1]], devices: [older, newer]))
            #expect(try await directory.hasSession([1]) == false)
            #expect(
                try await directory.pushTokens(of: "c", in: .development).map(\.text) == ["c", "d"])
            #expect(try await directory.removeSession(hash: [1]) == EndedSessions())
        }
    }

    @Test(
        "Ending all sessions of a person removes all devices of the person",
        arguments: DirectoryKind.allCases)
    func everybodyOut(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let anna = try await directory.addUser("anna")
            let bert = try await directory.addUser("bert")
            try await directory.signIn(1, anna)
            try await directory.signIn(2, bert)
            for (text, name, session) in [
                ("a", "anna", 1), ("b", "anna", nil), ("c", "bert", 2), ("d", "bert", nil),
            ] as [(String, String, UInt8?)] {
                try await directory.addDevice(text, of: name, session: session)
            }
            let ended = try await directory.removeSessions(of: anna.id)
            #expect(ended.hashes == [[1]])
            #expect(ended.devices.map(\.text) == ["a", "b"])
            #expect(try await directory.pushTokens(of: "c", in: .development).map(\.text) == ["c", "d"])
            #expect(try await directory.hasSession([2]))
        }
    }

    @Test("The sessions that open servers created are ended together", arguments: DirectoryKind.allCases)
    func open(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let anna = try await directory.addUser("anna")
            try await directory.signIn(1, anna, isOpen: true)
            try await directory.signIn(2, anna)
            try await directory.signIn(3, anna, isOpen: true)
            let device = try await directory.addDevice("a", of: "anna", session: 3)
            try await directory.addDevice("b", of: "anna", session: 2)
            let ended = try await directory.removeOpenSessions()
            #expect(ended == EndedSessions(hashes: [[1], [3]], devices: [device]))
            #expect(try await directory.hasSession([2]))
        }
    }

    @Test(
        "A session is forgotten two lifetimes after its last use; one without a lifetime stays",
        arguments: DirectoryKind.allCases)
    func forgotten(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let anna = try await directory.addUser("anna")
            try await directory.signIn(1, anna, seen: 500, lifetime: 10)
            try await directory.signIn(2, anna, seen: 499, lifetime: 10)
            try await directory.signIn(3, anna, seen: 0)
            try await directory.addDevice("a", of: "anna", session: 2)
            try await directory.forgetSessions(at: time(20_500))
            #expect(try await directory.hasSession([1]))
            #expect(try await directory.hasSession([2]) == false)
            #expect(try await directory.hasSession([3]))
        }
    }
}
