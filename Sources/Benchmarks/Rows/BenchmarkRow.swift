/// One line of the table of targets.
protocol BenchmarkRow: SendableMetatype {
    static var name: String { get }
    static var title: String { get }

    init(lab: Lab)

    /// Measures.
    ///
    /// - Throws: `RowSkipped` when it cannot be measured here.
    func run() async throws -> RowReport
}
