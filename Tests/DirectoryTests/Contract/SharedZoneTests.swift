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
                try await directory.addSharedZone(zone, of: owner, for: "_anna-c", in: "c", .development)
            }
            try await directory.addSharedZone("Z", of: "_anna-c", for: "_bert-c", in: "c", .development)
            let found = try await directory.sharedZones(of: "_anna-c", in: "c", .development)
            #expect(found.map(\.zone) == ["Z", "A", "Z"])
            #expect(found.map(\.owner) == ["_bert-c", "_cleo-c", "_cleo-c"])
            #expect(Set(found.map(\.number)).count == 3)
            #expect(try await directory.sharedZones(of: "_anna-c", in: "c", .production) == [])
            #expect(try await directory.sharedZones(of: "_anna-c", in: "d", .development) == [])
        }
    }

    @Test("Removing an account or a container removes its shared zones", arguments: DirectoryKind.allCases)
    func removed(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let anna = try await directory.addUser("anna")
            _ = try await directory.addUser("bert")
            for person in ["_anna-c", "_bert-c"] {
                try await directory.addSharedZone("Z", of: "_cleo-c", for: person, in: "c", .development)
            }
            _ = try await directory.removeAccount(anna.id)
            #expect(try await directory.sharedZones(of: "_anna-c", in: "c", .development) == [])
            let kept = try await directory.sharedZones(of: "_bert-c", in: "c", .development)
            #expect(kept.map(\.zone) == ["Z"])
            _ = try await directory.removeContainer("c")
            #expect(try await directory.sharedZones(of: "_bert-c", in: "c", .development) == [])
            try await directory.addSharedZone("Z", of: "_cleo-c", for: "_bert-c", in: "c", .development)
            let again = try await directory.sharedZones(of: "_bert-c", in: "c", .development)
            #expect(again.map(\.number) != kept.map(\.number))
        }
    }
}
