package import Records

/// A bucket that fills evenly and from which each request takes one; it holds no more than the rate allows at
/// once.
///
/// It counts in parts of a request, whole numbers all of them, so that the wait it names is exact: a request
/// that comes then is let through, one that comes a millisecond earlier is not.
package struct TokenBucket: Hashable, Sendable {
    package let rate: RequestRate
    /// What is left, in parts of which `cost` make a request.
    private var level: Int64
    private var filledAt: Timestamp

    /// A full bucket. A rate of less than one request a second or in a second is taken for one.
    package init(_ rate: RequestRate, at now: Timestamp) {
        self.rate = RequestRate(requests: max(1, rate.requests), seconds: max(1, rate.seconds))
        level = 0
        filledAt = now
        level = capacity
    }

    /// Parts that make a request: in each millisecond, as many parts come in as the rate has requests.
    private var cost: Int64 { Int64(rate.seconds) * 1000 }
    private var capacity: Int64 { Int64(rate.requests) * cost }

    /// Lets time pass. A clock that was set back fills nothing and takes nothing.
    package mutating func fill(at now: Timestamp) {
        let elapsed = now.milliseconds - filledAt.milliseconds
        filledAt = now
        if elapsed <= 0 { return }
        let (gain, overflow) = elapsed.multipliedReportingOverflow(by: Int64(rate.requests))
        level = overflow || gain >= capacity - level ? capacity : level + gain
    }

    package var isFull: Bool { level == capacity }

    /// Whole requests that are left.
    package var remaining: Int { Int(level / cost) }

    /// Milliseconds until there is a request to take; 0 when there is one.
    package var wait: Int64 { milliseconds(for: max(0, cost - level)) }

    /// Milliseconds until it is full.
    package var fillTime: Int64 { milliseconds(for: capacity - level) }

    private func milliseconds(for parts: Int64) -> Int64 {
        let requests = Int64(rate.requests)
        return (parts + requests - 1) / requests
    }

    /// Takes a request, which must be there.
    package mutating func take() { level -= cost }
}
