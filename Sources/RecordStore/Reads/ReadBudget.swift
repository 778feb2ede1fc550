import Synchronization

/// Limits the work that the reads of one request may do before they are interrupted.
///
/// A store reads on its caller's thread, which may be an event loop that serves other connections too, or on
/// one of a few connections to a database engine. The caller sets `current`; the store spends from it while
/// it reads, and throws `Exceeded` when nothing is left. The caller then repeats the read with a budget for
/// slow reads, where it delays nobody. Without a budget a read is never interrupted.
package final class ReadBudget: Sendable {
    /// Thrown by a read that was interrupted because its budget was used up. Nothing was changed.
    package struct Exceeded: Error {
        package init() {}
    }

    /// The budget for the reads of this task; nil means unlimited.
    @TaskLocal package static var current: ReadBudget?

    /// Identifies the person or app on whose behalf the store reads. Payers with the same number share their
    /// turns.
    package let payer: Int
    /// Whether the read may take long, so that it must not keep others waiting.
    package let isSlow: Bool
    private let steps: Atomic<Int>
    private let isOver: @Sendable () -> Bool

    /// - Parameters:
    ///   - steps: units of work; one costs about as much as one instruction of SQLite's virtual machine (20
    ///     to 100 ns). An engine in another process does not count them; there the time is the limit.
    ///   - isOver: returns whether the time for the work has passed. Called at each `spend`.
    package init(
        steps: Int = .max, payer: Int = 0, isSlow: Bool = false,
        isOver: @escaping @Sendable () -> Bool = { false }
    ) {
        self.payer = payer
        self.isSlow = isSlow
        self.steps = Atomic(steps)
        self.isOver = isOver
    }

    /// Subtracts steps from the budget. Returns false if the budget is used up, by this call or an earlier
    /// one.
    package func spend(_ count: Int) -> Bool {
        // Reads of one request run one after the other, so no other thread spends between these two calls.
        let left = steps.load(ordering: .relaxed) - max(0, count)
        let isLeft = left > 0 && !isOver()
        steps.store(isLeft ? left : 0, ordering: .relaxed)
        return isLeft
    }

    /// Subtracts the cost of decoding this many bytes of fields from the task's budget, if it has one. Throws
    /// `Exceeded` if the budget is used up.
    package static func spend(decoding bytes: Int) throws {
        if current?.spend(bytes / bytesPerStep) == false { throw Exceeded() }
    }

    /// The number of bytes whose decoding costs about as much as one step.
    private static let bytesPerStep = 4

    /// Subtracts the cost of splitting a text into words from the task's budget, if it has one. Throws
    /// `Exceeded` if the budget is used up.
    package static func spend(splitting text: String) throws {
        guard let current else { return }
        let folded = text.utf8.count { $0 >= 0x80 }
        let steps = text.utf8.count - folded + folded * stepsPerFoldedByte
        if !current.spend(steps) { throw Exceeded() }
    }

    /// The cost of one byte of a character outside ASCII, which is folded with the tables of Unicode. A byte
    /// of ASCII costs one step.
    private static let stepsPerFoldedByte = 10

    /// Whether the budget is used up.
    package var isExceeded: Bool { steps.load(ordering: .relaxed) <= 0 }
}
