/// P8: the factor by which the time per item of P1 to P4 grows with ten times the data.
struct TenfoldData: BenchmarkRow {
    static let name = "P8"
    static let title = "time per item with ten times the data"

    let lab: Lab
    private static let rows: [any BenchmarkRow.Type] = [
        BatchedSaves.self, SingleSaves.self, NewestOfParent.self, DeltaDownload.self,
    ]

    init(lab: Lab) {
        self.lab = lab
    }

    func run() async throws -> RowReport {
        var report = RowReport(Self.self)
        report.unit = "times"
        for row in Self.rows {
            let few = try await row.init(lab: lab.times(1)).run()
            let many = try await row.init(lab: lab.times(10)).run()
            let growth = Self.growth(few.value, many.value)
            report.figures.append(.init(name: row.name, samples: growth, unit: "times"))
            report.parameters.append("\(row.name): \(many.parameters.first ?? "")")
            guard let before = few.baselines.first, let after = many.baselines.first else { continue }
            let floor = Self.growth(before.samples, after.samples)
            report.figures.append(.init(name: "\(row.name) \(before.name)", samples: floor, unit: "times"))
            guard row == BatchedSaves.self else { continue }
            // With more data, every design writes more index pages. So the growth of P1 is divided by the
            // growth of its baseline.
            let share = Samples(values: zip(growth.values, floor.values).map { $0 / $1 })
            report.figures.append(.init(name: "P1 of raw", samples: share, unit: "times"))
        }
        report.targets = [
            "P1 of raw": .limit(1), "P2": .limit(1.1), "P3": .limit(1.1), "P4": .limit(1.1),
        ]
        for run in 0..<lab.runs {
            let counted = report.figures.filter { report.targets[$0.name] != nil }
            report.value.add(counted.compactMap { $0.samples.values.dropFirst(run).first }.max() ?? 0)
        }
        report.parameters.append("against a tenth of each, seed \(lab.seed)")
        report.notes = [
            "the value is the worst of the four, P1 as a share of what raw takes longer",
            "measured without request limits and quota: a person may not send that much at once",
        ]
        return report
    }

    /// The factor between both measurements, run by run.
    private static func growth(_ few: Samples, _ many: Samples) -> Samples {
        Samples(values: zip(few.values, many.values).map { $0 / $1 })
    }
}
