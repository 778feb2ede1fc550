import Foundation
import Synchronization

/// A clock that advances when somebody waits, without real time passing. A walkthrough takes no extra time
/// and has the same output on each run.
final class SceneClock: Sendable {
    private let date: Mutex<Date>

    init(_ start: Date) { date = Mutex(start) }

    var now: Date { date.withLock { $0 } }

    func wait(_ seconds: TimeInterval) throws {
        try Task.checkCancellation()
        date.withLock { $0.addTimeInterval(max(0, seconds)) }
    }
}
