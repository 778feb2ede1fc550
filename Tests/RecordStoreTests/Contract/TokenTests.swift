import RecordStore
import Records
import Testing

@Suite("Contract: words")
struct TokenTests {
    private func withTexts(
        _ kind: StoreKind, _ texts: [(String, Fields)], _ body: (World) async throws -> Void
    ) async throws {
        try await withWorld(kind) { world async throws in
            for (name, fields) in texts { try await world.create(name, fields) }
            try await body(world)
        }
    }

    @Test(
        "A search finds words whatever their case, diacritics and punctuation", arguments: StoreKind.allCases)
    func folding(kind: StoreKind) async throws {
        let texts: [(String, Fields)] = [
            ("a", ["t": text("Café con leche, por favor!")]), ("b", ["t": text("CAFE")]),
            ("c", ["t": text("decafé")]), ("d", ["t": text("rock-n-roll 24/7")]),
            ("e", ["t": text("Straße ΣΊΣΥΦΟΣ")]),
        ]
        try await withTexts(kind, texts) { world async throws in
            let searches: [(String, String)] = [
                ("cafe", "a b"), ("CAFÉ", "a b"), ("cafe\u{301}", "a b"), ("leche cafe", "a"), ("caf", ""),
                ("roll", "d"),
                ("24 rock", "d"), ("σισυφος", "e"), ("straße", "e"),
            ]
            for (search, names) in searches {
                let found = try await world.find(field("t", .containsAllTokens, text(search)))
                #expect(found.joined(separator: " ") == names, "\(search)")
            }
        }
    }

    @Test(
        """
        A search for all words finds records that have each of them, a search for any word those that have \
        at least one
        """,
        arguments: StoreKind.allCases)
    func allOrAny(kind: StoreKind) async throws {
        let texts: [(String, Fields)] = [
            ("a", ["t": text("red balloon")]), ("b", ["t": text("red nose")]),
            ("c", ["t": text("blue nose")]),
        ]
        try await withTexts(kind, texts) { world async throws in
            #expect(try await world.find(field("t", .containsAllTokens, text("nose red"))) == ["b"])
            #expect(try await world.find(field("t", .containsAnyTokens, text("balloon blue"))) == ["a", "c"])
            #expect(try await world.find(field("t", .containsAllTokens, text("the red AND nose"))) == ["b"])
            #expect(try await world.find(field("t", .containsAnyTokens, text("the"))) == [])
        }
    }

    @Test(
        "A search without a field searches all searchable texts of a record together",
        arguments: StoreKind.allCases)
    func everywhere(kind: StoreKind) async throws {
        let texts: [(String, Fields)] = [
            ("a", ["title": text("Circus"), "note": text("bring a hat")]), ("b", ["title": text("hat shop")]),
            (
                "c",
                [
                    "tags": RecordStoreTests.texts("circus"),
                    "secret": Field(.string("circus"), isEncrypted: true),
                ]
            ),
        ]
        try await withTexts(kind, texts) { world async throws in
            let all = Filter(nil, .containsAllTokens, .string("circus hat"))
            #expect(try await world.find(all) == ["a"])
            #expect(
                try await world.find(Filter(nil, .containsAnyTokens, .string("circus hat"))) == ["a", "b"])
            #expect(try await world.find(field("title", .containsAllTokens, text("hat"))) == ["b"])
            world.declare { $0.types["Party"]?.fields["note"]?.indexes = .queryable }
            #expect(
                try await world.find(Filter(nil, .containsAnyTokens, .string("circus hat"))) == ["a", "b"])
            #expect(try await world.find(all) == [])
        }
    }

    @Test(
        "Words of every script can be searched", arguments: StoreKind.allCases,
        [
            "हिन्दी", "ภาษาไทย", "日本語", "עברית", "اللغة", "ქართული", "한국어", "ʻokina",
            "𐐷eseret", "à̖́b", "x41",
            "NEAR", "\"quoted\"",
        ])
    func scripts(kind: StoreKind, word: String) async throws {
        try await withTexts(kind, [("a", ["t": text("one \(word) two")]), ("b", ["t": text("one two")])]) {
            world async throws in
            #expect(try await world.find(field("t", .containsAllTokens, text(word))) == ["a"])
            #expect(try await world.find(Filter(nil, .containsAllTokens, .string("two \(word)"))) == ["a"])
        }
    }

    @Test("A text that changed is found by its new words only", arguments: StoreKind.allCases)
    func changed(kind: StoreKind) async throws {
        try await withTexts(kind, [("a", ["t": text("old words"), "u": text("other")])]) {
            world async throws in
            let a = try #require(try await world.store.records(named: ["a"], in: "_defaultZone")[0])
            let b = try await world.save(update(a, ["t": text("new")]))
            #expect(try await world.find(field("t", .containsAnyTokens, text("old words"))) == [])
            #expect(try await world.find(field("t", .containsAnyTokens, text("new"))) == ["a"])
            #expect(try await world.find(field("u", .containsAnyTokens, text("other"))) == ["a"])
            try await world.save(update(b, ["t": text("!!!")], removing: ["u"]))
            #expect(try await world.find(Filter(nil, .containsAnyTokens, .string("new other"))) == [])
            try await world.commit([delete("a")])
        }
    }

    @Test("A search of thousands of words is answered", arguments: StoreKind.allCases)
    func long(kind: StoreKind) async throws {
        try await withTexts(kind, [("a", ["t": text("w1999")])]) { world async throws in
            let words = (0..<2000).map { "w\($0)" }.joined(separator: " ")
            var limits = Limits()
            (limits.searchCharacters, limits.searchWords) = (100_000, 2000)
            #expect(
                try await world.find(field("t", .containsAnyTokens, text(words)), limits: limits) == ["a"])
            #expect(try await world.find(field("t", .containsAllTokens, text(words)), limits: limits) == [])
        }
    }

    @Test(
        "A search of as many words as the limit is answered, one of more is refused",
        arguments: StoreKind.allCases)
    func wordLimit(kind: StoreKind) async throws {
        try await withTexts(kind, [("a", ["t": text("w1")])]) { world async throws in
            func search(_ count: Int) -> Filter {
                let words = (0..<count).map { "w\($0)" }.joined(separator: " ")
                return field("t", .containsAnyTokens, text(words))
            }
            let most = Limits().searchWords
            #expect(try await world.find(search(most)) == ["a"])
            let error = await #expect(throws: RecordError.self) { try await world.find(search(most + 1)) }
            #expect(error?.code == .limitExceeded)
            #expect(error?.reason == "more than \(most) words to search for")
        }
    }

    @Test("A record of a hundred texts is searched in all of them", arguments: StoreKind.allCases)
    func manyFields(kind: StoreKind) async throws {
        var fields = Fields()
        for index in 100..<200 { fields["f\(index)"] = text("word\(index)") }
        try await withTexts(kind, [("a", fields), ("b", ["f100": text("word100 word199")])]) {
            world async throws in
            #expect(
                try await world.find(Filter(nil, .containsAllTokens, .string("word100 word199"))) == [
                    "a", "b",
                ])
            #expect(
                try await world.find(Filter(nil, .containsAllTokens, .string("word199 word150"))) == ["a"])
            #expect(try await world.find(field("f199", .containsAnyTokens, text("word100 word199"))) == ["a"])
        }
    }
}
