package import Records
import Synchronization

/// Counts requests against the rates that a person, an app and a container may use up.
package final class RateLimiter: Sendable {
    private let limits: Limits
    private let runtime: ServerRuntime
    private let buckets = Mutex(RequestBuckets())
    /// The rate of a person, if it was changed since the server started.
    private let personRateOverride = Mutex<RequestRate?>(nil)

    init(limits: Limits, runtime: ServerRuntime) {
        self.limits = limits
        self.runtime = runtime
    }

    /// Counts a request. Returns what is left to the caller, with `retryAfter` when the request must be
    /// refused; nil where nothing is limited.
    ///
    /// - Parameter origin: where the request comes from; nil where that is not counted. Without it, one
    ///   client that does not sign in could use up the rate of its app and keep out everybody else.
    package func charge(_ caller: Caller, from origin: NetworkOrigin? = nil) -> RequestBudget? {
        let payers = payers(of: caller, from: origin)
        if payers.isEmpty { return nil }
        let now = runtime.now()
        return buckets.withLock { $0.take(payers, at: now) }
    }

    /// How many requests a person may send.
    package var personRate: RequestRate? { personRateOverride.withLock { $0 } ?? limits.personRate }

    /// Sets how many requests a person may send; nil restores the rate of the configuration. All buckets are
    /// full afterwards.
    ///
    /// Throws `badRequest` for less than one request or second, and for more than `limits` allows.
    package func setPersonRate(_ rate: RequestRate?) throws(RecordError) {
        let (most, longest) = (limits.rateRequests, limits.rateSeconds)
        if let rate, !(1...most).contains(rate.requests) || !(1...longest).contains(rate.seconds) {
            throw RecordError(
                .badRequest, "a rate is 1 to \(most) requests in 1 to \(longest) seconds",
                culprit: "\(rate.requests)/\(rate.seconds)", nextStep: "choose numbers in these ranges")
        }
        personRateOverride.withLock { $0 = rate }
        buckets.withLock { $0 = RequestBuckets() }
    }

    private func payers(
        of caller: Caller, from origin: NetworkOrigin?
    ) -> [(payer: RequestPayer, rate: RequestRate)] {
        var payers: [(RequestPayer, RequestRate)] = []
        if caller.identity == .anonymous, let origin, let rate = limits.addressRate {
            payers.append((.address(origin, container: caller.container, token: caller.apiToken), rate))
        }
        let payer = caller.payer
        if let rate = payer.isPerson ? personRate : limits.appRate { payers.append((payer, rate)) }
        if let rate = limits.containerRate { payers.append((.container(caller.container), rate)) }
        return payers
    }
}

extension Caller {
    /// Whose bucket this caller's requests are taken from.
    package var payer: RequestPayer {
        switch identity {
        case .person(let name): .person(container: container, name: name)
        case .anonymous: .app(container: container, token: apiToken)
        case .serverKey(let id, _): .app(container: container, token: id)
        }
    }
}

extension RequestPayer {
    fileprivate var isPerson: Bool { if case .person = self { true } else { false } }
}

extension RequestBudget {
    /// The error for a request that is not let through; nil when it is.
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
