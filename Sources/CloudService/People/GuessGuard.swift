// Owns the decision how long whoever guesses passwords must wait (law 1).

import Records

/// Counts attempts to sign in, by account and by network address, and slows them down: a few are free, each
/// one more doubles the wait, up to a quarter of an hour. An hour without attempts makes up for all.
///
/// An attempt counts from its beginning, so that many at once are no way around; success takes it back.
struct GuessGuard: Sendable {
    /// What attempts are counted for.
    enum Subject: Hashable, Sendable {
        case account(String)
        case address(String)

        fileprivate var freeAttempts: Int {
            switch self {
            case .account: 5
            case .address: 20
            }
        }
    }

    private struct Count {
        var attempts: Int
        var last: Timestamp
        var opens: Timestamp
    }

    private var counts: [Subject: Count] = [:]
    /// How many accounts and addresses are remembered.
    var count: Int { counts.count }

    private static let capacity = 20_000
    private static let longestWait: Int64 = 900
    private static let memory: Int64 = 3600

    /// Begins an attempt. Returns the seconds to wait when it is too early for one; then nothing is counted.
    mutating func begin(_ subjects: [Subject], at now: Timestamp) -> Int? {
        if counts.count >= Self.capacity { forget(at: now) }
        for subject in subjects {
            if let count = counts[subject], Self.isOld(count, at: now) { counts[subject] = nil }
        }
        let opens = subjects.compactMap { counts[$0]?.opens }.max()
        if let opens, now < opens { return Int((opens.milliseconds - now.milliseconds + 999) / 1000) }
        for subject in subjects {
            let attempts = (counts[subject]?.attempts ?? 0) + 1
            let wait = Self.wait(after: attempts - subject.freeAttempts)
            counts[subject] = Count(attempts: attempts, last: now, opens: now.advanced(bySeconds: wait))
        }
        return nil
    }

    /// The attempt was right: it counts for nobody, and the account's earlier ones are forgotten.
    mutating func succeeded(_ subjects: [Subject]) {
        for subject in subjects {
            guard case .address = subject, let count = counts[subject], count.attempts > 1 else {
                counts[subject] = nil
                continue
            }
            counts[subject]?.attempts -= 1
            counts[subject]?.opens = count.last
        }
    }

    /// Seconds to wait after so many attempts more than are free.
    private static func wait(after surplus: Int) -> Int64 {
        surplus < 0 ? 0 : min(longestWait, 1 << Int64(min(surplus, 30)))
    }

    /// Drops what is too old to matter; when there is too much all the same, the oldest half.
    private mutating func forget(at now: Timestamp) {
        counts = counts.filter { !Self.isOld($0.value, at: now) }
        guard counts.count >= Self.capacity else { return }
        let middle = counts.values.map(\.last).sorted()[counts.count / 2]
        counts = counts.filter { $0.value.last > middle }
    }

    private static func isOld(_ count: Count, at now: Timestamp) -> Bool {
        count.last.advanced(bySeconds: memory) <= now
    }
}
