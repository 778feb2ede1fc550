import Foundation
import Synchronization

/// Decides which time to use after the system's clock was set.
///
/// A server deletes tombstones, ends sessions and stamps records by the clock. None of this can be undone, so
/// a step of more than a day takes effect only after it has lasted for two hours. Until then, time continues
/// as before the step, so a clock that is wrong for an hour and then corrected has no effect. Smaller steps
/// take effect immediately.
struct ClockSteps: Sendable {
    /// The difference between clock and uptime when the clock was last trusted, in seconds.
    private(set) var offset: Double
    /// A step that is not trusted yet, with the uptime at which it was first seen.
    private var pendingStep: (offset: Double, since: Double)?

    static let largestStep = 86_400.0
    static let confirmationSeconds = 7_200.0

    /// The trusted difference between clock and uptime in seconds; NaN while a step is pending. A clock near
    /// this difference can be trusted without calling `time`.
    var settled: Double { pendingStep == nil ? offset : .nan }

    init(wall: Double, uptime: Double) {
        offset = wall - uptime
    }

    /// Whether a change of the difference by this many seconds is small enough to take effect immediately.
    static func isSmall(_ step: Double) -> Bool { abs(step) <= largestStep }

    /// The time to use, in seconds since 1970.
    mutating func time(wall: Double, uptime: Double) -> Double {
        let present = wall - uptime
        if Self.isSmall(present - offset) {
            pendingStep = nil
            return wall
        }
        if let pendingStep, Self.isSmall(present - pendingStep.offset) {
            if uptime - pendingStep.since >= Self.confirmationSeconds {
                offset = present
                self.pendingStep = nil
                return wall
            }
        } else {
            pendingStep = (present, uptime)
        }
        return uptime + offset
    }
}

/// A clock that follows a large step of the system's clock only after the step has lasted.
final class SteadyClock: Sendable {
    private let wall: @Sendable () -> Date
    private let uptime: @Sendable () -> Duration
    private let steps: Mutex<ClockSteps>
    /// The bit pattern of `ClockSteps.settled`, readable without the lock.
    private let settled: Atomic<UInt64>

    /// - Parameters:
    ///   - wall: The system's clock, which may be set.
    ///   - uptime: A monotonic time, which cannot be set.
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
