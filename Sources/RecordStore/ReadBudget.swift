import Synchronization

/// The work that the reads of one request may do before they are broken off.
///
/// A store's reads run on the thread of whoever asks, which may be an event loop that serves other
/// connections too. The caller sets `current`; a store spends from it as it reads and throws `Exceeded` when
/// nothing is left. The caller then runs the same read again where it holds nobody up. Without a budget a
/// read takes as long as it takes.
package final class ReadBudget: Sendable {
    /// Thrown by a read that was broken off because the budget was used up. Nothing was changed.
    package struct Exceeded: Error {
        package init() {}
    }

    /// The budget of the reads of this task; nil: any amount of work.
    @TaskLocal package static var current: ReadBudget?

    private let steps: Atomic<Int>
    private let isOver: @Sendable () -> Bool

    /// - Parameters:
    ///   - steps: units of work, each about that of one instruction of the database engine (20 to 100 ns).
    ///   - isOver: asked whenever something is spent: whether the time for the work has passed.
    package init(steps: Int = .max, isOver: @escaping @Sendable () -> Bool = { false }) {
        self.steps = Atomic(steps)
        self.isOver = isOver
    }

    /// Takes steps off the budget. Returns false when it is used up, now or before.
    package func spend(_ count: Int) -> Bool {
        // The reads of one request follow one another, so nobody else spends between the two calls.
        let left = steps.load(ordering: .relaxed) - max(0, count)
        let isLeft = left > 0 && !isOver()
        steps.store(isLeft ? left : 0, ordering: .relaxed)
        return isLeft
    }

    /// Whether the budget is used up.
    package var isExceeded: Bool { steps.load(ordering: .relaxed) <= 0 }
}
