import RecordStore
import Records
import Testing

@Suite("Contract: batches")
struct BatchTests {
    @Test("A batch gives one result for each operation, in the order given", arguments: StoreKind.allCases)
    func results(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let a = try await world.create("a")
            try await world.create("b")
            let outcome = try await world.outcome([
                delete("missing"), create("c", ["to": link("d", .validate)]), update(a, ["n": number(1)]),
                create("d"), delete("b"), create("a"),
            ])
            #expect(outcome == ["missing: notFound", "c", "a", "d", "-b", "a: conflict"])
        }
    }

    @Test(
        """
        An atomic batch with one bad operation changes nothing; every bad operation gets its own error and \
        every other one `atomicFailure`
        """,
        arguments: StoreKind.allCases)
    func atomic(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Z")
            let a = try await world.create("a", ["n": number(1)], zone: "Z")
            try await world.create("b", zone: "Z")
            let stale = update(a, ["n": number(2)])
            try await world.commit([stale], zone: "Z")
            let before = try await world.state()
            let outcome = try await world.outcome(
                [
                    create("new", ["n": number(5)]), stale, delete("b"), create("other", type: "Clown"),
                    delete("missing"),
                ], zone: "Z", atomic: true
            )
            #expect(
                outcome == [
                    "new: atomicFailure", "a: conflict", "b: atomicFailure", "other: atomicFailure",
                    "missing: notFound",
                ]
            )
            #expect(try await world.state() == before)
            let bystander = try await world.commit([create("b"), create("c")], zone: "Z", atomic: true)[1]
                .error
            #expect(bystander?.reason == "Atomic failure")
        }
    }

    @Test("An atomic batch without errors is applied as a whole", arguments: StoreKind.allCases)
    func atomicSuccess(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Z")
            let outcome = try await world.outcome([create("a"), create("b")], zone: "Z", atomic: true)
            #expect(outcome == ["a", "b"])
            #expect(try await world.names(in: "Z") == ["a", "b"])
        }
    }

    @Test("A batch that is not atomic applies each operation that succeeds", arguments: StoreKind.allCases)
    func itemByItem(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.create("b")
            let outcome = try await world.outcome([
                create("a"), create("b"), create("c", ["to": link("nobody", .validate)]), create("d"),
            ])
            #expect(outcome == ["a", "b: conflict", "c: validatingReference", "d"])
            #expect(try await world.names() == ["b", "a", "d"])
        }
    }

    @Test("An operation that fails uses up no sequence number", arguments: StoreKind.allCases)
    func noGaps(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Z")
            let zones = try await world.store.zones()
            try await world.commit([create("c", ["to": link("nobody", .validate)])], zone: "Z")
            try await world.commit([create("a"), create("a2"), delete("x")], zone: "Z", atomic: true)
            #expect(try await world.store.zones() == zones)
            #expect(try await world.create("b", zone: "Z").sequence == 2)
        }
    }

    @Test(
        "A batch is sorted so that no record is written before the records it refers to",
        arguments: StoreKind.allCases, [Reference.Action.deleteSelf, .validate])
    func sorted(kind: StoreKind, action: Reference.Action) async throws {
        try await withWorld(kind) { world in
            let outcome = try await world.outcome([
                create("leaf", ["to": link("branch", action)]),
                create("twig", ["to": links("branch", "root", action: action)]),
                create("branch", ["to": link("root", action)]),
                create("root"),
            ])
            #expect(outcome == ["leaf", "twig", "branch", "root"])
            #expect(try await world.names() == ["root", "branch", "leaf", "twig"])
        }
    }

    @Test("A batch is sorted along parents too", arguments: StoreKind.allCases)
    func sortedParents(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let outcome = try await world.outcome([create("child", parent: "mother"), create("mother")])
            #expect(outcome == ["child", "mother"])
            #expect(try await world.names() == ["mother", "child"])
        }
    }

    @Test("A cycle of delete-self references is saved in the order given", arguments: StoreKind.allCases)
    func circle(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let outcome = try await world.outcome([
                create("a", ["to": link("b", .deleteSelf)]), create("b", ["to": link("c", .deleteSelf)]),
                create("c", ["to": link("a", .deleteSelf)]), create("d", ["to": link("d", .deleteSelf)]),
            ])
            #expect(outcome == ["a", "b", "c", "d"])
        }
    }

    @Test(
        """
        A record can be deleted in one batch with the records that validate it or are its children, in any \
        order
        """,
        arguments: StoreKind.allCases, [false, true])
    func deleteTogether(kind: StoreKind, atomic: Bool) async throws {
        try await withWorld(kind) { world in
            let family = [
                create("root"), create("child", parent: "root"), create("grandchild", parent: "child"),
                create("judge", ["to": link("grandchild", .validate)]),
            ]
            for order in [
                ["root", "child", "grandchild", "judge"], ["child", "judge", "root", "grandchild"],
            ] {
                try await world.commit(family)
                #expect(
                    try await world.outcome(order.map { delete($0) }, atomic: atomic)
                        == order.map { "-\($0)" })
                #expect(try await world.names() == [])
            }
        }
    }

    @Test(
        "A deletion is applied after the update of the same batch that removes a reference to the record",
        arguments: StoreKind.allCases)
    func letGo(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.commit([create("root"), create("child", parent: "root")])
            let child = try #require(try await world.store.records(named: ["child"], in: "_defaultZone")[0])
            #expect(
                try await world.outcome([delete("root"), update(child, parent: .remove)]) == [
                    "-root", "child",
                ])
        }
    }

    @Test(
        "A deletion fails if the update of the same batch that should remove a reference to the record fails",
        arguments: StoreKind.allCases)
    func letGoFails(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.commit([create("root"), create("child", parent: "root")])
            let outcome = try await world.outcome([
                delete("root"), delete("child", tag: ChangeTag(text: "zz")),
            ])
            #expect(outcome == ["root: validatingReference", "child: conflict"])
            #expect(try await world.names() == ["root", "child"])
        }
    }

    @Test("An empty batch changes nothing", arguments: StoreKind.allCases)
    func empty(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let before = try await world.state()
            #expect(try await world.outcome([]) == [])
            #expect(try await world.state() == before)
        }
    }

    @Test(
        "A batch that is undone changes nothing, and leaves no new types and fields behind",
        arguments: StoreKind.allCases)
    func undone(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Z")
            try await world.create("a", ["n": number(1)], zone: "Z")
            let before = try await world.state()
            let strange: Fields = [
                "title": text("Tea"), "at": place(1, 2), "tags": texts("x"), "to": link("a", .deleteSelf),
                "file": file("AAAA"),
            ]
            for _ in 1...2 {
                let outcome = try await world.outcome(
                    [create("b", strange), create("c", type: "Clown", strange), create("a"), delete("a")],
                    zone: "Z", atomic: true
                )
                let bystanders = ["b", "c"].map { "\($0): atomicFailure" }
                #expect(outcome == bystanders + ["a: conflict", "a: atomicFailure"])
                #expect(try await world.state() == before)
                #expect(try await world.store.usesAsset("AAAA") == false)
            }
            #expect(
                try await world.outcome([create("c", type: "Clown", strange)], zone: "Z", atomic: true) == [
                    "c"
                ])
            #expect(
                try await world.find(field("at", .near, place(1, 2), within: 1), type: "Clown", zone: "Z")
                    == ["c"])
            #expect(try await world.find(field("tags", .listContains, text("x")), zone: "Z") == [])
        }
    }

    @Test(
        """
        The saved records in the results of one batch have together no more bytes than a request may have, \
        and those in conflicts no more than a page
        """,
        arguments: StoreKind.allCases)
    func bounded(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let text = String(repeating: "x", count: 1000)
            let names = ["a", "b", "c"]
            for name in names { try await world.create(name, ["text": Field(.string(text))]) }
            var limits = Limits()
            (limits.requestBytes, limits.answerBytes) = (2500, 1500)
            let touches = names.map {
                RecordOperation(.forceUpdate, recordName: $0, fields: ["n": Field(.int64(1))])
            }
            let saved = try await world.outcome(touches, limits: limits)
            let refused = saved.filter { $0.contains("limitExceeded") }
            #expect(refused.count == 1)
            let stale = names.map {
                RecordOperation(
                    .update, recordName: $0, changeTag: ChangeTag(text: "0"), fields: ["n": Field(.int64(2))])
            }
            var carried = 0
            for case .failure(_, let error) in try await world.commit(stale, limits: limits) {
                #expect(error.code == .conflict)
                carried += error.serverRecord == nil ? 0 : 1
            }
            #expect(carried == 1)
        }
    }

    @Test(
        "A batch reserves memory for its results before it commits, and changes nothing if there is none",
        arguments: StoreKind.allCases)
    func reserving(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let text = String(repeating: "x", count: 1000)
            try await world.create("a", ["text": Field(.string(text))])
            let before = try await world.state()
            let refuse: WriteBatch.Reservation = { bytes throws(RecordError) in
                #expect(bytes > 1000)
                throw RecordError(.tryAgainLater, "no memory")
            }
            for operation in [RecordOperation.Kind.forceUpdate, .update] {
                let tag = operation == .update ? ChangeTag(text: "0") : nil
                let touch = RecordOperation(
                    operation, recordName: "a", changeTag: tag, fields: ["n": Field(.int64(1))])
                let error = await #expect(throws: RecordError.self) {
                    try await world.commit([touch], reserve: refuse)
                }
                #expect(error?.code == .tryAgainLater)
                #expect(try await world.state() == before)
            }
        }
    }
}
