// Owns what the writer of a file knows of the number of people's unread notifications, beside the file.

import RecordStore
import Synchronization

/// Bounds from above: a notification that was read, or undone, still counts until the next look into the
/// file. So a person with few costs no look, and whoever seems to have too many is counted.
final class NotificationCounts: Sendable {
    let limit: Int
    private let known = Mutex<[String: Int]>([:])

    /// No more people than this are remembered at once.
    private static let people = 100_000

    init(limit: Int) {
        self.limit = limit
    }

    /// Counts a notification that has just been made, and answers whether its owner has too many now.
    func isTooMany(afterOneMoreOf owner: String, _ count: () throws -> Int) throws -> Bool {
        let bound = known.withLock { known -> Int? in
            guard let bound = known[owner] else { return nil }
            known[owner] = bound + 1
            return bound + 1
        }
        if let bound, bound <= limit { return false }
        let exact = try count()
        known.withLock { known in
            if known.count >= Self.people { known.removeAll() }
            // Whether the oldest go is settled by the commit only: the next one is counted again.
            known[owner] = exact > limit ? nil : exact
        }
        return exact > limit
    }
}
