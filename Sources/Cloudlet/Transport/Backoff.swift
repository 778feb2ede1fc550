/// The wait between attempts in seconds: 1 after the first failure, doubled after each further one, up to a
/// maximum.
package struct Backoff: Hashable, Sendable {
    private let longest: Int
    private var failures = 0

    /// Creates the state before the first failure.
    ///
    /// - Parameter longest: the longest wait in seconds.
    package init(longest: Int = 60) {
        self.longest = longest
    }

    /// The wait after a number of failures in a row.
    package static func seconds(after failures: Int, longest: Int) -> Int {
        min(longest, 1 << min(max(0, failures - 1), 30))
    }

    /// Resets the wait after a successful attempt.
    package mutating func connected() {
        failures = 0
    }

    /// Returns the seconds to wait after a failed or ended attempt, and doubles the next wait.
    package mutating func next() -> Int {
        failures = min(failures + 1, 31)
        return Self.seconds(after: failures, longest: longest)
    }
}
