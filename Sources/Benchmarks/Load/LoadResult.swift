/// Counts and times of a load's requests.
struct LoadResult {
    var seconds = 0.0
    var requests = 0
    /// The number of body bytes received.
    var bytes = 0
    /// The latency of each request in microseconds.
    var latencies = Samples()

    var rate: Double { Double(requests) / seconds }
}
