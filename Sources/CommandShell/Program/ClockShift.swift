public import Foundation
import Synchronization

/// The time by which a command has moved the clock of a shell forward.
public final class ClockShift: Sendable {
    private let total = Mutex<TimeInterval>(0)

    /// Creates a shift of zero.
    public init() {}

    /// The shift in seconds.
    public var seconds: TimeInterval { total.withLock { $0 } }

    /// The shift in words, such as `7d` or `1d 2h`; nil if there is none.
    public var text: String? { Self.text(seconds: Int(seconds)) }

    /// A number of seconds as people write it, such as `7d` or `1h 30m`; nil for none.
    public static func text(seconds: Int) -> String? {
        var rest = seconds
        let parts = [(86_400, "d"), (3600, "h"), (60, "m"), (1, "s")].compactMap { length, unit -> String? in
            let count = rest / length
            rest %= length
            return count > 0 ? "\(count)\(unit)" : nil
        }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// Adds to the shift.
    public func advance(bySeconds seconds: TimeInterval) {
        total.withLock { $0 += seconds }
    }

    /// Returns a clock that is ahead of another one by this shift.
    public func shifting(_ clock: @escaping @Sendable () -> Date) -> @Sendable () -> Date {
        { clock().addingTimeInterval(self.seconds) }
    }
}
