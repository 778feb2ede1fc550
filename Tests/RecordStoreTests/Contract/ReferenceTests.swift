import RecordStore
import Records
import Testing

@Suite("Contract: references")
struct ReferenceTests {
    @Test(
        """
        Deleting a record deletes the records that refer to it with delete-self, recursively, in the same \
        transaction
        """,
        arguments: StoreKind.allCases)
    func cascade(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.commit([
                create("root"), create("a", ["to": link("root", .deleteSelf)]),
                create("b", type: "Clown", ["to": link("a", .deleteSelf)]),
                create("list", ["to": links("x", "b", action: .deleteSelf)]),
                create("plain", ["to": link("root")]), create("bystander"),
            ])
            #expect(try await world.outcome([delete("root")]) == ["-root"])
            #expect(
                try await world.changes().map(\.brief) == [
                    "plain", "bystander", "-root", "-a", "-b", "-list",
                ])
            #expect(try await world.find(type: "Clown") == [])
        }
    }

    @Test("A cascade deletes a tree of references however deep it is", arguments: StoreKind.allCases)
    func deep(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let count = 1500
            let chain = (0..<count).map { index in
                create("n\(index)", index == 0 ? [:] : ["to": link("n\(index - 1)", .deleteSelf)])
            }
            try await world.commit(chain)
            #expect(try await world.outcome([delete("n1")]) == ["-n1"])
            #expect(try await world.names() == ["n0"])
        }
    }

    @Test("A cascade deletes a tree of references however wide it is", arguments: StoreKind.allCases)
    func wide(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.create("root")
            try await world.commit((0..<600).map { create("n\($0)", ["to": link("root", .deleteSelf)]) })
            try await world.commit((0..<300).map { create("m\($0)", ["to": link("n7", .deleteSelf)]) })
            #expect(try await world.outcome([delete("root")]) == ["-root"])
            #expect(try await world.names() == [])
            #expect(try await world.changes(page: 200).count == 901)
        }
    }

    @Test(
        """
        The deletions of a batch cascade to a limited number of records; a deletion that would exceed the \
        limit is refused as a whole
        """,
        arguments: StoreKind.allCases)
    func bounded(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            var limits = Limits()
            #expect(limits.cascadeRecords == 10_000)
            limits.cascadeRecords = 5
            for root in ["three", "two", "one"] { try await world.create(root) }
            for (root, count) in [("three", 3), ("two", 2), ("one", 1)] {
                try await world.commit(
                    (0..<count).map { create("\(root)\($0)", ["to": link(root, .deleteSelf)]) })
            }
            let batch = [delete("three"), delete("two"), delete("one")]
            let results = try await world.commit(batch, limits: limits).map(\.brief)
            #expect(results.prefix(2) == ["-three", "-two"])
            #expect(results.last?.contains("limitExceeded") == true)
            #expect(try await world.names().sorted() == ["one", "one0"])
            #expect(try await world.outcome([delete("one")], limits: limits) == ["-one"])
        }
    }

    @Test("Refused deletions count towards the cascade limit of a batch", arguments: StoreKind.allCases)
    func refused(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            var limits = Limits()
            limits.cascadeRecords = 5
            try await world.commit([create("a"), create("b", ["to": link("a", .deleteSelf)])])
            try await world.commit((0..<3).map { create("c\($0)", ["to": link("b", .deleteSelf)]) })
            try await world.commit([create("holder", ["to": link("c2", .validate)])])
            let batch = ["b", "a", "b"].map { delete($0) }
            let results = try await world.outcome(batch, limits: limits)
            #expect(results.filter { $0.contains("validatingReference") }.count == 1)
            #expect(results.filter { $0.contains("limitExceeded") }.count == 2)
            #expect(try await world.names().count == 6)
        }
    }

    @Test("A cascade ends when references form a cycle", arguments: StoreKind.allCases)
    func circle(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.commit([
                create("a", ["to": link("c", .deleteSelf)]), create("b", ["to": link("a", .deleteSelf)]),
                create("c", ["to": link("b", .deleteSelf)]),
                create("self", ["to": link("self", .deleteSelf)]),
            ])
            #expect(try await world.outcome([delete("b"), delete("self")]) == ["-b", "-self"])
            #expect(try await world.names() == [])
        }
    }

    @Test(
        "A record with several delete-self targets is deleted with the first of them, and only once",
        arguments: StoreKind.allCases)
    func several(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.commit([
                create("one"), create("two"),
                create("child", ["to": link("one", .deleteSelf), "and": link("two", .deleteSelf)]),
                create("grandchild", ["to": link("child", .deleteSelf), "and": link("one", .deleteSelf)]),
            ])
            #expect(try await world.outcome([delete("one")]) == ["-one"])
            #expect(try await world.changes().map(\.brief) == ["two", "-one", "-child", "-grandchild"])
            #expect(try await world.outcome([delete("two")]) == ["-two"])
        }
    }

    @Test(
        "A reference that was changed or removed no longer causes a cascade", arguments: StoreKind.allCases)
    func changed(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.commit([create("root"), create("other")])
            let a = try await world.create("a", ["to": link("root", .deleteSelf)])
            let b = try await world.create("b", ["to": link("root", .deleteSelf)])
            let c = try await world.create("c", ["to": link("root", .deleteSelf)])
            try await world.commit([
                update(a, ["to": link("other", .deleteSelf)]), update(b, removing: ["to"]),
                update(c, ["to": link("root")]),
            ])
            try await world.commit([delete("root")])
            #expect(try await world.names() == ["other", "a", "b", "c"])
            try await world.commit([delete("other")])
            #expect(try await world.names() == ["b", "c"])
        }
    }

    @Test(
        """
        A reference may point at a missing record, also with delete-self; it takes effect when that record \
        is created
        """,
        arguments: StoreKind.allCases)
    func dangling(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let outcome = try await world.outcome([
                create("a", ["to": link("later")]), create("b", ["to": link("later", .deleteSelf)]),
            ])
            #expect(outcome == ["a", "b"])
            try await world.create("later")
            try await world.commit([delete("later")])
            #expect(try await world.names() == ["a"])
        }
    }

    @Test(
        "The target of a validating or parent reference must exist when it is saved",
        arguments: StoreKind.allCases)
    func validate(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let before = try await world.state()
            for operation in [create("a", ["to": link("x", .validate)]), create("a", parent: "x")] {
                let error = try await world.commit([operation])[0].error
                #expect(error?.code == .validatingReference)
                #expect(error?.culprit == "x")
            }
            #expect(try await world.state() == before)
            try await world.create("x")
            #expect(try await world.outcome([create("a", ["to": link("x", .validate)])]) == ["a"])
            #expect(try await world.outcome([create("self", ["to": link("self", .validate)])]) == ["self"])
        }
    }

    @Test(
        "A record cannot be deleted while another validates it, or has it for its parent",
        arguments: StoreKind.allCases)
    func held(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.commit([
                create("x"), create("y"), create("self", ["to": link("self", .validate)]),
            ])
            let judge = try await world.create("judge", ["to": link("x", .validate)])
            try await world.commit([create("child", parent: "y")])
            let before = try await world.state()
            for (name, culprit) in [("x", "judge"), ("y", "child")] {
                let error = try await world.commit([delete(name)])[0].error
                #expect(error?.code == .validatingReference)
                #expect(error?.culprit == culprit)
                #expect(try await world.outcome([forceDelete(name)]) == ["\(name): validatingReference"])
            }
            #expect(try await world.state() == before)
            try await world.commit([update(judge, removing: ["to"]), delete("child")])
            #expect(
                try await world.outcome([delete("x"), delete("y"), delete("self")]) == ["-x", "-y", "-self"])
        }
    }

    @Test(
        "A cascade that would leave a validating or parent reference dangling is refused as a whole",
        arguments: StoreKind.allCases)
    func cascadeHeld(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.commit([
                create("root"), create("a", ["to": link("root", .deleteSelf)]),
                create("b", ["to": link("a", .deleteSelf), "file": file("AAAA")]),
                create("judge", ["to": link("b", .validate)]), create("free"),
            ])
            let before = try await world.state()
            let error = try await world.commit([delete("root")])[0].error
            #expect(error?.code == .validatingReference)
            #expect(error?.culprit == "judge")
            #expect(try await world.state() == before)
            #expect(
                try await world.outcome([delete("root"), delete("free")]) == [
                    "root: validatingReference", "-free",
                ])
            #expect(try await world.store.releasedAssets(limit: 5) == [])
        }
    }

    @Test(
        "A child that is deleted in the same cascade does not prevent the deletion of its parent",
        arguments: StoreKind.allCases)
    func boundTwice(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.commit([
                create("root"), create("child", ["to": link("root", .deleteSelf)], parent: "root"),
                create("toy", ["to": link("child", .deleteSelf), "judges": link("root", .validate)]),
            ])
            #expect(try await world.outcome([delete("root")]) == ["-root"])
            #expect(try await world.names() == [])
        }
    }

    @Test("The number of delete-self references to one target is limited", arguments: StoreKind.allCases)
    func sourceLimit(kind: StoreKind) async throws {
        #expect(Limits().deleteSelfSources == 750)
        try await withWorld(kind) { world in
            var limits = Limits()
            limits.deleteSelfSources = 3
            func source(_ name: String) -> RecordOperation { create(name, ["to": link("t", .deleteSelf)]) }
            #expect(
                try await world.outcome(["a", "b", "c", "d"].map(source), limits: limits)
                    == ["a", "b", "c", "d: limitExceeded"]
            )
            let error = try await world.commit([source("e")], limits: limits)[0].error
            #expect(error?.reason == "more than 3 records refer to one target with DELETE_SELF")
            let c = try #require(try await world.store.records(named: ["c"], in: "_defaultZone")[0])
            #expect(try await world.outcome([update(c, ["n": number(1)])], limits: limits) == ["c"])
            #expect(
                try await world.outcome([delete("c"), source("d"), source("e")], limits: limits)
                    == ["-c", "d", "e: limitExceeded"])
        }
    }

    @Test("A reference with an action cannot leave its zone; one without may", arguments: StoreKind.allCases)
    func acrossZones(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Z")
            for action in [Reference.Action.deleteSelf, .validate] {
                let error = try await world.commit(
                    [create("a", ["to": link("x", action, zone: "_defaultZone")])], zone: "Z"
                )[0].error
                #expect(error?.code == .badRequest)
                #expect(error?.culprit == "to")
            }
            let fields: Fields = [
                "far": link("x", zone: "_defaultZone"), "near": link("b", .deleteSelf, zone: "Z"),
            ]
            #expect(try await world.outcome([create("a", fields)], zone: "Z") == ["a"])
            #expect(
                try await world.fetch("a", zone: "Z")?.fields
                    == ["far": link("x", zone: "_defaultZone"), "near": link("b", .deleteSelf)]
            )
        }
    }

    @Test("A cascade stays in its zone", arguments: StoreKind.allCases)
    func oneZone(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Z")
            for zone in ["_defaultZone", "Z"] {
                try await world.commit(
                    [create("root"), create("a", ["to": link("root", .deleteSelf)])], zone: zone)
            }
            try await world.commit([delete("root")], zone: "Z")
            #expect(try await world.names(in: "Z") == [])
            #expect(try await world.names() == ["root", "a"])
        }
    }

    @Test(
        "Saving a child gives its parent a new change tag, unless the batch changes the parent itself",
        arguments: StoreKind.allCases)
    func touch(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let both = try await world.commit([create("p"), create("first", parent: "p")])
            #expect(both.compactMap(\.record?.sequence) == [1, 2])
            #expect(try await world.names() == ["p", "first"])
            try await world.commit([create("a", parent: "p"), create("b", parent: "p")])
            #expect(try await world.names() == ["first", "a", "b", "p"])
            let parent = try #require(try await world.fetch("p"))
            #expect(parent.changeTag == ChangeTag(sequence: 5))
            #expect(parent.modified?.at == Timestamp(milliseconds: 2000))
            #expect(parent.created?.at == Timestamp(milliseconds: 1000))
            try await world.commit([create("bad", ["to": link("x", .validate)], parent: "p")])
            #expect(try await world.fetch("p") == parent)
        }
    }

    @Test("A subscription fires for a touched parent whose fields match", arguments: StoreKind.allCases)
    func toldOfTouch(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.commit([create("p", type: "Hall", ["n": number(3)])])
            try await world.commit([create("q", type: "Hall", ["n": number(4)])])
            try await world.subscribe(
                query("hall", field("n", .equals, number(3)), type: "Hall", on: [.update]))
            let told = try await world.told {
                try await world.commit([create("c", parent: "p"), create("d", parent: "q")])
            }
            #expect(told == ["_bob hall update p"])
            let found = try await world.store.query(
                QueryPlan(
                    recordType: "Hall",
                    filters: [system(.modifiedUserRecordName, .equals, text("_alice"))], limit: 9))
            #expect(found.records.map(\.id.name) == ["p", "q"])
        }
    }

    @Test("A parent that the saver may not change keeps its change tag", arguments: StoreKind.allCases)
    func foreignParent(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let parent = try await world.save(create("p"))
            let saved = try await world.commit([create("c", parent: "p")], by: "_bob") { _, existing in
                existing == nil ? nil : RecordError(.accessDenied, "WRITE operation not permitted")
            }
            #expect(saved.compactMap(\.record?.id.name) == ["c"])
            #expect(try await world.fetch("p")?.changeTag == parent.changeTag)
            #expect(try await world.fetch("p")?.modified?.by == "_alice")
        }
    }

    @Test(
        "A parent is kept by updates, and set, changed or removed when asked", arguments: StoreKind.allCases)
    func parents(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.commit([create("p"), create("q")])
            var child = try await world.save(create("c", parent: "p"))
            child = try await world.save(update(child, ["n": number(1)]))
            #expect(child.parent == "p")
            child = try await world.save(update(child, parent: .set("q")))
            #expect(child.parent == "q")
            #expect(try await world.outcome([delete("p")]) == ["-p"])
            child = try await world.save(update(child, kind: .replace))
            #expect(child.parent == nil)
            child = try await world.save(update(child, parent: .set("q")))
            child = try await world.save(update(child, parent: .remove))
            #expect(child.parent == nil)
            #expect(try await world.outcome([delete("q")]) == ["-q"])
        }
    }
}
