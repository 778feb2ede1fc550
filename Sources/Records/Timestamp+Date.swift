public import Foundation

extension Timestamp {
    /// Rounds a date to milliseconds. Dates out of range become the nearest limit, and NaN becomes the latest
    /// timestamp.
    public init(_ date: Date, rounded rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(rule)
        self.init(milliseconds: Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max))
    }

    /// The timestamp as a `Date`.
    public var date: Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
