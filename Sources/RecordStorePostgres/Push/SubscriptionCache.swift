import RecordStore
import Records
import Synchronization

/// The subscriptions of a database, in memory. `database.subscriptions` counts their changes; a writer reads
/// it after locking the row, and loads them again if another process has changed them.
final class SubscriptionCache: Sendable {
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

    /// Makes sure that the index is that of the transaction, whose lock keeps others from changing it.
    func load(_ writing: WriteState, _ session: Session) throws {
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
    func apply(_ written: WriteState) {
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

    /// Whether somebody has a subscription to the shared database.
    var hasShared: Bool { state.withLock { $0.index.hasShared } }

    /// Whether any query subscription is about updates of records of a type.
    func asksForUpdates(of recordType: String) -> Bool {
        state.withLock { $0.index.hasQueries(on: recordType, .update) }
    }

    func pushes(for changes: [RecordChange], _ matching: PushMatching) -> [PushDraft] {
        state.withLock { state in
            let watchers = state.index.watchers(of: matching.zone)
            return matching.pushes(
                for: changes, queries: { state.index.queries(for: $0) }, watchers: watchers)
        }
    }

    func pushes(
        of people: [String: RecordTypes], _ matching: PushMatching, sequence: Int64
    ) -> [PushDraft] {
        if people.isEmpty { return [] }
        let watchers = state.withLock { $0.index.watchers(of: people.keys) }
        return matching.pushes(of: people, watchers: watchers, sequence: sequence)
    }

    func watchers(of zone: String) -> [SubscriptionEntry] {
        state.withLock { $0.index.watchers(of: zone) }
    }
}
