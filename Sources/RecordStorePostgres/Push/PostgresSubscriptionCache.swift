import PostgreSQLSupport
import RecordStore
import Records
import Synchronization

/// The subscriptions of a database, in memory. `database.subscriptions` counts their changes; a writer reads
/// it after locking the row, and loads them again if another process has changed them.
final class PostgresSubscriptionCache: Subscribers {
    private struct State {
        var number: Int64 = -1
        var lastNotification: Int64 = 0
        var index = SubscriptionIndex()
    }

    private let codec: any FieldCodec
    private let state = Mutex(State())

    init(codec: any FieldCodec) {
        self.codec = codec
    }

    /// Makes sure that the index is that of the beginning of the transaction, whose lock keeps others from
    /// changing it.
    func load(_ writing: PostgresWriteState, _ session: PostgresSession) throws {
        if state.withLock({ $0.number }) == writing.oldSubscriptions { return }
        let rows = try session.rows(
            "SELECT id, owner, definition, is_shared FROM subscription WHERE database = $1 ORDER BY id")
        let entries = try rows.map { row in
            SubscriptionEntry(
                number: row.integer(0), owner: row.text(1), scope: row.integer(3) == 1 ? .shared : .own,
                subscription: try codec.subscription(row.bytes(2)))
        }
        state.withLock {
            $0.index = SubscriptionIndex(entries)
            $0.number = writing.oldSubscriptions
            $0.lastNotification = max($0.lastNotification, writing.lastNotification)
        }
    }

    /// Takes over the changes of a transaction that was committed.
    func apply(_ written: PostgresWriteState) {
        state.withLock { state in
            state.lastNotification = max(state.lastNotification, written.lastNotification)
            // Otherwise a later writer has loaded the index already, or will.
            guard state.number == written.oldSubscriptions else { return }
            state.number = written.subscriptions
            state.index.apply(written.subscriptionChanges)
        }
    }

    /// As of the last write of this process.
    var lastNotification: Int64 { state.withLock { $0.lastNotification } }

    var isEmpty: Bool { state.withLock { $0.index.isEmpty } }

    func withIndex<Result: Sendable>(_ body: (inout SubscriptionIndex) -> Result) -> Result {
        state.withLock { body(&$0.index) }
    }
}
