import RecordStore
import Records
import Testing

/// A condition and the guests that it finds.
struct Condition: Sendable, CustomTestStringConvertible {
    var filter: Filter
    var names: String

    init(_ filter: Filter, _ names: String) {
        self.filter = filter
        self.names = names
    }

    var testDescription: String {
        "\(filter.key?.displayName ?? "self") \(filter.comparator.rawValue) \(filter.value)"
    }
}

/// Four guests; `d` has no fields at all.
private let guests: [(name: String, fields: Fields)] = [
    (
        "a",
        [
            "s": text("apple"), "i": number(-1), "d": real(1.5), "t": time(1000), "b": bytes([1]),
            "r": link("x"),
            "sl": texts("red", "blue"), "il": numbers(1, 2, 2), "rl": links("x", "y"),
            "dl": Field(.list(.double, [.double(0.5)])), "tl": Field(.list(.timestamp, [time(7).value])),
            "bl": Field(.list(.bytes, [.bytes([9])])), "e": Field(.string("apple"), isEncrypted: true),
        ]
    ),
    (
        "b",
        [
            "s": text("apricot"), "i": number(0), "d": real(2), "t": time(2000), "b": bytes([1, 2]),
            "r": link("y", .deleteSelf), "sl": texts("red"), "il": numbers(2, 3),
            "rl": links("y", action: .deleteSelf),
        ]
    ),
    (
        "c",
        [
            "s": text("Apple"), "i": number(.max), "d": real(-3), "t": time(-5), "b": bytes([]),
            "r": link("x", .deleteSelf),
            "sl": Field(.list(.string, [])), "il": Field(.list(.int64, [])),
            "rl": Field(.list(.reference, [])),
        ]
    ),
    ("d", [:]),
]

private let scalarConditions: [Condition] = [
    Condition(field("s", .equals, text("apple")), "a"),
    Condition(field("s", .notEquals, text("apple")), "b c"),
    Condition(field("s", .isIn, texts("apple", "Apple", "x")), "a c"),
    Condition(field("s", .isIn, texts()), ""),
    Condition(field("s", .notIn, texts("apple", "Apple", "x")), "b"),
    Condition(field("s", .notIn, texts()), "a b c"),
    Condition(field("s", .lessThan, text("apple")), "c"),
    Condition(field("s", .lessThanOrEquals, text("apple")), "a c"),
    Condition(field("s", .greaterThan, text("apple")), "b"),
    Condition(field("s", .greaterThanOrEquals, text("apple")), "a b"),
    Condition(field("s", .beginsWith, text("ap")), "a b"),
    Condition(field("s", .notBeginsWith, text("ap")), "c"),
    Condition(field("s", .beginsWith, text("")), "a b c"),
    Condition(field("s", .notBeginsWith, text("")), ""),
    Condition(field("i", .equals, number(0)), "b"), Condition(field("i", .notEquals, number(0)), "a c"),
    Condition(field("i", .isIn, numbers(0, -1, 5, 6, 7)), "a b"),
    Condition(field("i", .notIn, numbers(0, -1)), "c"),
    Condition(field("i", .lessThan, number(0)), "a"),
    Condition(field("i", .lessThanOrEquals, number(0)), "a b"),
    Condition(field("i", .greaterThan, number(0)), "c"),
    Condition(field("i", .greaterThanOrEquals, number(.max)), "c"),
    Condition(field("d", .equals, real(2)), "b"), Condition(field("d", .equals, number(2)), "b"),
    Condition(field("d", .notEquals, real(2)), "a c"), Condition(field("d", .isIn, numbers(2, -3)), "b c"),
    Condition(field("d", .notIn, Field(.list(.double, [.double(1.5)]))), "b c"),
    Condition(field("d", .lessThan, real(1.5)), "c"),
    Condition(field("d", .lessThanOrEquals, real(1.5)), "a c"),
    Condition(field("d", .greaterThan, real(1.5)), "b"),
    Condition(field("d", .greaterThanOrEquals, number(-3)), "a b c"),
    Condition(field("t", .equals, time(1000)), "a"), Condition(field("t", .notEquals, time(1000)), "b c"),
    Condition(field("t", .isIn, Field(.list(.timestamp, [time(-5).value]))), "c"),
    Condition(field("t", .notIn, Field(.list(.timestamp, [time(-5).value]))), "a b"),
    Condition(field("t", .lessThan, time(1000)), "c"),
    Condition(field("t", .lessThanOrEquals, time(1000)), "a c"),
    Condition(field("t", .greaterThan, time(.max)), ""),
    Condition(field("t", .greaterThanOrEquals, time(1000)), "a b"),
    Condition(field("b", .equals, bytes([1])), "a"), Condition(field("b", .notEquals, bytes([])), "a b"),
    Condition(field("b", .isIn, Field(.list(.bytes, [.bytes([]), .bytes([1, 2])]))), "b c"),
    Condition(field("b", .notIn, Field(.list(.bytes, [.bytes([]), .bytes([1, 2])]))), "a"),
    Condition(field("r", .equals, link("x")), "a c"),
    Condition(field("r", .equals, link("x", .validate)), "a c"),
    Condition(field("r", .notEquals, link("x")), "b"), Condition(field("r", .isIn, links("x", "z")), "a c"),
    Condition(field("r", .notIn, links("x", "z")), "b"),
]

