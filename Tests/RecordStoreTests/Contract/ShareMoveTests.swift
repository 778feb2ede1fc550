import RecordStore
import Records
import Testing

@Suite("Contract: records that go to another share")
struct ShareMoveTests {
    /// Makes the zone Z with the shares s1 of r1 and s2 of r2, and outside both two trees of three records
    /// and a line of three records.
    private func makeZone(_ world: World) async throws {
        _ = try await world.store.createZone(named: "Z")
        try await world.commit(
            [create("r1"), share("s1", of: "r1"), create("r2"), share("s2", of: "r2")], zone: "Z")
        try await world.commit(
            ["a", "b"].flatMap { [create($0), create($0 + "1", parent: $0), create($0 + "2", parent: $0)] },
            zone: "Z")
        try await world.commit(
            [create("c2"), create("c1", parent: "c2"), create("c0", parent: "c1")], zone: "Z")
    }

    /// Expects that a batch succeeds in a copy of the zone when `movedRecords` is `most`, and that it is
    /// refused as a whole and changes nothing when the limit is one less.
    private func expectLimit(
        _ most: Int, _ kind: StoreKind, after preparation: [RecordOperation] = [],
        _ operations: [RecordOperation]
    ) async throws {
        try await withWorld(kind) { world in
            try await makeZone(world)
            if !preparation.isEmpty { try await world.commit(preparation, zone: "Z") }
            var limits = Limits()
            limits.movedRecords = most - 1
            let before = try await world.state()
            let refusal = await #expect(throws: RecordError.self) {
                try await world.commit(operations, zone: "Z", limits: limits)
            }
            #expect(refusal?.code == .limitExceeded)
            #expect(refusal?.nextStep == "split the batch in half and send both")
            #expect(try await world.state() == before)
            limits.movedRecords = most
            let results = try await world.commit(operations, zone: "Z", limits: limits)
            #expect(results.allSatisfy { $0.error == nil }, "\(results.map(\.brief))")
        }
    }

    @Test("Records that one request puts under a share are limited", arguments: StoreKind.allCases)
    func put(kind: StoreKind) async throws {
        #expect(Limits().movedRecords == 10_000)
        try await expectLimit(6, kind, [move("a", under: "r1"), move("b", under: "r1")])
    }

    @Test(
        "A record that is moved several times by the records above it counts each time",
        arguments: StoreKind.allCases)
    func repeatedly(kind: StoreKind) async throws {
        try await expectLimit(
            6, kind, [move("c2", under: "r1"), move("c1", under: "r2"), move("c0", under: "r1")])
    }

    @Test("Records that one request takes out of a share are limited", arguments: StoreKind.allCases)
    func taken(kind: StoreKind) async throws {
        try await expectLimit(
            6, kind, after: [move("a", under: "r1"), move("b", under: "r2")],
            [move("a", under: nil), move("b", under: nil)])
    }

    @Test("Records below the roots of new shares count", arguments: StoreKind.allCases)
    func shared(kind: StoreKind) async throws {
        try await expectLimit(
            6, kind,
            [move("a", under: nil), share("s3", of: "a"), move("b", under: nil), share("s4", of: "b")])
    }

    @Test("Records under shares that end count, with the shares", arguments: StoreKind.allCases)
    func ended(kind: StoreKind) async throws {
        try await expectLimit(
            7, kind, after: [move("a", under: "r1")], [delete("s1"), delete("s2")])
    }

    @Test("A single operation moves any number of records", arguments: StoreKind.allCases)
    func single(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await makeZone(world)
            var limits = Limits()
            limits.movedRecords = 1
            for operation in [move("a", under: "r1"), move("a", under: "r2"), move("a", under: nil)] {
                #expect(try await world.outcome([operation], zone: "Z", limits: limits) == ["a"])
            }
            #expect(try await world.outcome([delete("s1")], zone: "Z", limits: limits) == ["-s1"])
        }
    }

    @Test(
        "A record that moves with one change between two shares that both end for a person is deleted once",
        arguments: StoreKind.allCases)
    func bothEnd(kind: StoreKind) async throws {
        let bob = [invited("_bob")]
        let ends: [(operations: [RecordOperation], person: String?)] = [
            ([delete("s"), delete("t")], nil), ([delete("t"), delete("s")], nil),
            ([delete("s"), delete("t")], "_bob"), ([invite([], to: "s"), invite([], to: "t")], nil),
        ]
        for (operations, person) in ends {
            try await withWorld(kind) { world in
                try await world.shareNote()
                try await world.commit(
                    [
                        create("two"), share("t", of: "two", with: bob),
                        create("three"), share("u", of: "three", with: bob),
                    ], zone: "Z")
                try await world.commit([accept("t", by: "_bob"), accept("u", by: "_bob")], zone: "Z")
                let token = try await world.shared(with: "_bob").token
                try await world.commit([move("line", under: "two")], zone: "Z")
                let results = try await world.commit(operations, zone: "Z", as: person)
                #expect(results.allSatisfy { $0.error == nil }, "\(results.map(\.brief))")
                for size in [1, 2, 9] {
                    let page = try await world.shared(with: "_bob", since: token, page: size)
                    #expect(page.changes.sorted() == ["-line", "-note", "-s", "-t", "-two"])
                    #expect(try await world.shared(with: "_bob", since: page.token).changes == [])
                }
            }
        }
    }

    @Test(
        "A share is no parent, whether it covers records or the whole zone", arguments: StoreKind.allCases)
    func noParent(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await makeZone(world)
            _ = try await world.store.createZone(named: "W")
            try await world.commit([create("a"), share(of: nil, with: [invited("_bob")])], zone: "W")
            try await world.commit([accept(Share.zoneWideName, by: "_bob")], zone: "W")
            for (zone, name) in [("Z", "s1"), ("W", Share.zoneWideName)] {
                for person in [nil, zone == "W" ? "_bob" : nil] {
                    let operations = [create("new", parent: name), move("a", under: name)]
                    let results = try await world.commit(operations, zone: zone, as: person)
                    #expect(results.map { $0.error?.code } == [.badRequest, .badRequest], "\(zone)")
                }
            }
        }
    }
}
