import RecordStore
import Synchronization

/// Bounds from above: a notification that was read, or undone, still counts until the next look into the
/// file. So a person with few costs no look, and whoever seems to have too many is counted.
final class NotificationCounts: Sendable {
    /// Notifications, and their bytes together.
    typealias Amount = (count: Int, bytes: Int)

    let limits: NotificationLimits
    private let known = Mutex<[String: Amount]>([:])

    /// No more people than this are remembered at once.
    private static let people = 100_000

    init(limits: NotificationLimits) {
        self.limits = limits
    }

    /// Counts a notification of so many bytes that has just been made, and answers whether its owner has too
    /// many now.
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
            // Whether the oldest go is settled by the commit only: the next one is counted again.
            known[owner] = areTooMany ? nil : exact
        }
        return areTooMany
    }
}
