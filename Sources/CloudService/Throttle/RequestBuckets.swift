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
///
/// Each node of a server has buckets. It tells the others regularly what it has taken, and they take the same
/// from theirs, which can leave a debt. So all nodes together answer no more than the rate in the long run.
/// Until the messages arrive, they can answer more than one bucket allows: each further node at most a full
/// bucket, and what flows into it meanwhile.
package struct RequestBuckets: Sendable {
    private var buckets: [RequestPayer: TokenBucket] = [:]
    private var sweepAt = 4096
    /// What was taken and the other nodes were not told yet; nil without other nodes.
    private var untold: [RequestPayer: Int]?

    /// The largest debt of a payer, in full buckets, for what other nodes have answered. With fewer nodes
    /// than that, debts stay below it.
    private static let maximumDebt: Int64 = 64
    /// The largest number of payers of whom other nodes are told together, so that a node that cannot tell
    /// them does not fill its memory.
    private static let maximumUntold = 100_000

    package init(areShared: Bool = false) {
        untold = areShared ? [:] : nil
    }

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
            for index in filled.indices {
                filled[index].bucket.take()
                noteToTell(1, filled[index].payer)
            }
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
        noteToTell(count, payer)
        sweep(at: now)
    }

    /// Takes from the bucket of a payer what another node has taken from its own.
    mutating func charge(told count: Int, to payer: RequestPayer, _ rate: RequestRate, at now: Timestamp) {
        var bucket = buckets[payer] ?? TokenBucket(rate, at: now)
        bucket.fill(at: now)
        bucket.charge(count, maximumDebt: Self.maximumDebt)
        buckets[payer] = bucket
        sweep(at: now)
    }

    /// Returns what was taken since the last call, for the other nodes.
    mutating func takeUntold() -> [RequestPayer: Int] {
        defer { if untold != nil { untold = [:] } }
        return untold ?? [:]
    }

    /// Fills all buckets.
    mutating func fillAll() { buckets = [:] }

    private mutating func noteToTell(_ count: Int, _ payer: RequestPayer) {
        guard untold != nil else { return }
        if (untold?.count ?? 0) >= Self.maximumUntold, untold?[payer] == nil { return }
        untold?[payer, default: 0] += count
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
