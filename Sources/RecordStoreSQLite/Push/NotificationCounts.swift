import RecordStore
import Synchronization

/// Upper bounds of the unread notifications of each person, so that most new ones can be admitted without
/// counting.
///
/// A notification that was read, or whose transaction was undone, stays in the bound until the person's
/// notifications are counted again. They are counted if the bound exceeds the limits.
final class NotificationCounts: Sendable {
    /// A number of notifications, and their bytes together.
    typealias Amount = (count: Int, bytes: Int)

    let limits: NotificationLimits
    private let known = Mutex<[String: Amount]>([:])

    /// The maximum number of people with a known bound. Above it, all bounds are dropped.
    private static let people = 100_000

    init(limits: NotificationLimits) {
        self.limits = limits
    }

    /// Counts a new notification of this size. Returns whether its owner has too many now.
    ///
    /// - Parameter count: counts the owner's unread notifications in the file.
    func areTooMany(
        afterOneMoreOf owner: String, bytes: Int, _ count: () throws -> Amount
    ) throws -> Bool {
        let bound = known.withLock { known -> Amount? in
            guard let bound = known[owner] else { return nil }
            let more = (bound.count + 1, bound.bytes + bytes)
            known[owner] = more
            return more
        }
        if let bound, !limits.areExceeded(byCount: bound.count, bytes: bound.bytes) { return false }
        let exact = try count()
        let areTooMany = limits.areExceeded(byCount: exact.count, bytes: exact.bytes)
        known.withLock { known in
            if known.count >= Self.people { known.removeAll() }
            // Whether the oldest are deleted is only certain after the commit, so the next notification is
            // counted again.
            known[owner] = areTooMany ? nil : exact
        }
        return areTooMany
    }
}
