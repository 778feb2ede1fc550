import Directory
import Records
import Testing

@Suite("Directory contract: shared zones")
struct SharedZoneTests {
    @Test(
        """
        The shared zones of a person are listed once each, in the order in which they were accepted
        """, arguments: DirectoryKind.allCases)
    func listed(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            for name in ["anna", "bert", "cleo"] { _ = try await directory.addUser(name) }
            for (zone, owner) in [("Z", "_bert-c"), ("A", "_cleo-c"), ("Z", "_cleo-c"), ("Z", "_bert-c")] {
                try await directory.add(zone, of: owner, for: "_anna-c")
            }
            try await directory.add("Z", of: "_anna-c", for: "_bert-c")
            let found = try await directory.sharedZones(of: "_anna-c", in: "c", .development)
            #expect(found.map(\.zone) == ["Z", "A", "Z"])
            #expect(found.map(\.owner) == ["_bert-c", "_cleo-c", "_cleo-c"])
            #expect(Set(found.map(\.number)).count == 3)
            #expect(try await directory.sharedZones(of: "_anna-c", in: "c", .production) == [])
            #expect(try await directory.sharedZones(of: "_anna-c", in: "d", .development) == [])
        }
    }

    @Test("A zone is looked up among the shared zones of a person", arguments: DirectoryKind.allCases)
    func lookedUp(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            for name in ["anna", "bert"] { _ = try await directory.addUser(name) }
            for zone in ["A", "B"] { try await directory.add(zone, of: "_bert-c", for: "_anna-c") }
            let first = try await directory.zones(of: "_anna-c")[0].number
            try await directory.end([first], at: 100, before: 0)
            func has(
                _ zone: String, of owner: String = "_bert-c", for person: String = "_anna-c",
                in container: String = "c", _ environment: CloudEnvironment = .development
            ) async throws -> Bool {
                try await directory.hasSharedZone(zone, of: owner, for: person, in: container, environment)
            }
            #expect(try await [has("A"), has("B"), has("C")] == [true, true, false])
            #expect(try await !has("A", of: "_anna-c"))
            #expect(try await !has("A", for: "_bert-c"))
            #expect(try await !has("A", in: "d"))
            #expect(try await !has("A", .production))
        }
    }

    @Test("Removing an account or a container removes its shared zones", arguments: DirectoryKind.allCases)
    func removed(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let anna = try await directory.addUser("anna")
            _ = try await directory.addUser("bert")
            for person in ["_anna-c", "_bert-c"] {
                try await directory.add("Z", of: "_cleo-c", for: person)
            }
            _ = try await directory.removeAccount(anna.id)
            #expect(try await directory.sharedZones(of: "_anna-c", in: "c", .development) == [])
            let kept = try await directory.sharedZones(of: "_bert-c", in: "c", .development)
            #expect(kept.map(\.zone) == ["Z"])
            _ = try await directory.removeContainer("c")
            #expect(try await directory.sharedZones(of: "_bert-c", in: "c", .development) == [])
            try await directory.add("Z", of: "_cleo-c", for: "_bert-c")
            let again = try await directory.sharedZones(of: "_bert-c", in: "c", .development)
            #expect(again.map(\.number) != kept.map(\.number))
        }
    }

    @Test(
        """
        A zone that ended stays in the index, so that the person's devices learn of it, until it is forgotten
        """, arguments: DirectoryKind.allCases)
    func ended(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            _ = try await directory.addUser("anna")
            for zone in ["A", "B", "C"] { try await directory.add(zone, of: "_bert-c", for: "_anna-c") }
            let numbers = try await directory.zones(of: "_anna-c").map(\.number)
            try await directory.end([numbers[0], numbers[1]], at: 100, before: 0)
            try await directory.end([numbers[0]], at: 200, before: 100)
            let ended = try await directory.zones(of: "_anna-c")
            #expect(ended.map(\.zone) == ["A", "B", "C"])
            #expect(ended.map { $0.ended?.milliseconds } == [100, 100, nil])
            try await directory.end([], at: 300, before: 101)
            #expect(try await directory.zones(of: "_anna-c").map(\.zone) == ["C"])
        }
    }

    @Test(
        """
        Adding a zone that ended removes its end. A person who has too many zones loses the one that ended \
        first
        """, arguments: DirectoryKind.allCases)
    func again(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            _ = try await directory.addUser("anna")
            for zone in ["A", "B", "C"] { try await directory.add(zone, of: "_bert-c", for: "_anna-c") }
            let numbers = try await directory.zones(of: "_anna-c").map(\.number)
            try await directory.end([numbers[1], numbers[0]], at: 100, before: 0)
            try await directory.end([numbers[2]], at: 50, before: 0)
            try await directory.add("A", of: "_bert-c", for: "_anna-c", atMost: 3)
            let back = try await directory.zones(of: "_anna-c")
            #expect(back.map(\.number) == numbers)
            #expect(back.map { $0.ended == nil } == [true, false, false])
            try await directory.add("D", of: "_bert-c", for: "_anna-c", atMost: 4)
            #expect(try await directory.zones(of: "_anna-c").map(\.zone) == ["A", "B", "C", "D"])
            try await directory.add("E", of: "_bert-c", for: "_anna-c", atMost: 4)
            #expect(try await directory.zones(of: "_anna-c").map(\.zone) == ["A", "B", "D", "E"])
            try await directory.add("F", of: "_bert-c", for: "_anna-c", atMost: 4)
            #expect(try await directory.zones(of: "_anna-c").map(\.zone) == ["A", "D", "E", "F"])
            // A zone that has not ended is never removed.
            try await directory.add("G", of: "_bert-c", for: "_anna-c", atMost: 4)
            #expect(try await directory.zones(of: "_anna-c").map(\.zone) == ["A", "D", "E", "F", "G"])
        }
    }
}

extension Directory {
    fileprivate func add(
        _ zone: String, of owner: String, for person: String, atMost most: Int = 9
    ) async throws {
        try await addSharedZone(zone, of: owner, for: person, in: "c", .development, atMost: most)
    }

    fileprivate func zones(of person: String) async throws -> [SharedZone] {
        try await sharedZones(of: person, in: "c", .development)
    }

    fileprivate func end(_ numbers: Set<Int64>, at time: Int64, before old: Int64) async throws {
        try await endSharedZones(
            numbers, at: Timestamp(milliseconds: time), forgettingBefore: Timestamp(milliseconds: old),
            of: "_anna-c", in: "c", .development)
    }
}
