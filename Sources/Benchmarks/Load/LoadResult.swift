/// Counts and times of the requests of one load.
struct LoadResult {
    var seconds = 0.0
    var requests = 0
    /// Of bodies received.
    var bytes = 0
    /// Of each request, in microseconds.
    var latencies = Samples()

    var rate: Double { Double(requests) / seconds }
}
