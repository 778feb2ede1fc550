package import RecordStore
package import Records
import Synchronization

/// Counts requests against the rates of persons, apps, network addresses and containers. The nodes of a
/// server tell each other what they have counted (see `RequestBuckets`).
package final class RateLimiter: Sendable {
    private let limits: Limits
    private let runtime: ServerRuntime
    private let buckets: Mutex<RequestBuckets>
    /// Counts the records that batches follow along references and parents.
    private let followed: Mutex<RequestBuckets>
    /// The rate of a person, if it was changed since the server started.
    private let personRateOverride = Mutex<RequestRate?>(nil)

    /// - Parameter isNode: whether other nodes of the server answer requests of the same payers.
    init(limits: Limits, runtime: ServerRuntime, isNode: Bool = false) {
        self.limits = limits
        self.runtime = runtime
        buckets = Mutex(RequestBuckets(areShared: isNode))
        followed = Mutex(RequestBuckets(areShared: isNode))
    }

    /// Counts a request. Returns the caller's remaining budget, with `retryAfter` when the request must be
    /// refused; nil if no rate applies.
    ///
    /// - Parameter network: the network address of the request; nil if addresses are not limited. Without
    ///   this limit, one client that does not sign in could use up the rate of its app and keep out everybody
    ///   else.
    package func charge(_ caller: Caller, from network: ClientNetwork? = nil) -> RequestBudget? {
        let payers = payers(of: caller, from: network)
        if payers.isEmpty { return nil }
        let now = runtime.now()
        return buckets.withLock { $0.take(payers, at: now) }
    }

    /// Counts the visit of a page, or a call to sign in, against the rates of the address and of its /48
    /// network alone: who visits is not known yet, and visitors elsewhere may not keep people from signing
    /// in. Returns the remaining budget; nil if no rate applies.
    package func charge(visitorFrom network: ClientNetwork?) -> RequestBudget? {
        guard let network, let rate = limits.addressRate else { return nil }
        let now = runtime.now()
        let payers = addresses(of: network, container: "", token: nil).map { (payer: $0, rate: rate) }
        return buckets.withLock { $0.take(payers, at: now) }
    }

    /// Counts the records that a batch of the caller follows along references and parents; nil on a server
    /// without request rates.
    ///
    /// A refused batch fails with `tryAgainLater` and not with `throttled`, after which clients would hold
    /// back all requests of the person, reads included.
    package func followedRecords(by caller: Caller) -> FollowedRecords? {
        if personRate == nil, limits.appRate == nil { return nil }
        let (payer, rate) = (caller.workPayer, followedRate)
        return FollowedRecords { [self] in
            let now = runtime.now()
            guard let seconds = followed.withLock({ $0.debtSeconds(of: payer, rate, at: now) }) else {
                return nil
            }
            return RecordError(
                .tryAgainLater, "your deletions and moves between shares have involved too many records",
                culprit: payer.policy,
                nextStep: "wait \(seconds) s, then send the same request again: about "
                    + "\(rate.requests) records in \(rate.seconds) s are allowed",
                retryAfter: seconds)
        } charge: { [self] records in
            let now = runtime.now()
            followed.withLock { $0.charge(records, to: payer, rate, at: now) }
        }
    }

    /// The rate at which a person may send requests.
    package var personRate: RequestRate? { personRateOverride.withLock { $0 } ?? limits.personRate }

    /// Sets the rate of a person; nil restores the configured rate. All buckets are full afterwards.
    ///
    /// Throws `badRequest` for less than one request or second, and for more than `limits` allows.
    package func setPersonRate(_ rate: RequestRate?) throws(RecordError) {
        let (maxRequests, maxSeconds) = (limits.rateRequests, limits.rateSeconds)
        if let rate, !(1...maxRequests).contains(rate.requests) || !(1...maxSeconds).contains(rate.seconds) {
            throw RecordError(
                .badRequest, "a rate is 1 to \(maxRequests) requests in 1 to \(maxSeconds) seconds",
                culprit: "\(rate.requests)/\(rate.seconds)", nextStep: "choose numbers in these ranges")
        }
        personRateOverride.withLock { $0 = rate }
        buckets.withLock { $0.fillAll() }
    }

    private var followedRate: RequestRate {
        RequestRate(requests: limits.followedRecords, seconds: limits.followedSeconds)
    }

    /// The rate of a payer; nil if it is not limited.
    private func rate(of payer: RequestPayer) -> RequestRate? {
        switch payer {
        case .person: personRate
        case .address: limits.addressRate
        case .app: limits.appRate
        case .container: limits.containerRate
        }
    }

    private func payers(
        of caller: Caller, from network: ClientNetwork?
    ) -> [(payer: RequestPayer, rate: RequestRate)] {
        var payers: [(RequestPayer, RequestRate)] = []
        if caller.identity == .anonymous, let network, let rate = limits.addressRate {
            let addresses = addresses(of: network, container: caller.container, token: caller.rateToken)
            payers += addresses.map { ($0, rate) }
        }
        let payer = caller.payer
        if let rate = rate(of: payer) { payers.append((payer, rate)) }
        if let rate = limits.containerRate { payers.append((.container(caller.container), rate)) }
        return payers
    }

    /// An address and its site.
    private func addresses(of network: ClientNetwork, container: String, token: String?) -> [RequestPayer] {
        [network, network.site].compactMap { network in
            network.map { .address($0, container: container, token: token) }
        }
    }
}

