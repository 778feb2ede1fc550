import Foundation
import Synchronization

/// The decision which time to believe, after a clock was set (law 1).
///
/// A server forgets deletions, ends sessions and stamps records by the clock. None of this can be taken back,
/// so a step of more than a day is believed only when it has lasted for two hours; until then time goes on
/// from before the step. A clock that is wrong for an hour and then mended thus changes nothing. Smaller
/// steps are followed at once.
struct ClockSteps: Sendable {
    /// What the clock was ahead of the uptime when it was last believed, in seconds.
    private(set) var offset: Double
    /// The step that is not believed yet, and at which uptime it was first seen.
    private var doubt: (offset: Double, since: Double)?

    static let largestStep = 86_400.0
    static let patience = 7_200.0

    /// What a clock that is ahead of the uptime by nearly as much may be believed by without a further look;
    /// not a number while there is a doubt.
    var settled: Double { doubt == nil ? offset : .nan }

    init(wall: Double, uptime: Double) {
        offset = wall - uptime
    }

    /// Whether a clock that is ahead of the uptime by so much needs no decision.
    static func isSmall(_ step: Double) -> Bool { abs(step) <= largestStep }

    /// The time to believe, in seconds since 1970.
    mutating func time(wall: Double, uptime: Double) -> Double {
        let present = wall - uptime
        if Self.isSmall(present - offset) {
            doubt = nil
            return wall
        }
        if let doubt, Self.isSmall(present - doubt.offset) {
            if uptime - doubt.since >= Self.patience {
                offset = present
                self.doubt = nil
                return wall
            }
        } else {
            doubt = (present, uptime)
        }
        return uptime + offset
    }
}

/// A clock that does not follow the system's clock in a large step before that has lasted.
final class SteadyClock: Sendable {
    private let wall: @Sendable () -> Date
    private let uptime: @Sendable () -> Duration
    private let steps: Mutex<ClockSteps>
    /// The bits of what is settled, for a look without a lock.
    private let settled: Atomic<UInt64>

    /// - Parameters:
    ///   - wall: The clock that may be set.
    ///   - uptime: How long something has gone on, which nobody can set.
    init(wall: @escaping @Sendable () -> Date, uptime: @escaping @Sendable () -> Duration) {
        self.wall = wall
        self.uptime = uptime
        let steps = ClockSteps(wall: wall().timeIntervalSince1970, uptime: uptime() / .seconds(1))
        settled = Atomic(steps.settled.bitPattern)
        self.steps = Mutex(steps)
    }

    /// The present time.
    var now: Date {
        let (wall, uptime) = (wall(), uptime() / .seconds(1))
        let seconds = wall.timeIntervalSince1970
        let settled = Double(bitPattern: self.settled.load(ordering: .relaxed))
        if ClockSteps.isSmall(seconds - uptime - settled) { return wall }
        return steps.withLock { steps in
            let time = steps.time(wall: seconds, uptime: uptime)
            self.settled.store(steps.settled.bitPattern, ordering: .relaxed)
            return Date(timeIntervalSince1970: time)
        }
    }
}
