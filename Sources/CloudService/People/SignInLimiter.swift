import Records

/// Limits sign-in attempts: a few are free, then each further attempt doubles the wait, up to 15 minutes. A
/// count is reset after an hour without attempts.
///
/// Four counts can delay an attempt: that of the account from this network address, that of the address with
/// any account, that of the network of the address with any account, and that of the account from this
/// network. A network is the /48 of an IPv6 address, since one household may have thousands of /64, and the
/// /24 of an IPv4 address.
///
/// The count of an account from anywhere delays nobody by itself, because strangers could use it to keep a
/// person out. Instead, after 100 attempts at an account, each network has 1 free attempt at that account in
/// place of 20. This slows down guesses from many networks. The count of account and network does not apply
/// to an address from which the person has signed in before.
///
/// An attempt counts from its beginning, so that simultaneous attempts do not evade the limit. A successful
/// attempt is removed from the counts.
struct SignInLimiter: Sendable {
    /// One attempt to sign in.
    struct Attempt: Hashable, Sendable {
        /// The text that was entered, shortened to `accountBytes`.
        let account: String
        /// Network address; empty for callers in this process.
        var address: String

        init(account: String, address: String?) {
            self.account = account.beginning(bytes: Self.accountBytes)
            self.address = address ?? ""
        }

        /// The maximal length of an e-mail address.
        static let accountBytes = 254

        /// The network of the address; the address itself if its format is unknown.
        fileprivate var network: String {
            if address.hasSuffix("::/64") {
                return address.dropLast(5).split(separator: ":").prefix(3).joined(separator: ":") + "::/48"
            }
            let bytes = address.split(separator: ".", omittingEmptySubsequences: false)
            return bytes.count == 4 ? bytes.prefix(3).joined(separator: ".") + ".0/24" : address
        }
    }

    /// The subjects for which attempts are counted.
    private enum Subject: Hashable {
        case pair(Attempt)
        case address(String)
        case network(String)
        case accountFrom(network: String, account: String)
        /// Attempts at an account from anywhere. This count delays nobody by itself; see `attackThreshold`.
        case account(String)

        /// The number of free attempts; nil if all are free.
        func freeAttempts(isUnderAttack: Bool) -> Int? {
            switch self {
            case .pair: 5
            case .address: 20
            case .network: 60
            case .accountFrom: isUnderAttack ? 1 : 20
            case .account: nil
            }
        }
    }

    private struct Count {
        var attempts: Int
        var last: Timestamp
        var opens: Timestamp

        /// The count without its last attempt, and without the wait that it caused.
        var takenBack: Count { Count(attempts: attempts - 1, last: last, opens: last) }
    }

    private var counts: [Subject: Count] = [:]
    /// When each account was last signed in to from each address.
    private var successes: [Attempt: Timestamp] = [:]

    /// Number of stored counts and successes.
    var count: Int { counts.count + successes.count }

    private static let capacity = 20_000
    private static let countsPerAttempt = 5
    /// After this many attempts at an account, each network has only one free attempt at it.
    private static let attackThreshold = 100
    private static let maximumWait: Int64 = 900
    private static let resetSeconds: Int64 = 3600

    /// Begins an attempt. If it comes too early, returns the seconds to wait and counts nothing.
    mutating func begin(_ attempt: Attempt, at now: Timestamp) -> Int? {
        if counts.count + Self.countsPerAttempt > Self.capacity { forget(at: now) }
        let subjects = subjects(of: attempt)
        for subject in subjects {
            if let count = counts[subject], Self.isOld(count, at: now) { counts[subject] = nil }
        }
        let opens = subjects.compactMap { counts[$0]?.opens }.max()
        if let opens, now < opens { return Int((opens.milliseconds - now.milliseconds + 999) / 1000) }
        let isUnderAttack = (counts[.account(attempt.account)]?.attempts ?? 0) >= Self.attackThreshold
        for subject in subjects {
            let attempts = (counts[subject]?.attempts ?? 0) + 1
            let wait =
                subject.freeAttempts(isUnderAttack: isUnderAttack).map { Self.wait(after: attempts - $0) }
                ?? 0
            counts[subject] = Count(attempts: attempts, last: now, opens: now.advanced(bySeconds: wait))
        }
        return nil
    }

    /// Records a successful attempt: removes it from all counts, and resets the count of this account and
    /// address. Attempts from other addresses still count, since other people may have made them.
    mutating func succeeded(_ attempt: Attempt, at now: Timestamp) {
        takeBack(attempt)
        counts[.pair(attempt)] = nil
        if successes.count >= Self.capacity {
            let middle = successes.values.sorted()[successes.count / 2]
            successes = successes.filter { $0.value > middle }
        }
        successes[attempt] = now
    }

    /// Removes an attempt from all counts, because it was successful or its password was not checked.
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

    /// Seconds to wait before the next attempt, after `surplus` attempts beyond the free ones: 1 after the
    /// last free one, then twice as many for each further one.
    private static func wait(after surplus: Int) -> Int64 {
        surplus < 0 ? 0 : min(maximumWait, 1 << Int64(min(surplus, 30)))
    }

    /// Removes counts older than an hour; if there are still too many, also the older half of the rest.
    private mutating func forget(at now: Timestamp) {
        counts = counts.filter { !Self.isOld($0.value, at: now) }
        guard counts.count + Self.countsPerAttempt > Self.capacity else { return }
        let middle = counts.values.map(\.last).sorted()[counts.count / 2]
        counts = counts.filter { $0.value.last > middle }
    }

    private static func isOld(_ count: Count, at now: Timestamp) -> Bool {
        count.last.advanced(bySeconds: resetSeconds) <= now
    }
}
