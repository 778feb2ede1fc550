import Records
import Testing

@testable import CloudService
@testable import TestKit

@Suite("A bucket of requests")
struct TokenBucketTests {
    private static func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    @Test("A full bucket accepts its capacity at once, then as many requests as the rate allows")
    func burst() {
        var buckets = RequestBuckets()
        let rate = RequestRate(requests: 3, seconds: 6)
        let payer = RequestPayer.person(container: "c", name: "a")
        func take(_ time: Int64) -> RequestBudget? { buckets.take([(payer, rate)], at: Self.at(time)) }
        #expect(take(0) == budget(rate, 2, 2, nil))
        #expect(take(0) == budget(rate, 1, 4, nil))
        #expect(take(0) == budget(rate, 0, 6, nil))
        #expect(take(0) == budget(rate, 0, 6, 2))
        #expect(take(1) == budget(rate, 0, 6, 2))
        #expect(take(1999) == budget(rate, 0, 5, 1))
        #expect(take(2000) == budget(rate, 0, 6, nil))
        #expect(take(8000) == budget(rate, 2, 2, nil))
        #expect(take(1_000_000) == budget(rate, 2, 2, nil))
    }

    private func budget(
        _ rate: RequestRate, _ remaining: Int, _ reset: Int, _ retry: Int?
    ) -> RequestBudget {
        RequestBudget(
            policy: "person", rate: rate, remaining: remaining, resetSeconds: reset, retryAfter: retry)
    }

    @Test(
        "A request is accepted after exactly the announced wait, and not earlier",
        arguments: 1...40)
    func truth(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let rate = RequestRate(
            requests: Int.random(in: 1...50, using: &random), seconds: Int.random(in: 1...300, using: &random)
        )
        var now: Int64 = 0
        var bucket = TokenBucket(rate, at: Self.at(now))
        for _ in 0..<500 {
            now += Int64.random(in: 0...2 * Int64(rate.seconds) * 1000 / Int64(rate.requests), using: &random)
            bucket.fill(at: Self.at(now))
            if bucket.wait == 0 {
                bucket.take()
                continue
            }
            var early = bucket
            early.fill(at: Self.at(now + bucket.wait - 1))
            #expect(early.wait == 1)
            var exact = bucket
            exact.fill(at: Self.at(now + bucket.wait))
            #expect(exact.wait == 0)
        }
    }

    @Test("A clock that is set back or far ahead neither empties nor overfills a bucket")
    func clocks() {
        let rate = RequestRate(requests: 2, seconds: 1)
        var bucket = TokenBucket(rate, at: Self.at(1_000_000))
        bucket.take()
        bucket.fill(at: Self.at(0))
        #expect(bucket.remaining == 1)
        bucket.fill(at: Self.at(.max))
        #expect(bucket.remaining == 2)
        #expect(bucket.isFull)
    }

    @Test("A request counts against all its payers or against none")
    func together() {
        var buckets = RequestBuckets()
        let alice = (RequestPayer.person(container: "c", name: "a"), RequestRate(requests: 10, seconds: 1))
        let bob = (RequestPayer.person(container: "c", name: "b"), RequestRate(requests: 10, seconds: 1))
        let container = (RequestPayer.container("c"), RequestRate(requests: 2, seconds: 10))
        #expect(buckets.take([alice, container], at: Self.at(0))?.remaining == 9)
        #expect(buckets.take([bob, container], at: Self.at(0))?.remaining == 9)
        let refused = buckets.take([alice, container], at: Self.at(0))
        #expect(refused?.policy == "container")
        #expect(refused?.retryAfter == 5)
        #expect(buckets.take([alice], at: Self.at(0))?.remaining == 8)
        #expect(buckets.take([], at: Self.at(0)) == nil)
    }

    @Test("Full buckets are removed")
    func memory() {
        var buckets = RequestBuckets()
        let rate = RequestRate(requests: 1, seconds: 1)
        for number in 0..<50_000 {
            let payer = RequestPayer.person(container: "c", name: "\(number)")
            _ = buckets.take([(payer, rate)], at: Self.at(Int64(number)))
        }
        #expect(buckets.count <= 8192)
    }
}
