import Cloudlet
import Synchronization

/// What a push tells.
enum PushedNews: Hashable, Sendable {
    case zone(String)
    /// Something else than a zone of the person's own: ask for all that changed.
    case database

    init(_ push: CKNotification) {
        if let push = push as? CKRecordZoneNotification, push.databaseScope == .private,
            let zone = push.recordZoneID, zone.ownerName == CKCurrentUserDefaultName
        {
            self = .zone(zone.zoneName)
        } else {
            self = .database
        }
    }
}

/// Why a sync wakes up: everything that happened since it last did, taken together.
struct Alarm: Equatable, Sendable {
    /// Something may have changed that nobody told of.
    var looks = false
    /// Waits that nobody asked for are over.
    var isHurried = false
    /// What pushes told.
    var news: Set<PushedNews> = []
}

/// Wakes the one who waits for it. What rings while nobody waits is kept, and added up.
final class SyncBell: Sendable {
    private struct State {
        var alarm: Alarm?
        var sleeper: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Rings, with what there is to say.
    func ring(_ change: (inout Alarm) -> Void = { _ in }) {
        wake { state in
            var alarm = state.alarm ?? Alarm()
            change(&alarm)
            state.alarm = alarm
        }
    }

    /// Waits until it has rung; throws `CancellationError`.
    func rung() async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { sleeper in
                let mustWait = state.withLock { state in
                    if state.alarm != nil || Task.isCancelled { return false }
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

    /// Everything that was said since the last time; nil when it did not ring.
    func take() -> Alarm? {
        state.withLock { state in
            defer { state.alarm = nil }
            return state.alarm
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
