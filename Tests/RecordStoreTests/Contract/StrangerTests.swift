import RecordStore
import Records
import Testing

@Suite("Contract: strangers")
struct StrangerTests {
    /// The result of each operation in one word, if nobody may write records of others.
    private func outcome(
        _ world: World, _ operations: [RecordOperation], by person: String, limits: Limits = Limits()
    ) async throws -> [String] {
        try await world.commit(operations, by: person, limits: limits, amongStrangers: true).map(\.brief)
    }

    @Test(
        """
        A reference saved by a person who may not write its target does not prevent the target's deletion, \
        and does not count for its limit
        """,
        arguments: StoreKind.allCases)
    func pins(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            var limits = Limits()
            limits.deleteSelfSources = 2
            // Before and after the target exists.
            let early = create("early", ["to": link("t", .deleteSelf)])
            #expect(try await outcome(world, [early], by: "_mallory", limits: limits) == ["early"])
            #expect(try await outcome(world, [create("t")], by: "_alice", limits: limits) == ["t"])
            let pins =
                [create("judge", ["to": link("t", .validate)]), create("child", parent: "t")]
                + (0..<5).map { create("m\($0)", ["to": link("t", .deleteSelf)]) }
            let pinned = try await outcome(world, pins, by: "_mallory", limits: limits)
            #expect(pinned == ["judge", "child", "m0", "m1", "m2", "m3", "m4"])
            let own = (0..<3).map { create("a\($0)", ["to": link("t", .deleteSelf)]) }
            let counted = try await outcome(world, own, by: "_alice", limits: limits)
            #expect(counted == ["a0", "a1", "a2: limitExceeded"])
            // A target must exist when a reference to it is saved, even a reference of a stranger.
            let dangling = [create("d", ["to": link("none", .validate)]), create("e", parent: "none")]
            let refused = try await outcome(world, dangling, by: "_mallory", limits: limits)
            #expect(refused == ["d: validatingReference", "e: validatingReference"])
            #expect(try await world.find(system(.parent, .equals, link("t"))) == ["child"])
            #expect(try await outcome(world, [delete("t")], by: "_alice", limits: limits) == ["-t"])
            #expect(try await world.fetch("judge")?.fields["to"] == link("t", .validate))
            #expect(try await world.find(system(.parent, .equals, link("t"))) == ["child"])
            #expect(try await world.fetch("a0") == nil)
        }
    }

    @Test("References of the target's own creator bind, also among strangers", arguments: StoreKind.allCases)
    func own(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let tree = [
                create("early", ["to": link("t", .deleteSelf)]), create("t"),
                create("late", ["to": link("t", .deleteSelf)]),
                create("leaf", ["to": link("early", .deleteSelf)]),
                create("judge", ["to": link("late", .validate)]), create("child", parent: "t"),
            ]
            _ = try await outcome(world, [tree[0]], by: "_alice")
            _ = try await outcome(world, Array(tree[1...]), by: "_alice")
            let held = try await outcome(world, [delete("t")], by: "_alice")
            #expect(held == ["t: validatingReference"])
            #expect(try await outcome(world, [delete("judge")], by: "_alice") == ["-judge"])
            #expect(try await outcome(world, [delete("child")], by: "_alice") == ["-child"])
            #expect(try await outcome(world, [delete("t")], by: "_alice") == ["-t"])
            #expect(try await world.names() == [])
        }
    }

    @Test(
        """
        A record of a person who may not write its delete-self target is deleted with the target unless \
        another record prevents that; their number in one batch is limited
        """,
        arguments: StoreKind.allCases)
    func guests(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            var limits = Limits()
            limits.deleteSelfSources = 4
            _ = try await outcome(world, [create("post")], by: "_alice", limits: limits)
            let comments = ["b0", "b1", "b2"].map { create($0, ["to": link("post", .deleteSelf)]) }
            _ = try await outcome(world, comments, by: "_bob", limits: limits)
            let like = create("like", ["to": link("b0", .deleteSelf)])
            _ = try await outcome(world, [like], by: "_carol", limits: limits)
            let judge = create("judge", ["to": link("b1", .validate)])
            _ = try await outcome(world, [judge], by: "_bob", limits: limits)
            #expect(try await outcome(world, [delete("post")], by: "_alice", limits: limits) == ["-post"])
            #expect(try await world.names() == ["b1", "judge"])
            // The references that stay do not bind a later record with that name.
            _ = try await outcome(world, [create("post")], by: "_alice", limits: limits)
            #expect(try await outcome(world, [delete("post")], by: "_alice", limits: limits) == ["-post"])
            #expect(try await world.names() == ["b1", "judge"])
        }
    }

    @Test(
        "A reference binds by the permission of its writer, not of the creator of its record",
        arguments: StoreKind.allCases)
    func foreign(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let own = ["wiki", "page", "t", "u"].map { create($0) }
            _ = try await outcome(world, own, by: "_alice")
            let judge = RecordOperation(
                .forceUpdate, recordName: "wiki", recordType: "Party",
                fields: ["to": link("t", .validate)])
            let pin = RecordOperation(
                .forceUpdate, recordName: "page", recordType: "Party",
                fields: ["to": link("u", .deleteSelf)])
            #expect(try await outcome(world, [judge, pin], by: "_mallory") == ["wiki", "page"])
            // A reference to the page binds the page only, not other records of its owner.
            let holder = create("holder", ["to": link("page", .validate)])
            #expect(try await outcome(world, [holder], by: "_alice") == ["holder"])
            let deleted = try await outcome(world, [delete("t"), delete("u")], by: "_alice")
            #expect(deleted == ["-t", "-u"])
            #expect(try await world.names().sorted() == ["holder", "page", "wiki"])
            // A reference of the owner in the same record does count.
            _ = try await outcome(world, [create("v")], by: "_alice")
            var again = judge
            again.fields["to"] = link("v", .validate)
            #expect(try await outcome(world, [again], by: "_alice") == ["wiki"])
            let held = try await outcome(world, [delete("v")], by: "_alice")
            #expect(held == ["v: validatingReference"])
        }
    }

    @Test(
        "A batch considers a limited number of strangers' records, however many refer to its targets",
        arguments: StoreKind.allCases)
    func bounded(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            var limits = Limits()
            limits.deleteSelfSources = 5
            _ = try await outcome(world, ["p", "q", "r"].map { create($0) }, by: "_alice", limits: limits)
            for target in ["p", "q", "r"] {
                let pins = (0..<4).map { create("\(target)\($0)", ["to": link(target, .deleteSelf)]) }
                _ = try await outcome(world, pins, by: "_mallory", limits: limits)
            }
            let deep = (0..<9).map {
                create("x\($0)", ["to": link($0 == 0 ? "p0" : "x\($0 - 1)", .deleteSelf)])
            }
            _ = try await outcome(world, deep, by: "_mallory", limits: limits)
            let all = ["p", "q", "r"].map { delete($0) }
            #expect(try await outcome(world, all, by: "_alice", limits: limits) == ["-p", "-q", "-r"])
            let left = try await world.names()
            #expect(left.count == 12 + 9 - 5)
        }
    }

    @Test(
        "Strangers' references that older versions stored as binding stop preventing saves and deletions",
        arguments: StoreKind.allCases)
    func older(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            var limits = Limits()
            limits.deleteSelfSources = 2
            try await world.commit([create("t")], by: "_alice", limits: limits)
            try await world.commit(
                [
                    create("judge", ["to": link("t", .validate)]), create("child", parent: "t"),
                    create("m0", ["to": link("t", .deleteSelf)]),
                    create("m1", ["to": link("t", .deleteSelf)]),
                ], by: "_mallory", limits: limits)
            let own = create("own", ["to": link("t", .deleteSelf)])
            #expect(try await outcome(world, [own], by: "_alice", limits: limits) == ["own"])
            #expect(try await outcome(world, [delete("t")], by: "_alice", limits: limits) == ["-t"])
            #expect(try await world.names().sorted() == ["child", "judge"])
        }
    }
}