private let listConditions: [Condition] = [
    Condition(field("sl", .listContains, text("red")), "a b"),
    Condition(field("sl", .notListContains, text("blue")), "b c"),
    Condition(field("sl", .listContainsAny, texts("blue", "x")), "a"),
    Condition(field("sl", .notListContainsAny, texts("blue", "x")), "b c"),
    Condition(field("sl", .listContainsAll, texts("red", "blue", "red")), "a"),
    Condition(field("sl", .notListContainsAll, texts("red", "blue")), "b c"),
    Condition(field("sl", .listContainsAll, texts()), "a b c"),
    Condition(field("sl", .notListContainsAll, texts()), ""),
    Condition(field("sl", .listContainsAny, texts()), ""),
    Condition(field("sl", .notListContainsAny, texts()), "a b c"),
    Condition(field("sl", .listMemberBeginsWith, text("bl")), "a"),
    Condition(field("sl", .notListMemberBeginsWith, text("bl")), "b c"),
    Condition(field("sl", .listMemberBeginsWith, text("")), "a b"),
    Condition(field("il", .listContains, number(2)), "a b"),
    Condition(field("il", .listContainsAll, numbers(2, 3)), "b"),
    Condition(field("il", .listContainsAny, numbers(1, 3)), "a b"),
    Condition(field("dl", .listContains, real(0.5)), "a"),
    Condition(field("dl", .listContains, number(0)), ""),
    Condition(field("tl", .listContains, time(7)), "a"),
    Condition(field("bl", .listContains, bytes([9])), "a"),
    Condition(field("rl", .listContains, link("y")), "a b"),
    Condition(field("rl", .notListContains, link("x")), "b c"),
    Condition(field("rl", .listContainsAll, links("x", "y")), "a"),
    Condition(field("rl", .listContainsAny, links("x", "z")), "a"),
]

