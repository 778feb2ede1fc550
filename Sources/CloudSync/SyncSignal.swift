import Cloudlet
import LocalReplica
import Records
import Synchronization

/// What a push says has changed.
enum PushedChange: Hashable, Sendable {
    case zone(ZoneID)
    /// Something other than a zone in the database: ask for all changes.
    case database

    /// The change in the database of a sync; nil if the push is about another database.
    init?(_ push: CKNotification, in scope: SyncScope) {
        switch push {
        case let push as CKRecordZoneNotification:
            guard push.databaseScope == scope.database else { return nil }
            self = push.recordZoneID.map { PushedChange.zone(scope.zone($0)) } ?? .database
        case let push as CKDatabaseNotification:
            guard push.databaseScope == scope.database else { return nil }
            self = .database
        default: self = .database
        }
    }
}

/// The reasons for the next pass of a sync, accumulated since the last one.
struct WakeReasons: Equatable, Sendable {
    /// Whether to ask the server for changes without a push.
    var looks = false
    /// Whether to end waits that the server did not ask for.
    var endsWaits = false
    /// What pushes said has changed.
    var news: Set<PushedChange> = []
}

/// Wakes a waiting task. Reasons that arrive while no task waits are accumulated.
final class SyncSignal: Sendable {
    private struct State {
        var reasons: WakeReasons?
        var sleeper: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Adds a reason, and wakes the task that waits.
    func send(_ change: (inout WakeReasons) -> Void = { _ in }) {
        wake { state in
            var reasons = state.reasons ?? WakeReasons()
            change(&reasons)
            state.reasons = reasons
        }
    }

    /// Waits until there is a reason. Throws `CancellationError`.
    func wait() async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { sleeper in
                let mustWait = state.withLock { state in
                    if state.reasons != nil || Task.isCancelled { return false }
                    state.sleeper = sleeper
                    return true
                }
                if !mustWait { sleeper.resume() }
            }
        } onCancel: {
            wake { _ in }
        }
        try Task.checkCancellation()
    }

    /// Returns and clears the accumulated reasons; nil if there are none.
    func take() -> WakeReasons? {
        state.withLock { state in
            defer { state.reasons = nil }
            return state.reasons
        }
    }

    private func wake(_ change: (inout State) -> Void) {
        let sleeper = state.withLock { state in
            change(&state)
            defer { state.sleeper = nil }
            return state.sleeper
        }
        sleeper?.resume()
    }
}
