import Synchronization

/// The databases with notifications that requests have left to be posted later. Each database is leased until
/// its notifications are posted.
final class DeliveryBacklog: Sendable {
    private struct State {
        var waiting: [OpenDatabase] = []
        var isOpen = false
    }

    private let state = Mutex(State())
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Whether a task runs `run`, so that the notifications of added databases are posted.
    var isOpen: Bool { state.withLock(\.isOpen) }

    /// Adds a leased database. Returns false, and adds nothing, if no task runs `run` any more.
    func add(_ database: OpenDatabase) -> Bool {
        let isAdded = state.withLock { state in
            if state.isOpen { state.waiting.append(database) }
            return state.isOpen
        }
        if isAdded { signal.yield() }
        return isAdded
    }

    /// Calls `work` with one database after the other, until the task is cancelled. The databases for which
    /// it returns false wait for another turn. Then calls `drop` with those that are left.
    func run(
        _ work: (OpenDatabase) async -> Bool, drop: (OpenDatabase) async -> Void
    ) async {
        state.withLock { $0.isOpen = true }
        for await _ in signals {
            while !Task.isCancelled, let database = next() {
                if await work(database) { continue }
                state.withLock { $0.waiting.append(database) }
                await Task.yield()
            }
        }
        state.withLock { $0.isOpen = false }
        while let database = next() { await drop(database) }
    }

    private func next() -> OpenDatabase? {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    }
}