/// Created by `_alice` at 1000, 2000, 3000 and 4000 milliseconds, except `b`, created by `_bob`. `_bob`
/// changed `a` at 5000.
private let systemConditions: [Condition] = [
    Condition(system(.recordName, .equals, link("b")), "b"),
    Condition(system(.recordName, .equals, text("b")), "b"),
    Condition(system(.recordName, .equals, link("b", zone: "Other")), ""),
    Condition(system(.recordName, .equals, link("b", zone: "_defaultZone")), "b"),
    Condition(system(.recordName, .notEquals, link("b")), "a c d"),
    Condition(system(.recordName, .isIn, links("a", "d", "x")), "a d"),
    Condition(system(.recordName, .notIn, links("a", "d")), "b c"),
    Condition(system(.createdUserRecordName, .equals, link("_bob")), "b"),
    Condition(system(.createdUserRecordName, .equals, link("_bob", zone: "Other")), "b"),
    Condition(system(.createdUserRecordName, .notEquals, link("_bob")), "a c d"),
    Condition(system(.createdUserRecordName, .isIn, links("_bob", "_eve")), "b"),
    Condition(system(.modifiedUserRecordName, .equals, link("_bob")), "a"),
    Condition(system(.modifiedUserRecordName, .notIn, links("_bob")), "b c d"),
    Condition(system(.createdTimestamp, .equals, time(2000)), "b"),
    Condition(system(.createdTimestamp, .notEquals, time(2000)), "a c d"),
    Condition(system(.createdTimestamp, .lessThan, time(2000)), "a"),
    Condition(system(.createdTimestamp, .lessThanOrEquals, time(2000)), "a b"),
    Condition(system(.createdTimestamp, .greaterThan, time(2000)), "c d"),
    Condition(system(.createdTimestamp, .greaterThanOrEquals, time(2001)), "c d"),
    Condition(
        system(.createdTimestamp, .isIn, Field(.list(.timestamp, [time(1000).value, time(3000).value]))),
        "a c"),
    Condition(system(.createdTimestamp, .notIn, Field(.list(.timestamp, [time(1000).value]))), "b c d"),
    Condition(system(.createdTimestamp, .greaterThan, time(.max)), ""),
    Condition(system(.createdTimestamp, .lessThanOrEquals, time(.max)), "a b c d"),
    Condition(system(.createdTimestamp, .greaterThanOrEquals, time(.min)), "a b c d"),
    Condition(system(.modifiedTimestamp, .equals, time(5000)), "a"),
    Condition(system(.modifiedTimestamp, .lessThan, time(5000)), "b c d"),
    Condition(system(.modifiedTimestamp, .greaterThan, time(3000)), "a b d"),
    Condition(system(.modifiedTimestamp, .notEquals, time(3000)), "a b d"),
    Condition(system(.parent, .equals, link("b")), "d"),
    Condition(system(.parent, .equals, link("b", zone: "Other")), ""),
    Condition(system(.parent, .notEquals, link("b")), ""),
    Condition(system(.parent, .isIn, links("a", "b")), "d"),
    Condition(system(.share, .equals, link("b")), ""), Condition(system(.share, .notEquals, link("b")), ""),
]

@Suite("Contract: conditions")
struct ComparatorTests {
    @Test("Every comparator finds the right records on every type of field", arguments: StoreKind.allCases)
    func scalars(kind: StoreKind) async throws {
        try await check(scalarConditions, kind)
    }

    @Test(
        "Every comparator of lists finds the right records on every type of element",
        arguments: StoreKind.allCases)
    func lists(kind: StoreKind) async throws {
        try await check(listConditions, kind)
    }

    @Test(
        "System fields, times and names can be used in conditions like fields",
        arguments: StoreKind.allCases)
    func systemFields(kind: StoreKind) async throws {
        try await check(systemConditions, kind)
    }

