import RecordStore
import Records
import Testing

@Suite("Contract: subscriptions to the shared database")
struct SharedSubscriptionTests {
    /// Shares a note with Bob, who has a subscription to the shared database.
    private func shareNote(_ world: World, _ subscriptions: Subscription...) async throws {
        let all = subscriptions.isEmpty ? [database("d")] : subscriptions
        try await world.store.setSharedSubscriptions(all, of: "_bob")
        try await world.shareNote()
    }

    private func edit(_ name: String) -> RecordOperation {
        RecordOperation(.forceUpdate, recordName: name, recordType: "Party")
    }

    @Test(
        "Subscriptions to shared databases are stored apart, and fire only for what their owners can see",
        arguments: StoreKind.allCases)
    func apart(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await shareNote(world)
            try await world.subscribe(zone("d", "Z"))
            let both = try await world.told { try await world.commit([edit("note")], zone: "Z") }
            #expect(both.sorted() == ["_bob d database", "_bob d zone Z"])
            let outside = try await world.told {
                try await world.commit([edit("outside"), create("other")], zone: "Z")
                _ = try await world.store.createZone(named: "Y")
            }
            #expect(outside == ["_bob d zone Z"])
            #expect(try await world.store.subscriptions(of: "_bob", in: .shared) == [database("d")])
            #expect(try await world.store.subscriptions(of: "_bob") == [zone("d", "Z")])
            try await world.store.setSharedSubscriptions([database("e"), database("f")], of: "_bob")
            #expect(
                try await world.store.subscriptions(of: "_bob", in: .shared) == [
                    database("e"), database("f"),
                ])
            #expect(try await world.store.subscriptions(of: "_bob") == [zone("d", "Z")])
            try await world.store.forgetPushes(of: "_bob")
            #expect(try await world.store.subscriptions(of: "_bob", in: .shared) == [])
        }
    }

    @Test(
        "A member's subscription to the shared database fires once for each commit that the member sees",
        arguments: StoreKind.allCases)
    func members(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await shareNote(world)
            let steps: [(String, [RecordOperation], fires: Bool)] = [
                ("an edit of two records", [edit("note"), edit("line")], true),
                ("an edit outside", [edit("outside")], false),
                ("a new record below", [create("new", parent: "line")], true),
                ("a new record outside", [create("low", parent: "outside")], false),
                ("records that come in", [move("outside", under: "note")], true),
                ("an edit of what came in with its parent", [edit("low")], true),
                ("records that go out", [move("outside", under: nil)], true),
                ("an edit of what went out with its parent", [edit("low")], false),
                ("a deletion", [delete("new")], true),
                ("an edit of the share", [invite([invited("_bob"), invited("_carol")], to: "s")], true),
                ("another person who joins", [accept("s", by: "_carol")], true),
                ("the end of a membership", [invite([invited("_carol")], to: "s")], true),
                ("an edit after the end", [edit("note")], false),
            ]
            for (what, operations, fires) in steps {
                let told = try await world.told { try await world.commit(operations, zone: "Z") }
                #expect(told == (fires ? ["_bob d database"] : []), "\(what)")
            }
        }
    }

    @Test(
        "Members are notified of joining, of the end of a share, and of the deletion of its zone",
        arguments: StoreKind.allCases)
    func beginAndEnd(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.store.setSharedSubscriptions([database("d")], of: "_bob")
            try await world.store.setSharedSubscriptions([database("d")], of: "_dan")
            // Computed outside of `#expect`, because the compiler confuses its closures with those of the
            // macro.
            let joining = try await world.told { try await world.shareNote() }
            #expect(joining == ["_bob d database"])
            let end = try await world.told { try await world.commit([forceDelete("s")], zone: "Z") }
            #expect(end == ["_bob d database"])
            let people = [invited("_bob"), invited("_carol")]
            let again = [edit("note"), share("t", of: "note", with: people, guid: "again")]
            try await world.commit(again, zone: "Z")
            try await world.commit([accept("t", by: "_bob")], zone: "Z")
            let deletion = try await world.told { try await world.store.deleteZone(named: "Z") }
            #expect(deletion == ["_bob d database"])
        }
    }

    @Test(
        "Members of a share of a whole zone are notified of every change in the zone",
        arguments: StoreKind.allCases)
    func wholeZone(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.store.setSharedSubscriptions([database("d")], of: "_bob")
            _ = try await world.store.createZone(named: "Z")
            try await world.commit([share(of: nil, with: [invited("_bob")])], zone: "Z")
            try await world.commit([accept(Share.zoneWideName, by: "_bob")], zone: "Z")
            let told = try await world.told { try await world.commit([create("any")], zone: "Z") }
            #expect(told == ["_bob d database"])
        }
    }

    @Test(
        "A subscription with a record type fires for changes of that type that the member sees",
        arguments: StoreKind.allCases)
    func types(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await shareNote(world, database("c", type: "Clown"), database("p", type: "Party"))
            let party = try await world.told {
                try await world.commit([edit("note"), create("joe", type: "Clown")], zone: "Z")
            }
            #expect(party == ["_bob p database"])
            let clown = try await world.told {
                try await world.commit([create("ann", type: "Clown", parent: "line")], zone: "Z")
            }
            #expect(clown.contains("_bob c database"))
        }
    }
}
