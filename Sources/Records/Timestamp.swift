/// A point in time in milliseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// The number of milliseconds; negative before 1970.
    public var milliseconds: Int64

    /// The point in time this number of milliseconds after the start of 1970.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Whether `a` is earlier than `b`.
    public static func < (a: Timestamp, b: Timestamp) -> Bool {
        a.milliseconds < b.milliseconds
    }

    /// The point in time `seconds` later, or earlier if negative, clamped to the range of timestamps.
    public func advanced(bySeconds seconds: Int64) -> Timestamp {
        let (product, isBeyond) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, isTooFar) = milliseconds.addingReportingOverflow(product)
        if isBeyond || isTooFar { return Timestamp(milliseconds: seconds < 0 ? .min : .max) }
        return Timestamp(milliseconds: sum)
    }
}
