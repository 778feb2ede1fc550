package import Records

/// A token bucket: it fills at a constant rate up to its capacity, and each request takes one token.
///
/// It counts fractions of a request in whole numbers, so that the wait it returns is exact: a request at that
/// time is accepted, one that comes a millisecond earlier is not.
package struct TokenBucket: Hashable, Sendable {
    package let rate: RequestRate
    /// The content in units; one request takes `cost` units.
    private var level: Int64
    private var filledAt: Timestamp

    /// Creates a full bucket. Requests and seconds below 1 are raised to 1.
    package init(_ rate: RequestRate, at now: Timestamp) {
        self.rate = RequestRate(requests: max(1, rate.requests), seconds: max(1, rate.seconds))
        level = 0
        filledAt = now
        level = capacity
    }

    /// Units per request. In each millisecond, as many units come in as the rate has requests.
    private var cost: Int64 { Int64(rate.seconds) * 1000 }
    private var capacity: Int64 { Int64(rate.requests).multipliedSaturated(by: cost) }

    /// Adds the units for the elapsed time. A clock that was set back neither adds nor removes any.
    package mutating func fill(at now: Timestamp) {
        let elapsed = now.milliseconds - filledAt.milliseconds
        filledAt = now
        if elapsed <= 0 { return }
        let (gain, overflow) = elapsed.multipliedReportingOverflow(by: Int64(rate.requests))
        level = overflow || gain >= capacity - level ? capacity : level + gain
    }

    package var isFull: Bool { level == capacity }

    /// Whole requests that may be taken now.
    package var remaining: Int { max(0, Int(level / cost)) }

    /// Milliseconds until a request may be taken; 0 if one may be taken now.
    package var wait: Int64 { milliseconds(for: max(0, cost - level)) }

    /// Milliseconds until the bucket is full.
    package var fillTime: Int64 { milliseconds(for: capacity - level) }

    private func milliseconds(for parts: Int64) -> Int64 {
        let requests = Int64(rate.requests)
        return (parts + requests - 1) / requests
    }

    /// Takes one request. `wait` must be 0.
    package mutating func take() { level -= cost }

    /// Takes `count` requests, which may leave a debt of at most `maximumDebt` full buckets.
    package mutating func charge(_ count: Int, maximumDebt: Int64 = 2) {
        let price = Int64(clamping: count).multipliedSaturated(by: cost)
        let lowest = min(level, capacity.multipliedSaturated(by: -maximumDebt))
        level = max(level.subtractingSaturated(price), lowest)
    }
}