// MARK: - Other nodes

extension RateLimiter {
    /// Messages to the other nodes with what this one has counted since the last call; empty if it has
    /// counted nothing, or has no other nodes.
    func messagesToNodes() -> [String] {
        let requests = buckets.withLock { $0.takeUntold() }
        let records = followed.withLock { $0.takeUntold() }
        return RequestMessage(
            requests.map { RequestMessage.Entry(unit: .requests, count: $1, payer: $0) }
                + records.map { RequestMessage.Entry(unit: .followedRecords, count: $1, payer: $0) }
        ).texts
    }

    /// Counts what another node has told. Ignores messages about other subjects.
    func follow(_ message: String) {
        guard let message = RequestMessage(text: message) else { return }
        let now = runtime.now()
        for entry in message.entries {
            switch entry.unit {
            case .requests:
                guard let rate = rate(of: entry.payer) else { continue }
                buckets.withLock { $0.charge(told: entry.count, to: entry.payer, rate, at: now) }
            case .followedRecords:
                followed.withLock { $0.charge(told: entry.count, to: entry.payer, followedRate, at: now) }
            }
        }
    }
}

extension Caller {
    /// The payer from whose bucket the caller's requests are taken.
    package var payer: RequestPayer {
        switch identity {
        case .person(let name): .person(container: container, name: name)
        case .anonymous: .app(container: container, token: rateToken)
        case .serverKey(let id, _): .app(container: container, token: id)
        }
    }

    /// The first 64 bytes of the API token. On an open server a token may be any text, and the buckets store
    /// it.
    fileprivate var rateToken: String? {
        apiToken.map { String(decoding: $0.utf8.prefix(64), as: UTF8.self) }
    }

    /// The payer for the caller's slow work; payers take turns. An anonymous caller's payer is the network
    /// address, or its site, so that one caller cannot delay all other anonymous callers of the app.
    package var workPayer: RequestPayer {
        guard identity == .anonymous, let network else { return payer }
        return .address(network.site ?? network, container: container, token: rateToken)
    }
}

extension RequestBudget {
    /// The error for a refused request; nil for an accepted one.
    package var refusal: RecordError? {
        guard let retryAfter else { return nil }
        return RecordError(
            .throttled, "too many requests", culprit: policy,
            nextStep: "wait \(retryAfter) s, then send the same request again, and fewer of them: "
                + "\(rate.requests) in \(rate.seconds) s are allowed",
            retryAfter: retryAfter
        )
    }
}
