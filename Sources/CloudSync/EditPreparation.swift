import Foundation
import LocalReplica
import Records
import Synchronization

/// Marks a few edits as sent in the transaction that makes them, while the sync is idle. So an edit and its
/// mark need only one flush to the disk, and the edit is sent that much earlier.
///
/// If these edits are not sent next, they are an unanswered batch, like that of a process that has ended
/// before the answer: their zone is fetched before they are sent again.
final class EditPreparation: Sendable {
    /// What an idle sync needs for its next batch.
    struct Idle: Sendable {
        var sender: BatchSender
        /// The maximum of edits in a batch.
        var limit: Int
        /// The zones to which edits can be sent without a further step.
        var zones: Set<ZoneID>
    }

    private struct State {
        /// nil while a pass is running, and when edits cannot be sent at once.
        var idle: Idle?
        var marked: MarkedEdits?
    }

    /// The edits of a larger transaction are marked later, in larger batches.
    private static let maximumEdits = 10

    private let state = Mutex(State())

    /// Sets what the sync needs while it is idle; nil: it is not.
    func set(_ idle: Idle?) {
        state.withLock { $0.idle = idle }
    }

    /// Returns and forgets the edits that were marked.
    func take() -> MarkedEdits? {
        state.withLock { state in
            defer { state.marked = nil }
            return state.marked
        }
    }

    /// Marks the edits of a transaction if the sync is idle. If the transaction is not committed, no batch of
    /// the replica has the token of these edits, so that the sync ignores them.
    func prepare(_ writer: ReplicaWriter) throws {
        guard let idle = state.withLock({ $0.idle }) else { return }
        let (sender, limit) = (idle.sender, min(idle.limit, Self.maximumEdits))
        let rows = try sender.next(limit: limit + 1, at: sender.configuration.now(), writer.reader)
        guard let zone = rows.first?.id.zone, rows.count <= limit, idle.zones.contains(zone),
            rows.allSatisfy(\.isFirstAttempt), let marked = try sender.mark(rows, writer)
        else { return }
        // Before the commit, which wakes the sync.
        state.withLock { ($0.idle, $0.marked) = (nil, marked) }
    }
}

/// Pending edits of one zone that are marked as sent.
struct MarkedEdits: Sendable {
    let zone: ZoneID
    let rows: [ReplicaRow]
    let token: Data
    /// The names of all records that are marked with this token.
    let names: Set<String>
}
