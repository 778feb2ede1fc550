import CloudletTesting

/// P17: the time to start and stop a test's own world.
struct WorldStartStop: BenchmarkRow {
    static let name = "P17"
    static let title = "a test world started and stopped"

    let lab: Lab

    init(lab: Lab) {
        self.lab = lab
    }

    func run() async throws -> RowReport {
        let count = lab.scaled(200)
        var report = RowReport(Self.self)
        var slow = Samples()
        for _ in 0..<lab.runs {
            var times = Samples()
            for _ in 0..<count {
                let stopwatch = Stopwatch()
                let world = try await CloudletWorld.start()
                await world.stop()
                times.add(stopwatch.seconds * 1000)
            }
            report.value.add(times.median)
            slow.add(times.quantile(0.99))
        }
        report.unit = "ms"
        report.figures = [
            .init(name: "world", samples: report.value, unit: "ms"),
            .init(name: "p99", samples: slow, unit: "ms"),
        ]
        report.targets = ["world": .limit(10)]
        report.parameters = ["\(count) worlds one after the other", "in process", "a temporary folder each"]
        return report
    }
}
