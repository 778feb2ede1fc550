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
        let found = index.queries(for: Self.change(fields)).map(\.number)
        #expect(found.contains(500))
        #expect(found.contains(1))
        #expect(found.contains(6))
        #expect(!found.contains(11))
        #expect(found.contains(1002))
        #expect(found.contains(1503))
        #expect(found.contains(2004))
        #expect(found.count < 20)
        for number in [Int64(500), 1, 1002, 1503, 2004] { index.remove(number) }
        let rest = index.queries(for: Self.change(fields)).map(\.number)
        #expect(rest.contains(6))
        #expect(Set(rest).isDisjoint(with: [500, 1, 1002, 1503, 2004]))
        var update = Self.change(fields)
        update.event = .update
        #expect(index.queries(for: update).isEmpty)
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
            return SubscriptionEntry(
                number: number, owner: "_\(number)",
                subscription: Subscription(id: "s", kind: .query(terms), info: nil))
        }
        let change = Self.change([
            "numbers": Field(.list(.int64, (0..<10_000).map { .int64($0) })),
            "words": Field(.list(.string, (0..<10_000).map { .string("word \($0)") })),
        ])
        let matching = PushMatching(
            zone: "Z", identity: 1, stamp: Stamp(at: Timestamp(milliseconds: 0), by: "_alice"))
        #expect(matching.pushes(for: [change], queries: { _ in entries }, watchers: []).count == 200)
    }
}
