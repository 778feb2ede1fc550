import Records

/// The codes by which people prove that they own an address, and the limits of requesting and trying them.
///
/// A code is for one account and one address, and a new one replaces it. It becomes invalid after some
/// minutes, after its use, and after a few wrong tries. An account may request a few codes in an hour,
/// whether or not they are sent. The limit for one address, over all accounts, is much higher, so that one
/// account's requests cannot keep the owner of the address from getting a code.
struct AddressCodes: Sendable {
    /// A person's claim to own an address.
    struct Claim: Hashable, Sendable {
        /// The `id` of the account.
        var account: String
        var address: ContactAddress
    }

    private struct Code {
        var text: String
        var expires: Timestamp
        var wrongTries = 0
    }

    /// The subjects whose requests are counted.
    private enum Subject: Hashable {
        case account(String)
        case address(ContactAddress)
    }

    private let limits: Limits
    private var codes: [Claim: Code] = [:]
    /// The times of the requests in the last hour.
    private var requests: [Subject: [Timestamp]] = [:]

    private static let hour: Int64 = 3600
    /// The maximum number of codes, and of subjects with requests in the last hour.
    private static let capacity = 20_000

    init(_ limits: Limits) {
        self.limits = limits
    }

    /// The number of stored codes and subjects.
    var count: Int { codes.count + requests.count }

    /// Counts the request of an account. Throws `throttled` after too many, and `tryAgainLater` if no more
    /// codes can be stored, or no more requests counted.
    mutating func request(by account: String, at now: Timestamp) throws(RecordError) {
        if codes.count >= Self.capacity { codes = codes.filter { $0.value.expires > now } }
        if codes.count >= Self.capacity { throw Self.tooManyCodes }
        guard try charge(.account(account), limits.addressCodesPerHour, at: now) else {
            let opens = requests[.account(account)]?.first?.advanced(bySeconds: Self.hour) ?? now
            throw RecordError(
                .throttled, "too many codes were requested", culprit: "address",
                nextStep: "wait, then request another one",
                retryAfter: Int((opens.milliseconds - now.milliseconds + 999) / 1000))
        }
    }

    /// Stores a code that is to be sent. Returns false and stores nothing if too many were sent to the
    /// address, or if no more can be stored or counted. This must not show in the answer: codes are for
    /// invited addresses only, and nobody may learn which these are.
    mutating func add(_ text: String, for claim: Claim, at now: Timestamp) -> Bool {
        let isCharged = try? charge(.address(claim.address), limits.codesPerAddress, at: now)
        guard isCharged == true, codes[claim] != nil || codes.count < Self.capacity else { return false }
        codes[claim] = Code(
            text: text, expires: now.advanced(bySeconds: Int64(limits.addressCodeSeconds)))
        return true
    }

    /// Uses a code. Throws `accessDenied`, with the same text in all cases, for a wrong code, an expired one,
    /// and a claim without a code.
    mutating func use(_ text: String, for claim: Claim, at now: Timestamp) throws(RecordError) {
        guard var code = codes[claim], code.expires > now else {
            codes[claim] = nil
            throw Self.wrongCode
        }
        if code.text == text {
            codes[claim] = nil
            return
        }
        code.wrongTries += 1
        codes[claim] = code.wrongTries < limits.addressCodeTries ? code : nil
        throw Self.wrongCode
    }

    /// Counts a request of a subject, or a code for it. Returns false if it has had `limit` in the last hour.
    /// Throws if no more subjects can be counted.
    private mutating func charge(
        _ subject: Subject, _ limit: Int, at now: Timestamp
    ) throws(RecordError) -> Bool {
        var times = Self.recent(requests[subject] ?? [], at: now)
        if times.count < limit {
            if requests.count >= Self.capacity {
                requests = requests.mapValues { Self.recent($0, at: now) }.filter { !$0.value.isEmpty }
            }
            if requests[subject] == nil, requests.count >= Self.capacity { throw Self.tooManyCodes }
            times.append(now)
            requests[subject] = times
            return true
        }
        requests[subject] = times
        return false
    }

    private static func recent(_ times: [Timestamp], at now: Timestamp) -> [Timestamp] {
        times.filter { $0.advanced(bySeconds: Self.hour) > now }
    }

    private static var wrongCode: RecordError {
        RecordError(
            .accessDenied, "the code is wrong or too old", culprit: "code",
            nextStep: "check the code, or request a new one")
    }

    private static var tooManyCodes: RecordError {
        RecordError(
            .tryAgainLater, "too many people are requesting codes", culprit: "address",
            nextStep: "try again in some minutes", retryAfter: 600)
    }
}
