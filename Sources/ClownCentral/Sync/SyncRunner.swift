import CloudSync
import Synchronization

/// Runs the automatic syncs of all devices as child tasks of `run`.
final class SyncRunner: Sendable {
    private let begun = AsyncStream.makeStream(of: ContinuousSync.self)

    /// Hands a sync to `run`, which starts it.
    func begin(_ sync: CloudSync) -> ContinuousSync {
        let life = ContinuousSync(sync)
        begun.continuation.yield(life)
        return life
    }

    /// Runs every sync passed to `begin` in a task group. Cancelling this task ends all of them.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await life in begun.stream { group.addTask { await life.run() } }
        }
    }
}

/// One automatic sync, from `begin` to `stop`.
final class ContinuousSync: Sendable {
    private enum State {
        case waiting, running
        case ended(String?)
    }

    private let sync: CloudSync
    private let state = Mutex(State.waiting)
    private let order = AsyncStream.makeStream(of: Void.self)
    private let end = AsyncStream.makeStream(of: Void.self)

    init(_ sync: CloudSync) {
        self.sync = sync
    }

    /// Whether the sync has ended, and the error that ended it; nil after `stop`.
    var ending: (hasEnded: Bool, trouble: String?) {
        state.withLock { if case .ended(let trouble) = $0 { (true, trouble) } else { (false, nil) } }
    }

    fileprivate func run() async {
        let begins = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .running
            return true
        }
        guard begins else { return }
        var trouble: String?
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [sync] in try await sync.run() }
                group.addTask { [order] in for await _ in order.stream {} }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch {
            trouble = "\(error)"
        }
        state.withLock { $0 = .ended(trouble) }
        end.continuation.finish()
    }

    /// Stops the sync and waits for its end.
    func stop() async {
        let isRunning = state.withLock { state in
            if case .running = state { return true }
            if case .waiting = state { state = .ended(nil) }
            return false
        }
        guard isRunning else { return }
        order.continuation.finish()
        for await _ in end.stream {}
    }
}
