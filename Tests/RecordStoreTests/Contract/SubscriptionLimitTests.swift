import RecordStore
import Records
import Testing

@Suite("Contract: limits of subscriptions")
struct SubscriptionLimitTests {
    @Test(
        "The values in the conditions of all subscriptions of a person are limited together",
        arguments: StoreKind.allCases)
    func elements(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            var limits = Limits()
            #expect(limits.subscriptionElements == 10_000)
            limits.subscriptionElements = 6
            let list = field("n", .notIn, numbers(1, 2, 3))
            let search = Filter(nil, .containsAnyTokens, .string("red balloon"))
            let (three, two) = (query("three", list), query("two", search))
            let one = query("one", field("m", .equals, number(1)))
            let zero = query("zero", on: [.delete])
            let made = try await world.subscribing(
                .create(three), .create(two), .create(one), .create(zero), .create(database("d")),
                limits: limits)
            #expect(made == ["three", "two", "one", "zero", "d"])
            let more = query("more", field("m", .equals, number(2)))
            #expect(try await world.subscribing(.create(more), limits: limits) == ["more: limitExceeded"])
            #expect(try await world.subscribing(.create(more), as: "_eve", limits: limits) == ["more"])
            let longer = query("one", field("m", .isIn, numbers(1, 2)))
            #expect(try await world.subscribing(.update(longer), limits: limits) == ["one: limitExceeded"])
            // A person who has more than a lowered limit allows can still replace and delete.
            limits.subscriptionElements = 1
            let other = query("three", field("n", .isIn, numbers(4, 5, 6)))
            #expect(
                try await world.subscribing(.update(other), .delete("two"), .create(more), limits: limits)
                    == ["three", "-two", "more: limitExceeded"])
            limits.subscriptionElements = 5
            #expect(try await world.subscribing(.update(longer), limits: limits) == ["one"])
        }
    }

    @Test(
        """
        Searches are compared with the records of a commit until their searchable texts reach \
        `searchableBytesPerRequest`
        """,
        arguments: StoreKind.allCases)
    func searchedBytes(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let (names, about) = (["a", "b", "c"], text(String(repeating: "red nose ", count: 10)))
            for name in names { try await world.create(name, ["about": about, "n": number(0)]) }
            try await world.subscribe(
                query("named", field("about", .containsAllTokens, text("nose")), on: [.update]),
                query("any", Filter(nil, .containsAnyTokens, .string("nose")), on: [.update]),
                query("plain", field("n", .greaterThan, number(0)), on: [.update]))
            var limits = Limits()
            // The text of each record has 90 bytes. The first one is always searched.
            for (most, searched) in [(1, 1), (179, 1), (180, 2), (269, 2), (270, 3)] {
                limits.searchableBytesPerRequest = most
                let updates = names.map { name in
                    RecordOperation(
                        .forceUpdate, recordName: name, recordType: "Party",
                        fields: ["n": number(Int64(most))])
                }
                let told = try await world.told { try await world.commit(updates, limits: limits) }
                let expected = names.enumerated().flatMap { place, name -> [String] in
                    (place < searched ? ["named", "any", "plain"] : ["plain"]).map {
                        "_bob \($0) update \(name)"
                    }
                }
                #expect(told == expected, "\(most)")
            }
        }
    }
}