    private func check(_ conditions: [Condition], _ kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for (name, fields) in guests {
                try await world.save(
                    create(name, fields, parent: name == "d" ? "b" : nil), by: name == "b" ? "_bob" : "_alice"
                )
            }
            // Saving its child "d" has already modified "b"; then "a" is changed.
            let a = try #require(try await world.store.records(named: ["a"], in: "_defaultZone")[0])
            try await world.save(update(a, ["n": number(1)]), by: "_bob")
            for condition in conditions {
                let expected = condition.names.split(separator: " ").map(String.init)
                let found = try await world.find(condition.filter)
                #expect(found == expected, "\(condition.testDescription)")
            }
        }
    }

    @Test(
        "A record without a field matches no condition on that field, not even a negative one",
        arguments: StoreKind.allCases, Comparator.allCases.filter { $0.negated != nil })
    func missingFields(kind: StoreKind, comparator: Comparator) async throws {
        try await withWorld(kind) { world in
            try await world.create("a", ["s": text("x"), "l": texts("x")])
            try await world.create("b")
            let isList = comparator.rawValue.contains("LIST")
            let takesMany = [.notIn, .notListContainsAny, .notListContainsAll].contains(comparator)
            let filter = field(isList ? "l" : "s", comparator, takesMany ? texts("y") : text("y"))
            #expect(try await world.find(filter) == ["a"])
        }
    }

    @Test("All conditions of a query must hold", arguments: StoreKind.allCases)
    func conjunction(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for index in 0..<6 {
                try await world.create(
                    "\(index)",
                    [
                        "n": number(Int64(index)), "even": number(Int64(index % 2)),
                        "t": texts("x", "y\(index)"),
                    ]
                )
            }
            let found = try await world.find(
                field("n", .greaterThan, number(0)), field("n", .lessThan, number(5)),
                field("even", .equals, number(0)), field("t", .listContains, text("x"))
            )
            #expect(found == ["2", "4"])
        }
    }

    @Test(
        "A text is compared by its bytes: two spellings of one letter are two texts",
        arguments: StoreKind.allCases)
    func spellings(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let composed = try await world.create(
                "a", ["s": text("\u{e9}"), "l": texts("\u{e9}", "e\u{301}")])
            try await world.create("b", ["s": text("e\u{301}"), "l": texts("e\u{301}")])
            #expect(try await world.find(field("s", .equals, text("\u{e9}"))) == ["a"])
            #expect(try await world.find(field("s", .equals, text("e\u{301}"))) == ["b"])
            #expect(try await world.find(field("s", .greaterThan, text("e\u{301}"))) == ["a"])
            #expect(try await world.find(field("l", .listContains, text("\u{e9}"))) == ["a"])
            #expect(try await world.find(field("l", .listContains, text("e\u{301}"))) == ["a", "b"])
            #expect(try await world.find(sort: [ascending("s")]) == ["b", "a"])
            try await world.save(update(composed, ["s": text("e\u{301}"), "l": texts("e\u{301}", "\u{e9}")]))
            #expect(try await world.find(field("s", .equals, text("e\u{301}"))) == ["a", "b"])
        }
    }

    @Test(
        "References are equal when they point at the same record of the same zone",
        arguments: StoreKind.allCases)
    func references(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Z")
            func fields(_ link: Field, _ list: String, _ zone: String?) -> Fields {
                ["r": link, "l": Field(.list(.reference, [RecordStoreTests.link(list, zone: zone).value]))]
            }
            try await world.create("home", fields(link("x"), "x", nil))
            try await world.create("away", fields(link("x", zone: "Z"), "x", "Z"))
            try await world.create("there", fields(link("x"), "x", nil), zone: "Z")
            try await world.create(
                "back", fields(link("x", zone: "_defaultZone"), "x", "_defaultZone"), zone: "Z")
            try await world.create("odd", fields(link("Z/x"), "Z/x", nil))
            let cases: [(zone: String?, asked: String?, found: [String])] = [
                ("_defaultZone", nil, ["home"]), ("_defaultZone", "_defaultZone", ["home"]),
                ("_defaultZone", "Z", ["away"]), ("Z", nil, ["there"]), ("Z", "Z", ["there"]),
                ("Z", "_defaultZone", ["back"]), (nil, nil, ["home", "there"]),
                (nil, "Z", ["away", "there"]),
                (nil, "_defaultZone", ["home", "back"]), (nil, "Nowhere", []),
            ]
            for (zone, asked, found) in cases {
                let target = link("x", zone: asked)
                let many = Field(.list(.reference, [target.value, link("nobody").value]))
                #expect(try await world.find(field("r", .equals, target), zone: zone) == found)
                #expect(try await world.find(field("r", .isIn, many), zone: zone) == found)
                #expect(try await world.find(field("l", .listContains, target), zone: zone) == found)
                #expect(try await world.find(field("l", .listContainsAny, many), zone: zone) == found)
                let one = Field(.list(.reference, [target.value]))
                #expect(try await world.find(field("l", .listContainsAll, one), zone: zone) == found)
                #expect(
                    try await world.find(field("r", .notEquals, target), zone: zone).count
                        == (zone == nil ? 5 : zone == "Z" ? 2 : 3) - found.count)
            }
        }
    }

    @Test("A condition may have a long list of values", arguments: StoreKind.allCases)
    func longLists(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.create("a", ["n": number(777), "l": numbers(0, 1199)])
            try await world.create(
                "b", ["n": number(-1), "l": Field(.list(.int64, (0..<1200).map { .int64($0) }))])
            let many = Field(.list(.int64, (0..<1200).map { .int64($0) }))
            #expect(try await world.find(field("n", .isIn, many)) == ["a"])
            #expect(try await world.find(field("n", .notIn, many)) == ["b"])
            #expect(try await world.find(field("l", .listContainsAny, many)) == ["a", "b"])
            #expect(try await world.find(field("l", .listContainsAll, many)) == ["b"])
        }
    }
}
