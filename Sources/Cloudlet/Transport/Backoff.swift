/// Seconds between attempts: one at first, twice as many after each that failed, never more than a minute.
struct Backoff: Hashable, Sendable {
    private var failures = 0

    /// The connection stood: the next wait is short again.
    mutating func connected() {
        failures = 0
    }

    /// The wait after an attempt that ended.
    mutating func next() -> Int {
        failures = min(failures + 1, 7)
        return min(60, 1 << (failures - 1))
    }
}
