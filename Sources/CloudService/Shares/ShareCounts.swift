import Records
import Synchronization

/// In how many shares people take part, as far as the server has counted them. To count, it has to open the
/// databases of all who share with a person, so it does not count for every acceptance.
///
/// A count is too high if an owner has removed the person since. So it is taken again when it has reached the
/// limit, but at most once in a minute.
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
    /// By the private database of the person.
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

    /// Notes in how many shares a person takes part.
    func note(_ shares: Int, of person: DatabaseKey, at now: Timestamp) {
        counts.withLock { counts in
            if counts.count >= Self.capacity, counts[person] == nil { counts.removeAll() }
            counts[person] = Count(shares: shares, time: now)
        }
    }

    /// Forgets the count of a person who may have left a share.
    func forget(_ person: DatabaseKey) { counts.withLock { $0[person] = nil } }
}
