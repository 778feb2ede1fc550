/// One benchmark with its targets.
protocol BenchmarkRow: SendableMetatype {
    static var name: String { get }
    static var title: String { get }

    init(lab: Lab)

    /// Runs the measurement.
    ///
    /// - Throws: `RowSkipped` if it cannot be measured here.
    func run() async throws -> RowReport
}
