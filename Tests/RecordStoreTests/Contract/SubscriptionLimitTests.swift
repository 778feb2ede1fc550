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
}
