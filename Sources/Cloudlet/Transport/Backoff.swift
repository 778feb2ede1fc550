/// The wait between connection attempts in seconds: 1 after the first failure, doubled after each further
/// one, 60 at most.
struct Backoff: Hashable, Sendable {
    private var failures = 0

    /// Resets the wait after a successful connection.
    mutating func connected() {
        failures = 0
    }

    /// Returns the seconds to wait after a failed or ended attempt, and doubles the next wait.
    mutating func next() -> Int {
        failures = min(failures + 1, 7)
        return min(60, 1 << (failures - 1))
    }
}
