import RecordStore
import Records
import RecordsWire
import Testing

@Suite("Index of subscriptions")
struct SubscriptionIndexTests {
    private static func change(_ fields: Fields) -> RecordChange {
        let stamp = Stamp(at: Timestamp(milliseconds: 0), by: "_alice")
        let stored = StoredRecord(
            id: RecordID(name: "r"), type: "Party", fields: FieldJSON().encode(fields), created: stamp,
            modified: stamp, sequence: 1)
        return RecordChange(
            event: .create, record: WrittenRecord(stored: stored, fields: fields, ordinal: 1), sequence: 1)
    }

    /// The numbers of the subscriptions that a change may fire.
    private static func numbers(_ index: inout SubscriptionIndex, _ change: RecordChange) -> [Int64] {
        var lookups = RecordLookups(change.record, type: party)
        return index.queries(for: change, &lookups).map(\.entry.number)
    }

    /// The record type. Of its fields, only `about` is searchable.
    private static let party = TypeSchema(
        name: "Party",
        fields: [
            "about": FieldSchema(type: .scalar(.string), indexes: [.searchable]),
            "notes": FieldSchema(type: .scalar(.string), indexes: []),
        ])

    @Test("Of 100,000 subscriptions, only the possible matches are examined")
    func few() {
        var entries: [SubscriptionEntry] = []
        for number in 0..<Int64(100_000) {
            let filter: Filter =
                switch number % 5 {
                case 0: field("name", .equals, text("n\(number)"))
                case 1: field("guests", .greaterThan, RecordStoreTests.number(number + 10))
                case 2: field("tags", .listContains, text("t\(number)"))
                case 3: Filter(nil, .containsAllTokens, .string("w\(number) common"))
                default:
                    field(
                        "at", .near, place(Double(number % 79_000) / 1000, Double(number % 170)), within: 50)
                }
            entries.append(
                SubscriptionEntry(
                    number: number, owner: "_\(number)", subscription: query("s", filter, on: [.create])))
        }
        var index = SubscriptionIndex(entries)
        let fields: Fields = [
            "name": text("n500"), "guests": RecordStoreTests.number(17), "tags": texts("t1002", "x"),
            "about": text("a w1503 in common"), "at": place(2.004, 134),
        ]
        let found = Self.numbers(&index, Self.change(fields))
        #expect(found.contains(500))
        #expect(found.contains(1))
        #expect(found.contains(6))
        #expect(!found.contains(11))
        #expect(found.contains(1002))
        #expect(found.contains(1503))
        #expect(found.contains(2004))
        #expect(found.count < 20)
        for number in [Int64(500), 1, 1002, 1503, 2004] { index.remove(number) }
        let rest = Self.numbers(&index, Self.change(fields))
        #expect(rest.contains(6))
        #expect(Set(rest).isDisjoint(with: [500, 1, 1002, 1503, 2004]))
        var update = Self.change(fields)
        update.event = .update
        let updated = Self.numbers(&index, update)
        #expect(updated.isEmpty)
    }

    @Test("A search reads only its own field, and one without a field name only the searchable ones")
    func searchedFields() {
        func entry(_ number: Int64, _ key: QueryKey?) -> SubscriptionEntry {
            let filter = Filter(key, .containsAnyTokens, .string("nose"))
            return SubscriptionEntry(
                number: number, owner: "_a", subscription: query("s", filter, on: [.create]))
        }
        var index = SubscriptionIndex([
            entry(1, nil), entry(2, .field("about")), entry(3, .field("notes")), entry(4, .field("gone")),
        ])
        for (field, found) in [("about", [1, 2]), ("notes", []), ("other", [])] as [(String, [Int64])] {
            let numbers = Self.numbers(&index, Self.change([field: text("a red nose")]))
            #expect(numbers == found, "\(field)")
        }
        for number in Int64(1)...4 { index.remove(number) }
        #expect(index.isEmpty)
    }

