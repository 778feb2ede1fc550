import Records
import Synchronization

/// Caches in how many shares each person takes part. Counting opens the databases of all owners who share
/// with the person, so the server does not count for every acceptance.
///
/// A cached count is too high if an owner has removed the person since. So the shares are counted again when
/// the count has reached the limit, but at most once in a minute.
final class ShareCounts: Sendable {
    enum Admission: Hashable {
        case admitted
        case refused
        /// The shares must be counted.
        case unknown
    }

    private struct Count {
        var shares: Int
        var time: Timestamp
    }

    private let most: Int
    /// The counts, by the key of the person's private database.
    private let counts = Mutex<[DatabaseKey: Count]>([:])

    private static let capacity = 20_000
    private static let recountSeconds: Int64 = 60

    init(_ limits: Limits) {
        most = limits.sharesPerPerson
    }

    /// Whether a person may take part in one more share, which is then counted.
    func admit(_ person: DatabaseKey, at now: Timestamp) -> Admission {
        counts.withLock { counts in
            guard let count = counts[person] else { return .unknown }
            if count.shares < most {
                counts[person]?.shares += 1
                return .admitted
            }
            return count.time.advanced(bySeconds: Self.recountSeconds) > now ? .refused : .unknown
        }
    }

    /// Stores a new count.
    func note(_ shares: Int, of person: DatabaseKey, at now: Timestamp) {
        counts.withLock { counts in
            if counts.count >= Self.capacity, counts[person] == nil { counts.removeAll() }
            counts[person] = Count(shares: shares, time: now)
        }
    }

    /// Forgets the count of a person who may have left a share.
    func forget(_ person: DatabaseKey) { counts.withLock { $0[person] = nil } }
}
