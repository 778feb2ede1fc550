package import Records

/// Keeps counts by minute, hour, day, week and month.
package protocol TelemetryStore: Sendable {
    /// Adds the counts of minutes to all periods that contain them, all or nothing, and removes the periods
    /// that are older than `TelemetryPeriod.kept` says.
    func add(_ minutes: [TelemetryMinute]) async throws

    /// The counts of the periods from `first` to `last`, by number.
    func counts(
        _ question: TelemetryQuery, from first: Int64, to last: Int64
    ) async throws -> [TelemetryRow]

    /// How many distinct people each of these periods had, by the number of the period. Only days and longer
    /// periods are kept.
    func people(
        _ question: TelemetryQuery, from first: Int64, to last: Int64
    ) async throws -> [Int64: DistinctCount]

    /// Removes everything about a container.
    func remove(_ container: String) async throws

    func close() async
}

/// The counts of a key in a period.
package struct TelemetryRow: Hashable, Sendable {
    /// The number of the period.
    package var number: Int64
    package var key: TelemetryKey
    package var counts: TelemetryCounts

    package init(number: Int64, key: TelemetryKey, counts: TelemetryCounts) {
        self.number = number
        self.key = key
        self.counts = counts
    }
}
