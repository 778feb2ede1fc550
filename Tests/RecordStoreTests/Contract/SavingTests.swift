import RecordStore
import Records
import Testing

@Suite("Contract: saving")
struct SavingTests {
    @Test(
        "A created record is fetched with the fields, the type and the stamp it was saved with",
        arguments: StoreKind.allCases)
    func creation(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let saved = try await world.create("a", ["title": text("Tea"), "guests": number(3)], by: "_bob")
            let found = try #require(try await world.fetch("a"))
            #expect(found.fields == ["title": text("Tea"), "guests": number(3)])
            #expect(found.type == "Party")
            #expect(found.changeTag == saved.changeTag)
            #expect(found.created == Stamp(at: Timestamp(milliseconds: 1000), by: "_bob"))
            #expect(found.modified == found.created)
        }
    }

    @Test(
        "Every type of field comes back as it was given, and in the same bytes", arguments: StoreKind.allCases
    )
    func everyType(kind: StoreKind) async throws {
        var exact = Location(latitude: 37.25, longitude: -122.5)
        exact.altitude = 12
        exact.horizontalAccuracy = 5
        exact.timestamp = Timestamp(milliseconds: 17)
        let fields: Fields = [
            "string": text("Zoë 🎈 \u{0} end"), "empty": text(""), "int": number(.min), "double": real(-0.1),
            "time": time(1_700_000_000_000), "bytes": bytes([0, 1, 255]), "link": link("b", .deleteSelf),
            "far": link("c", zone: "Other"), "place": Field(.location(exact)), "file": file("AAAA"),
            "secret": Field(.string("hidden"), isEncrypted: true), "words": texts("a", "", "a"),
            "numbers": numbers(3, 1, 2), "none": Field(.list(.double, [])), "links": links("x", "y"),
            "files": Field(.list(.asset, [file("BBBB").value, file("AAAA").value])),
            "places": Field(.list(.location, [place(1, 2).value])),
            "times": Field(.list(.timestamp, [time(5).value])),
            "blobs": Field(.list(.bytes, [bytes([7]).value])),
        ]
        try await withWorld(kind) { world in
            let saved = try await world.create("a", fields)
            #expect(try await world.fetch("a")?.fields == fields)
            #expect(try await world.store.records(named: ["a"], in: "_defaultZone") == [saved])
        }
    }

    @Test(
        "`records` returns one element for each name, in the order given; nil for a missing record",
        arguments: StoreKind.allCases)
    func lookup(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for name in ["a", "b", "c"] { try await world.create(name) }
            try await world.commit([delete("b")])
            let found = try await world.store.records(named: ["c", "b", "a", "x", "c"], in: "_defaultZone")
            #expect(found.map { $0?.id.name } == ["c", nil, "a", nil, "c"])
        }
    }

    @Test(
        "A look-up of records that have together more bytes of fields than it allows is refused",
        arguments: StoreKind.allCases)
    func lookupBytes(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            var bytes = 0
            for name in ["a", "b"] {
                bytes += try await world.create(name, ["t": text(name)]).fields.bytes.count
            }
            let zone = ZoneID.defaultName
            var found: [String?] = []
            _ = try await world.store.lookup(["b", "x", "a"], in: zone, atMost: bytes, wantsToken: false) {
                found.append($0?.id.name)
            }
            #expect(found == ["b", nil, "a"])
            let error = await #expect(throws: RecordError.self) {
                _ = try await world.store.lookup(
                    ["b", "x", "a"], in: zone, atMost: bytes - 1, wantsToken: false
                ) { _ in }
            }
            #expect(error == .answerTooLarge(limit: bytes - 1))
        }
    }

    @Test(
        "`heads` returns what `records` does, without the bytes of the fields", arguments: StoreKind.allCases)
    func heads(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for name in ["a", "b"] {
                try await world.create(name, ["title": text("Tea"), "file": file("AAAA")], by: "_bob")
            }
            try await world.commit([delete("b")])
            let names = ["a", "b", "x", "a"]
            let whole = try await world.store.records(named: names, in: "_defaultZone")
            let heads = try await world.store.heads(named: names, in: "_defaultZone")
            #expect(heads == whole.map { $0?.withoutFields })
            #expect(heads.map { $0?.created.by } == ["_bob", nil, nil, "_bob"])
            #expect(heads.compactMap { $0?.fields.bytes.count } == [0, 0])
        }
    }

    @Test(
        "A record's change tag is the number of its last change, and each change has the next number",
        arguments: StoreKind.allCases)
    func numbering(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let a = try await world.create("a")
            let b = try await world.create("b")
            let again = try await world.save(update(a, ["n": number(1)]))
            #expect([a.sequence, b.sequence, again.sequence] == [1, 2, 3])
            #expect(again.changeTag == ChangeTag(sequence: 3))
            #expect(try await world.fetch("a")?.changeTag == again.changeTag)
        }
    }

    @Test(
        "A created record keeps its creation stamp and its place in the order of creation for life",
        arguments: StoreKind.allCases)
    func creationStays(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let a = try await world.create("a", by: "_alice")
            try await world.create("b", by: "_alice")
            let changed = try await world.save(update(a, ["n": number(1)], kind: .forceReplace), by: "_bob")
            #expect(changed.created == Stamp(at: Timestamp(milliseconds: 1000), by: "_alice"))
            #expect(changed.modified == Stamp(at: Timestamp(milliseconds: 3000), by: "_bob"))
            #expect(try await world.find() == ["a", "b"])
        }
    }

    @Test(
        "A database's time never runs backwards: a stamp earlier than the last one is raised to it",
        arguments: StoreKind.allCases)
    func timeGoesOn(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let a = try await world.create("a", at: 5000)
            let b = try await world.create("b", at: 4000)
            let later = try await world.save(update(a), at: 10)
            try await world.commit([delete("b")], at: 9000)
            let c = try await world.create("c", at: 8000)
            #expect(b.created.at.milliseconds == 5000)
            #expect([later.created.at.milliseconds, later.modified.at.milliseconds] == [5000, 5000])
            #expect(c.created.at.milliseconds == 9000)
        }
    }

    @Test("An update merges the fields that are given and leaves the others", arguments: StoreKind.allCases)
    func merge(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let a = try await world.create("a", ["kept": number(1), "changed": number(2)])
            try await world.save(update(a, ["changed": number(3), "new": number(4)]))
            #expect(
                try await world.fetch("a")?.fields == [
                    "changed": number(3), "kept": number(1), "new": number(4),
                ]
            )
        }
    }

    @Test("A replacement drops the fields that are not given", arguments: StoreKind.allCases)
    func replace(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let a = try await world.create("a", ["dropped": number(1), "title": text("old")])
            let b = try await world.save(update(a, ["title": text("new")], kind: .replace))
            #expect(try await world.fetch("a")?.fields == ["title": text("new")])
            try await world.save(update(b, ["other": number(1)], kind: .forceReplace))
            #expect(try await world.fetch("a")?.fields == ["other": number(1)])
            #expect(try await world.find(field("title", .equals, text("new"))) == [])
        }
    }

    @Test(
        "A field is removed when it is named for removal, and cannot be found any more",
        arguments: StoreKind.allCases)
    func remove(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let a = try await world.create(
                "a", ["title": text("Tea"), "tags": texts("x"), "at": place(1, 2)])
            try await world.save(update(a, removing: ["title", "tags", "at", "never"]))
            #expect(try await world.fetch("a")?.fields == [:])
            #expect(try await world.find(field("title", .equals, text("Tea"))) == [])
            #expect(try await world.find(field("title", .containsAllTokens, text("tea"))) == [])
            #expect(try await world.find(field("tags", .listContains, text("x"))) == [])
            #expect(try await world.find(field("at", .near, place(1, 2), within: 10)) == [])
        }
    }

    @Test(
        "An update compares the change tag: a stale one is a conflict that carries the server's record",
        arguments: StoreKind.allCases, [RecordOperation.Kind.update, .replace, .delete])
    func conflict(kind: StoreKind, operation: RecordOperation.Kind) async throws {
        try await withWorld(kind) { world in
            let old = try await world.create("a", ["n": number(1)])
            try await world.save(update(old, ["n": number(2)]))
            let before = try await world.state()
            let error = try await world.commit([update(old, ["n": number(3)], kind: operation)])[0].error
            #expect(error?.code == .conflict)
            #expect(error?.reason == "client oplock error updating record")
            #expect(error?.serverRecord == (try await world.fetch("a")))
            #expect(error?.serverRecord?.fields == ["n": number(2)])
            #expect(try await world.state() == before)
        }
    }

    @Test(
        "A forced operation ignores the change tag", arguments: StoreKind.allCases,
        [RecordOperation.Kind.forceUpdate, .forceReplace, .forceDelete])
    func forced(kind: StoreKind, operation: RecordOperation.Kind) async throws {
        try await withWorld(kind) { world in
            let old = try await world.create("a", ["n": number(1)])
            try await world.save(update(old, ["n": number(2)]))
            let results = try await world.outcome([update(old, ["n": number(3)], kind: operation)])
            #expect(results == [operation == .forceDelete ? "-a" : "a"])
            #expect(
                try await world.fetch("a")?.fields == (operation == .forceDelete ? nil : ["n": number(3)]))
        }
    }

    @Test(
        "An update or replacement without a change tag is refused", arguments: StoreKind.allCases,
        [RecordOperation.Kind.update, .replace])
    func tagRequired(kind: StoreKind, operation: RecordOperation.Kind) async throws {
        try await withWorld(kind) { world in
            try await world.create("a")
            let error = try await world.commit([RecordOperation(operation, recordName: "a")])[0].error
            #expect(error?.code == .badRequest)
            #expect(error?.reason == "recordChangeTag is required for \(operation.rawValue)")
        }
    }

    @Test("A deletion compares the change tag only if it has one", arguments: StoreKind.allCases)
    func deleteTags(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let a = try await world.create("a")
            try await world.create("b")
            #expect(try await world.outcome([delete("a", tag: a.changeTag)]) == ["-a"])
            #expect(try await world.outcome([delete("b")]) == ["-b"])
            #expect(try await world.names() == [])
        }
    }

    @Test(
        "Creating a record under a name that exists is refused, without the server's record",
        arguments: StoreKind.allCases)
    func exists(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.create("a", ["n": number(1)])
            let before = try await world.state()
            let error = try await world.commit([create("a", ["n": number(2)])])[0].error
            #expect(error?.code == .conflict)
            #expect(error?.reason == "record to insert already exists")
            #expect(error?.serverRecord == nil)
            #expect(try await world.state() == before)
        }
    }

    @Test(
        """
        An operation on a missing record fails with `notFound`, except forced ones: `forceUpdate` and \
        `forceReplace` create it, `forceDelete` succeeds
        """,
        arguments: StoreKind.allCases)
    func missing(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for kind in [RecordOperation.Kind.update, .replace, .delete] {
                let operation = RecordOperation(
                    kind, recordName: "x", recordType: "Party", changeTag: ChangeTag(text: "1")
                )
                let error = try await world.commit([operation])[0].error
                #expect(error?.code == .notFound)
                #expect(error?.reason == "Record not found")
            }
            let before = try await world.state()
            #expect(try await world.outcome([forceDelete("x")]) == ["-x"])
            #expect(try await world.state() == before)
            for (name, kind) in [("u", RecordOperation.Kind.forceUpdate), ("r", .forceReplace)] {
                let operation = RecordOperation(
                    kind, recordName: name, recordType: "Party", fields: ["n": number(1)]
                )
                #expect(try await world.outcome([operation]) == [name])
                #expect(try await world.fetch(name)?.fields == ["n": number(1)])
            }
        }
    }

    @Test(
        "A forced save with a change tag does not create a record that was deleted",
        arguments: StoreKind.allCases, [RecordOperation.Kind.forceUpdate, .forceReplace])
    func mustExist(kind: StoreKind, operation: RecordOperation.Kind) async throws {
        try await withWorld(kind) { world in
            let a = try await world.create("a", ["kept": number(1)])
            try await world.commit([delete("a")])
            let forced = update(a, ["changed": number(2)], kind: operation)
            #expect(try await world.outcome([forced]) == ["a: notFound"])
            #expect(try await world.names() == [])
        }
    }

    @Test(
        "A record cannot be created without a type, and cannot change its type", arguments: StoreKind.allCases
    )
    func types(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let untyped = try await world.commit([RecordOperation(.create, recordName: "a")])[0].error
            #expect(untyped?.code == .badRequest)
            #expect(untyped?.reason == "recordType is required to create a record")
            let a = try await world.create("a")
            var other = update(a, ["n": number(1)])
            other.recordType = "Clown"
            let error = try await world.commit([other])[0].error
            #expect(error?.code == .badRequest)
            #expect(error?.reason == "a record cannot change its type from Party to Clown")
            other.recordType = nil
            #expect(try await world.outcome([other]) == ["a"])
        }
    }

    @Test(
        "A record of the largest size is saved, and one byte more is refused", arguments: StoreKind.allCases)
    func size(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let a = try await world.create("a", ["text": text("12345678")])
            var limits = Limits()
            limits.recordBytes = a.fields.bytes.count
            #expect(
                try await world.outcome([update(a, ["text": text("87654321")])], limits: limits) == ["a"]
            )
            let before = try await world.state()
            let larger = create("b", ["text": text("123456789")])
            let error = try await world.commit([larger], limits: limits)[0].error
            #expect(error?.code == .limitExceeded)
            #expect(
                error?.reason
                    == "record is \(limits.recordBytes + 1) bytes, more than the maximum of "
                    + "\(limits.recordBytes)"
            )
            #expect(try await world.state() == before)
        }
    }

    @Test("A name that was deleted can be used again, as a new record", arguments: StoreKind.allCases)
    func reuse(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let first = try await world.create("a", ["n": number(1)], by: "_alice")
            try await world.create("b")
            try await world.commit([delete("a")])
            let second = try await world.create("a", type: "Clown", ["n": number(2)], by: "_bob")
            #expect(second.created == Stamp(at: Timestamp(milliseconds: 4000), by: "_bob"))
            #expect(try await world.outcome([update(first, ["n": number(3)])]) == ["a: badRequest"])
            #expect(try await world.find() == ["b"])
            #expect(try await world.find(type: "Clown") == ["a"])
            #expect(try await world.changes().map(\.brief) == ["b", "a"])
        }
    }

    @Test(
        "A name that was deleted can be used again by a record with a parent and a validating reference",
        arguments: StoreKind.allCases)
    func reuseBound(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.commit(
                [create("a"), create("p"), create("v")])
            try await world.commit([delete("a")])
            let again = create("a", ["link": link("v", .validate)], parent: "p")
            #expect(try await world.outcome([again]) == ["a"])
        }
    }

    @Test(
        "An operation that is not permitted gets its refusal as result, and nothing changes",
        arguments: StoreKind.allCases)
    func authorization(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let a = try await world.create("a", by: "_alice")
            let before = try await world.state()
            let results = try await world.commit([update(a, ["n": number(1)]), forceDelete("x")]) {
                _, existing in
                existing?.created.by == "_alice"
                    ? RecordError(.accessDenied, "WRITE operation not permitted") : nil
            }
            #expect(results.map(\.brief) == ["a: accessDenied", "-x"])
            #expect(try await world.state() == before)
        }
    }

    @Test(
        "Writing to a missing zone, or reading from it, is refused", arguments: StoreKind.allCases)
    func missingZone(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let refused = RecordError.zoneNotFound("Nowhere")
            await #expect(throws: refused) { try await world.create("a", zone: "Nowhere") }
            await #expect(throws: refused) { try await world.store.records(named: ["a"], in: "Nowhere") }
            await #expect(throws: refused) { try await world.store.heads(named: ["a"], in: "Nowhere") }
            await #expect(throws: refused) { try await world.changes(in: "Nowhere") }
            await #expect(throws: refused) { try await world.store.deleteZone(named: "Nowhere") }
            await #expect(throws: refused) {
                try await world.store.query(QueryPlan(recordType: "Party", zone: "Nowhere", limit: 5))
            }
        }
    }
}
