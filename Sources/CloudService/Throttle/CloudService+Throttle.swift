package import Records
import Synchronization

/// The buckets where all requests find them.
final class RequestMeter: Sendable {
    private let buckets = Mutex(RequestBuckets())

    /// Gives everybody a full bucket.
    func forget() { buckets.withLock { $0 = RequestBuckets() } }

    func take(
        _ payers: [(payer: RequestPayer, rate: RequestRate)], at now: Timestamp
    ) -> RequestBudget? {
        buckets.withLock { $0.take(payers, at: now) }
    }
}

extension CloudService {
    /// Counts a request. Returns what is left, with `retryAfter` when it must not be carried out; nil where
    /// nothing is limited.
    package func charge(_ caller: Caller) -> RequestBudget? {
        let payers = payers(of: caller)
        return payers.isEmpty ? nil : meter.take(payers, at: seams.now())
    }

    /// How often a person may ask.
    package var personRate: RequestRate? { rateDial.withLock { $0 } ?? limits.personRate }

    /// Sets how often a person may ask; nil: as the server was started. Everybody begins with a full bucket.
    ///
    /// Throws `badRequest` for less than one request or second, and for more than `limits` allows.
    package func setPersonRate(_ rate: RequestRate?) throws(RecordError) {
        let (most, longest) = (limits.rateRequests, limits.rateSeconds)
        if let rate, !(1...most).contains(rate.requests) || !(1...longest).contains(rate.seconds) {
            throw RecordError(
                .badRequest, "a rate is 1 to \(most) requests in 1 to \(longest) seconds",
                culprit: "\(rate.requests)/\(rate.seconds)", nextStep: "choose numbers in between")
        }
        rateDial.withLock { $0 = rate }
        meter.forget()
    }

    private func payers(of caller: Caller) -> [(payer: RequestPayer, rate: RequestRate)] {
        var payers: [(RequestPayer, RequestRate)] = []
        let payer = caller.payer
        if let rate = payer.isPerson ? personRate : limits.appRate { payers.append((payer, rate)) }
        if let rate = limits.containerRate { payers.append((.container(caller.container), rate)) }
        return payers
    }
}

extension Caller {
    /// With whose requests this caller's are counted.
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
