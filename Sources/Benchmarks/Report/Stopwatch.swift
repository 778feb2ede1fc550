/// Measures the time since its initialization.
struct Stopwatch {
    private let start = ContinuousClock.now

    var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }
    var microseconds: Double { seconds * 1_000_000 }
}
