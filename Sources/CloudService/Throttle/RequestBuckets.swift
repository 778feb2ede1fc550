package import Records

/// Whose requests are counted together.
package enum RequestPayer: Hashable, Sendable {
    /// A person in a container, on whatever devices.
    case person(container: String, name: String)
    /// Those behind one network address who show the same token and are no person.
    case address(NetworkOrigin, container: String, token: String?)
    /// Everybody who shows the same token or key and is no person: an app's anonymous readers, a server.
    case app(container: String, token: String?)
    /// Everybody who uses a container.
    case container(String)

    /// The name of the rule.
    package var policy: String {
        switch self {
        case .person: "person"
        case .address: "address"
        case .app: "app"
        case .container: "container"
        }
    }
}

/// What is left to somebody after a request.
package struct RequestBudget: Hashable, Sendable {
    package var policy: String
    package var rate: RequestRate
    package var remaining: Int
    /// Seconds until all is there again.
    package var resetSeconds: Int
    /// Seconds to wait, when the request was not let through.
    package var retryAfter: Int?
}

/// The buckets of everybody who sent something lately.
package struct RequestBuckets: Sendable {
    private var buckets: [RequestPayer: TokenBucket] = [:]
    private var sweepAt = 4096

    package init() {}

    package var count: Int { buckets.count }

    /// Takes a request from every payer's bucket, or from none if one has none left.
    ///
    /// Returns the budget of the first payer who refuses; when nobody does, that of the first there is.
    package mutating func take(
        _ payers: [(payer: RequestPayer, rate: RequestRate)], at now: Timestamp
    ) -> RequestBudget? {
        var filled: [(payer: RequestPayer, bucket: TokenBucket)] = []
        for (payer, rate) in payers {
            var bucket = buckets[payer] ?? TokenBucket(rate, at: now)
            bucket.fill(at: now)
            filled.append((payer, bucket))
        }
        let refusing = filled.filter { $0.bucket.wait > 0 }
        if refusing.isEmpty {
            for index in filled.indices { filled[index].bucket.take() }
        }
        for (payer, bucket) in filled { buckets[payer] = bucket }
        sweep(at: now)
        guard let (payer, bucket) = refusing.max(by: { $0.bucket.wait < $1.bucket.wait }) ?? filled.first
        else {
            return nil
        }
        return RequestBudget(
            policy: payer.policy, rate: bucket.rate, remaining: bucket.remaining,
            resetSeconds: Self.seconds(bucket.fillTime),
            retryAfter: refusing.isEmpty ? nil : Self.seconds(bucket.wait)
        )
    }

    private static func seconds(_ milliseconds: Int64) -> Int { Int((milliseconds + 999) / 1000) }

    /// Forgets full buckets, which are as good as none, each time their number has doubled.
    private mutating func sweep(at now: Timestamp) {
        guard buckets.count > sweepAt else { return }
        buckets = buckets.filter { _, bucket in
            var bucket = bucket
            bucket.fill(at: now)
            return !bucket.isFull
        }
        sweepAt = max(4096, buckets.count * 2)
    }
}
