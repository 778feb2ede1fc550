import Records

/// Counts attempts to sign in and slows them down: a few are free, each one more doubles the wait, up to a
/// quarter of an hour. An hour without attempts makes up for all.
///
/// An attempt counts for the account from its network address, for the address whatever the account, for the
/// network around the address, whatever the account, and for the account from that network. A network is the
/// /48 of an IPv6 address, since one household may have thousands of /64, and the /24 of an IPv4 address.
///
/// Nothing makes everybody wait: a stranger could keep a person out so. Once there were many attempts at an
/// account, from wherever, each network has one more that is free in place of twenty: that is what slows
/// guesses from many networks down. The count of account and network does not hold for an address from which
/// the person has signed in before.
///
/// An attempt counts from its beginning, so that many at once are no way around; success takes it back.
struct SignInLimiter: Sendable {
    /// One attempt to sign in.
    struct Attempt: Hashable, Sendable {
        /// The beginning of the text that was entered.
        let account: String
        /// Empty for this process.
        var address: String

        init(account: String, address: String?) {
            self.account = account.beginning(bytes: Self.accountBytes)
            self.address = address ?? ""
        }

        /// No e-mail address has more.
        static let accountBytes = 254

        /// The network around the address; the address itself if it is none that we know to read.
        fileprivate var network: String {
            if address.hasSuffix("::/64") {
                return address.dropLast(5).split(separator: ":").prefix(3).joined(separator: ":") + "::/48"
            }
            let bytes = address.split(separator: ".", omittingEmptySubsequences: false)
            return bytes.count == 4 ? bytes.prefix(3).joined(separator: ".") + ".0/24" : address
        }
    }

    /// What attempts are counted for.
    private enum Subject: Hashable {
        case pair(Attempt)
        case address(String)
        case network(String)
        case accountFrom(network: String, account: String)
        /// Makes nobody wait by itself.
        case account(String)

        /// How many attempts are free; nil for all.
        func freeAttempts(isBesieged: Bool) -> Int? {
            switch self {
            case .pair: 5
            case .address: 20
            case .network: 60
            case .accountFrom: isBesieged ? 1 : 20
            case .account: nil
            }
        }
    }

    private struct Count {
        var attempts: Int
        var last: Timestamp
        var opens: Timestamp

        /// The count without its last attempt.
        var takenBack: Count { Count(attempts: attempts - 1, last: last, opens: last) }
    }

    private var counts: [Subject: Count] = [:]
    /// When each account was last signed in to from an address.
    private var successes: [Attempt: Timestamp] = [:]

    /// How many counts and successes are remembered.
    var count: Int { counts.count + successes.count }

    private static let capacity = 20_000
    private static let countsPerAttempt = 5
    /// After so many attempts at an account, networks have few.
    private static let siege = 100
    private static let longestWait: Int64 = 900
    private static let memory: Int64 = 3600

    /// Begins an attempt. Returns the seconds to wait when it is too early for one; then nothing is counted.
    mutating func begin(_ attempt: Attempt, at now: Timestamp) -> Int? {
        if counts.count + Self.countsPerAttempt > Self.capacity { forget(at: now) }
        let subjects = subjects(of: attempt)
        for subject in subjects {
            if let count = counts[subject], Self.isOld(count, at: now) { counts[subject] = nil }
        }
        let opens = subjects.compactMap { counts[$0]?.opens }.max()
        if let opens, now < opens { return Int((opens.milliseconds - now.milliseconds + 999) / 1000) }
        let isBesieged = (counts[.account(attempt.account)]?.attempts ?? 0) >= Self.siege
        for subject in subjects {
            let attempts = (counts[subject]?.attempts ?? 0) + 1
            let wait =
                subject.freeAttempts(isBesieged: isBesieged).map { Self.wait(after: attempts - $0) } ?? 0
            counts[subject] = Count(attempts: attempts, last: now, opens: now.advanced(bySeconds: wait))
        }
        return nil
    }

    /// The attempt was right: it counts for nobody, and earlier ones at the account from the address are
    /// forgotten. Those from elsewhere are not, since they are not this person's.
    mutating func succeeded(_ attempt: Attempt, at now: Timestamp) {
        takeBack(attempt)
        counts[.pair(attempt)] = nil
        if successes.count >= Self.capacity {
            let middle = successes.values.sorted()[successes.count / 2]
            successes = successes.filter { $0.value > middle }
        }
        successes[attempt] = now
    }

    /// The attempt counts for nobody: it was right, or nothing was found out.
    mutating func takeBack(_ attempt: Attempt) {
        for subject in subjects(of: attempt) {
            guard let count = counts[subject] else { continue }
            counts[subject] = count.attempts > 1 ? count.takenBack : nil
        }
    }

    private func subjects(of attempt: Attempt) -> [Subject] {
        var subjects: [Subject] = [.pair(attempt)]
        if attempt.address.isEmpty { return subjects }
        let network = attempt.network
        subjects += [.address(attempt.address), .network(network)]
        if successes[attempt] == nil {
            subjects += [
                .accountFrom(network: network, account: attempt.account), .account(attempt.account),
            ]
        }
        return subjects
    }

    /// Seconds to wait after so many attempts more than are free.
    private static func wait(after surplus: Int) -> Int64 {
        surplus < 0 ? 0 : min(longestWait, 1 << Int64(min(surplus, 30)))
    }

    /// Drops what is too old to matter; when there is too much all the same, the oldest half.
    private mutating func forget(at now: Timestamp) {
        counts = counts.filter { !Self.isOld($0.value, at: now) }
        guard counts.count + Self.countsPerAttempt > Self.capacity else { return }
        let middle = counts.values.map(\.last).sorted()[counts.count / 2]
        counts = counts.filter { $0.value.last > middle }
    }

    private static func isOld(_ count: Count, at now: Timestamp) -> Bool {
        count.last.advanced(bySeconds: memory) <= now
    }
}
