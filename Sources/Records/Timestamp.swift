// Owns the one unit of time that is stored and sent.

/// Milliseconds since 1970-01-01T00:00:00Z (web services sheet 3.1).
package struct Timestamp: Hashable, Comparable, Sendable {
    package var milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package static func < (a: Timestamp, b: Timestamp) -> Bool {
        a.milliseconds < b.milliseconds
    }

    /// So many seconds later (earlier, if negative), or the end of the range if that lies beyond it.
    package func advanced(bySeconds seconds: Int64) -> Timestamp {
        let (product, isBeyond) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, isTooFar) = milliseconds.addingReportingOverflow(product)
        if isBeyond || isTooFar { return Timestamp(milliseconds: seconds < 0 ? .min : .max) }
        return Timestamp(milliseconds: sum)
    }
}
