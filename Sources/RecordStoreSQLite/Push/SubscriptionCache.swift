import GRDB
import RecordStore
import Records
import Synchronization

/// The subscriptions as of the last commit, in memory. The table decides: a subscription that is found here
/// but was deleted since does not fire.
final class SubscriptionCache: Subscribers {
    private let index: Mutex<SubscriptionIndex>
    /// Read at every commit, so that a database without subscriptions does not take the lock.
    private let hasAny: Atomic<Bool>
    let counts: NotificationCounts

    init(_ database: Database, codec: any FieldCodec, notificationLimits: NotificationLimits) throws {
        counts = NotificationCounts(limits: notificationLimits)
        var entries: [SubscriptionEntry] = []
        let rows = try SQL(
            database, "SELECT id, owner, definition, is_shared FROM subscription ORDER BY id")
        defer { rows.reset() }
        while try rows.step() {
            let subscription = try codec.subscription(rows.bytes(2))
            entries.append(
                SubscriptionEntry(
                    number: rows.integer(0), owner: rows.text(1),
                    scope: rows.integer(3) == 1 ? .shared : .own, subscription: subscription))
        }
        index = Mutex(SubscriptionIndex(entries))
        hasAny = Atomic(!entries.isEmpty)
    }

    var isEmpty: Bool { !hasAny.load(ordering: .acquiring) }

    func apply(_ changes: [SubscriptionChange]) {
        if changes.isEmpty { return }
        index.withLock { index in
            index.apply(changes)
            hasAny.store(!index.isEmpty, ordering: .releasing)
        }
    }

    func withIndex<Result: Sendable>(_ body: (inout SubscriptionIndex) -> Result) -> Result {
        index.withLock { body(&$0) }
    }
}
