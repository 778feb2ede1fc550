import Foundation
import Synchronization

/// A clock that is later at once by whatever somebody waits, so that a walkthrough wastes nobody's time and
/// says the same whenever it is played.
final class SceneClock: Sendable {
    private let date: Mutex<Date>

    init(_ start: Date) { date = Mutex(start) }

    var now: Date { date.withLock { $0 } }

    func wait(_ seconds: TimeInterval) throws {
        try Task.checkCancellation()
        date.withLock { $0.addTimeInterval(max(0, seconds)) }
    }
}
