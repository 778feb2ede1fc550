import RecordStore
import Records
import Testing

@Suite("Contract: indexes")
struct IndexTests {
    private let rich: Fields = [
        "title": text("Tea time"), "n": number(5), "at": place(1, 2), "tags": texts("x", "y"),
    ]

    @Test(
        "An index that was removed from the schema is dropped, and built again when it is added again",
        arguments: StoreKind.allCases)
    func givenUp(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.create("a", rich)
            try await world.create("other", type: "Other", rich)
            let full = world.schema
            world.declare { schema in
                schema.types["Other"] = nil
                schema.types["Party"]?.systemIndexes = [:]
                for name in rich.names { schema.types["Party"]?.fields[name]?.indexes = [] }
                schema.types["Party"]?.fields["tags"] = nil
            }
            try await world.store.dropIndexes(notIn: world.schema)
            try await world.store.dropIndexes(notIn: world.schema)
            if let inspected = world.store as? any InspectedStore {
                #expect(try await inspected.indexNames() == [])
            }
            #expect(try await world.fetch("a")?.fields == rich)
            #expect(try await world.fetch("other")?.fields == rich)
            try await world.save(RecordOperation(.forceUpdate, recordName: "a", fields: ["n": number(6)]))
            world.declare { $0 = full }
            try await world.create("b", ["n": number(7)])
            #expect(try await world.find(field("n", .greaterThan, number(5))) == ["a", "b"])
            #expect(try await world.find(field("title", .containsAllTokens, text("tea"))) == ["a"])
            #expect(try await world.find(field("title", .equals, text("Tea time"))) == ["a"])
            #expect(try await world.find(field("at", .near, place(1, 2), within: 5)) == ["a"])
            #expect(try await world.find(field("tags", .listContains, text("y"))) == ["a"])
            #expect(try await world.find(field("n", .equals, number(5)), type: "Other") == ["other"])
            #expect(
                try await world.find(sort: [Sort(.system(.modifiedTimestamp), ascending: false)])
                    == ["b", "a"])
        }
    }

    @Test(
        "An update to a text or a reference that only looks the same is found by its own bytes",
        arguments: StoreKind.allCases)
    func spellings(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
            func fields(_ name: String) -> Fields {
                ["title": text(name), "to": link(name), "all": links("x", name)]
            }
            try await world.create("a", fields(composed))
            try await world.save(
                RecordOperation(.forceUpdate, recordName: "a", fields: fields(decomposed)))
            for (name, found) in [(composed, []), (decomposed, ["a"])] {
                #expect(try await world.find(field("title", .equals, text(name))) == found)
                #expect(try await world.find(field("to", .equals, link(name))) == found)
                #expect(try await world.find(field("all", .listContains, link(name))) == found)
            }
        }
    }

    @Test("Dropping one index of a field keeps the others", arguments: StoreKind.allCases)
    func oneOfSeveral(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.create("a", rich.merging(["note": text("hot")]))
            world.declare { $0.types["Party"]?.fields["title"]?.indexes = .queryable }
            try await world.store.dropIndexes(notIn: world.schema)
            #expect(try await world.find(Filter(nil, .containsAllTokens, .string("hot"))) == ["a"])
            #expect(try await world.find(field("title", .equals, text("Tea time"))) == ["a"])
            #expect(try await world.find(field("n", .equals, number(5))) == ["a"])
        }
    }
}

extension Fields {
    fileprivate func merging(_ others: Fields) -> Fields {
        var result = self
        for (name, field) in others { result[name] = field }
        return result
    }
}
