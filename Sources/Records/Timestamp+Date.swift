public import Foundation

extension Timestamp {
    /// A date in whole milliseconds, for every date there is: one beyond the range becomes the end of the
    /// range, and one that is not a number becomes the latest.
    public init(_ date: Date, rounded rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(rule)
        self.init(milliseconds: Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max))
    }

    /// The moment as a date.
    public var date: Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
