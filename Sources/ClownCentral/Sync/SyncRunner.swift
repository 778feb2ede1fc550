import Synchronization

/// Runs the automatic syncs of all devices as child tasks of `run`.
final class SyncRunner: Sendable {
    private let newSyncs = AsyncStream.makeStream(of: ContinuousSync.self)

    /// Hands a sync to `run`, which starts it.
    func begin(_ sync: @escaping @Sendable () async throws -> Void) -> ContinuousSync {
        let continuous = ContinuousSync(sync)
        newSyncs.continuation.yield(continuous)
        return continuous
    }

    /// Runs every sync passed to `begin` in a task group. Cancelling this task ends all of them.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await sync in newSyncs.stream { group.addTask { await sync.run() } }
        }
    }
}

/// One automatic sync, from `begin` to `stop`.
final class ContinuousSync: Sendable {
    private enum State {
        case waiting, running
        case ended(String?)
    }

    private let sync: @Sendable () async throws -> Void
    private let state = Mutex(State.waiting)
    private let stopSignal = AsyncStream.makeStream(of: Void.self)
    private let endSignal = AsyncStream.makeStream(of: Void.self)

    init(_ sync: @escaping @Sendable () async throws -> Void) {
        self.sync = sync
    }

    /// Whether the sync has ended, and the error that ended it; nil after `stop`.
    var ending: (hasEnded: Bool, error: String?) {
        state.withLock { if case .ended(let error) = $0 { (true, error) } else { (false, nil) } }
    }

    fileprivate func run() async {
        let begins = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .running
            return true
        }
        guard begins else { return }
        var failure: String?
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [sync] in try await sync() }
                group.addTask { [stopSignal] in for await _ in stopSignal.stream {} }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch {
            failure = "\(error)"
        }
        state.withLock { $0 = .ended(failure) }
        endSignal.continuation.finish()
    }

    /// Stops the sync and waits for its end.
    func stop() async {
        let isRunning = state.withLock { state in
            if case .running = state { return true }
            if case .waiting = state { state = .ended(nil) }
            return false
        }
        guard isRunning else { return }
        stopSignal.continuation.finish()
        for await _ in endSignal.stream {}
    }
}
