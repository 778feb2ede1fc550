package import Records

/// A party whose requests are counted together.
package enum RequestPayer: Hashable, Sendable {
    /// A person in a container, on all devices.
    case person(container: String, name: String)
    /// Callers from one network address, with the same token, who are not signed in.
    case address(ClientNetwork, container: String, token: String?)
    /// All callers with the same token or key who are not signed in: an app's anonymous readers, or a server.
    case app(container: String, token: String?)
    /// All users of a container.
    case container(String)

    /// The name of the rule in answers and errors.
    package var policy: String {
        switch self {
        case .person: "person"
        case .address: "address"
        case .app: "app"
        case .container: "container"
        }
    }
}

/// The budget that a payer has left after a request.
package struct RequestBudget: Hashable, Sendable {
    package var policy: String
    package var rate: RequestRate
    package var remaining: Int
    /// Seconds until the bucket is full.
    package var resetSeconds: Int
    /// Seconds to wait, if the request was refused.
    package var retryAfter: Int?
}

/// The buckets of all payers with recent requests.
package struct RequestBuckets: Sendable {
    private var buckets: [RequestPayer: TokenBucket] = [:]
    private var sweepAt = 4096

    package init() {}

    package var count: Int { buckets.count }

    /// Takes one request from the bucket of every payer, or none at all if one of the buckets is empty.
    ///
    /// Returns the budget of the payer with the longest wait; if the request is accepted, that of the first
    /// payer.
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

    /// Returns the seconds to wait until a payer may be charged again; nil if the payer has no debt.
    package func debtSeconds(of payer: RequestPayer, _ rate: RequestRate, at now: Timestamp) -> Int? {
        var bucket = buckets[payer] ?? TokenBucket(rate, at: now)
        bucket.fill(at: now)
        return bucket.wait > 0 ? Self.seconds(bucket.wait) : nil
    }

    /// Takes requests from the bucket of a payer, which may leave a debt.
    package mutating func charge(
        _ count: Int, to payer: RequestPayer, _ rate: RequestRate, at now: Timestamp
    ) {
        var bucket = buckets[payer] ?? TokenBucket(rate, at: now)
        bucket.fill(at: now)
        bucket.charge(count)
        buckets[payer] = bucket
        sweep(at: now)
    }

    private static func seconds(_ milliseconds: Int64) -> Int { Int((milliseconds + 999) / 1000) }

    /// Removes full buckets, which equal new ones, each time the number of buckets has doubled.
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