    @Test(
        "Two hundred conditions on a list of ten thousand elements read the list once",
        .timeLimit(.minutes(10)))
    func longLists() {
        let wanted = (0..<500).map { FieldValue.int64(-1 - $0) }
        let prefix = text("never")
        let entries = (0..<Int64(200)).map { number in
            let filters: [Filter] =
                number % 2 == 0
                ? [field("numbers", .notListContainsAny, Field(.list(.int64, wanted)))]
                : Array(repeating: field("words", .notListMemberBeginsWith, prefix), count: 50)
            let terms = Subscription.QueryTerms(
                Query(recordType: "Party", filters: filters), firesOn: [.create], firesOnce: false)
            return PreparedSubscription(
                SubscriptionEntry(
                    number: number, owner: "_\(number)",
                    subscription: Subscription(id: "s", kind: .query(terms), info: nil)))
        }
        let change = Self.change([
            "numbers": Field(.list(.int64, (0..<10_000).map { .int64($0) })),
            "words": Field(.list(.string, (0..<10_000).map { .string("word \($0)") })),
        ])
        let matching = PushMatching(
            zone: "Z", identity: 1, stamp: Stamp(at: Timestamp(milliseconds: 0), by: "_alice"))
        #expect(matching.pushes(for: [change], queries: { _, _ in entries }, watchers: []).count == 200)
    }

    @Test("The conditions of a subscription are prepared once, however many commits they are checked for")
    func prepared() throws {
        let list = Field(.list(.int64, (0..<1000).map { .int64($0) }))
        let entries = (0..<Int64(3)).map { number in
            SubscriptionEntry(
                number: number, owner: "_a",
                subscription: query("s\(number)", field("n", .notIn, list), on: [.create]))
        }
        var index = SubscriptionIndex(entries)
        let change = Self.change(["n": RecordStoreTests.number(1000)])
        let matching = PushMatching(
            zone: "Z", identity: 1, stamp: Stamp(at: Timestamp(milliseconds: 0), by: "_alice"))
        var used: Set<ObjectIdentifier> = []
        for _ in 0..<100 {
            var lookups = RecordLookups(change.record, type: Self.party)
            let found = index.queries(for: change, &lookups)
            used.formUnion(found.compactMap(\.conditions).map { ObjectIdentifier($0) })
            let drafts = matching.pushes(for: [change], queries: { _, _ in found }, watchers: [])
            try #require(drafts.map(\.subscription) == [0, 1, 2])
        }
        #expect(used.count == 3)
    }

    @Test("Subscriptions that were removed leave nothing in the index")
    func removed() {
        func entry(_ number: Int64, _ filter: Filter) -> SubscriptionEntry {
            SubscriptionEntry(
                number: number, owner: "_\(number)",
                subscription: query("s", filter, on: Set(Subscription.Event.allCases)))
        }
        var index = SubscriptionIndex([entry(0, field("name", .equals, text("stays")))])
        let size = "\(index)".utf8.count
        for number in Int64(1)...200 {
            let filter: Filter =
                switch number % 6 {
                case 0: field("name", .isIn, texts("a\(number)", "b\(number)"))
                case 1: field("guests", .greaterThan, RecordStoreTests.number(number))
                case 2: field("name", .beginsWith, text(String(repeating: "q", count: Int(number))))
                case 3: Filter(nil, .containsAnyTokens, .string("w\(number) common"))
                case 4: field("other", .lessThan, RecordStoreTests.number(number))
                default: field("at", .near, place(2, Double(number % 170)), within: 50)
                }
            index.add(entry(number, filter))
        }
        #expect("\(index)".utf8.count > 10 * size)
        for number in Int64(1)...200 { index.remove(number) }
        #expect("\(index)".utf8.count == size, "\(index)")
    }

    @Test("A text finds the subscriptions to its prefixes, whatever their lengths")
    func prefixes() {
        let lengths = [0, 1, 2, 3, 7, 8, 9, 255, 256, 257, 299, 300]
        func entry(_ number: Int, _ prefix: String) -> SubscriptionEntry {
            SubscriptionEntry(
                number: Int64(number), owner: "_a",
                subscription: query("s", field("name", .beginsWith, text(prefix)), on: [.create]))
        }
        // Each letter has two bytes, so that a prefix may be cut inside a letter.
        func letters(_ count: Int) -> String { String(repeating: "é", count: count) }
        var index = SubscriptionIndex(lengths.map { entry($0, letters($0)) })
        index.add(entry(1000, "x" + letters(1)))
        index.add(entry(1001, letters(1) + "x"))
        let found = Self.numbers(&index, Self.change(["name": text(letters(300))]))
        #expect(Set(found).isSuperset(of: lengths.map(Int64.init)) && !found.contains(1000))
        let short = Self.numbers(&index, Self.change(["name": text(letters(2))]))
        #expect(Set([0, 1, 2]).isSubset(of: short) && !short.contains(255))
    }
}
