@testable import TestKit

/// Participants who share state and act one step at a time, in any order. No threads are needed, so thousands
/// of interleavings are tested.
protocol InterleavedWorld {
    /// The participants that can act now; empty at the end.
    var runnable: [Int] { get }

    /// Whether no record owns a file that was deleted.
    var isSound: Bool { get }

    /// Performs the next step of a participant.
    mutating func step(_ participant: Int)
}

extension InterleavedWorld {
    /// Performs all steps in the order that follows from `seed`. Returns false after a step that makes the
    /// world unsound.
    mutating func run(_ seed: Int) -> Bool {
        var numbers = SeededNumbers(seed: UInt64(seed))
        while let participant = runnable.randomElement(using: &numbers) {
            step(participant)
            if !isSound { return false }
        }
        return true
    }
}
