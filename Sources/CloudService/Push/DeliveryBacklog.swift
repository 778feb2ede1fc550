import Synchronization

/// The databases with notifications that requests have left to be posted later. Each database is leased until
/// its notifications are posted.
final class DeliveryBacklog: Sendable {
    /// What remains to be done for a database after its turn.
    enum Outcome {
        case done
        /// It waits for another turn, behind the others.
        case again
        /// It rests before it waits for another turn, because its notifications cannot be read at the moment.
        case later
    }

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

    /// Calls `work` with one database after the other, until the task is cancelled. Then calls `drop` with
    /// those that are left.
    ///
    /// - Parameter rest: waits until a database that rests may have another turn. The others go on meanwhile.
    func run(
        _ work: (OpenDatabase) async -> Outcome, rest: @escaping @Sendable () async -> Void,
        drop: (OpenDatabase) async -> Void
    ) async {
        state.withLock { $0.isOpen = true }
        await withDiscardingTaskGroup { group in
            for await _ in signals {
                while !Task.isCancelled, let database = next() {
                    switch await work(database) {
                    case .done: continue
                    case .again: state.withLock { $0.waiting.append(database) }
                    case .later:
                        group.addTask {
                            await rest()
                            self.state.withLock { $0.waiting.append(database) }
                            self.signal.yield()
                        }
                    }
                    await Task.yield()
                }
            }
        }
        state.withLock { $0.isOpen = false }
        while let database = next() { await drop(database) }
    }

    private func next() -> OpenDatabase? {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    }
}
