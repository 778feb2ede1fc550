/// P8: how much longer an item of P1 to P4 takes with ten times the data.
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
            let growth = Samples(values: [few.value.median / many.value.median])
            report.figures.append(.init(name: row.name, samples: growth, unit: "times"))
            report.targets[row.name] = .limit(1.3)
            report.parameters.append("\(row.name): \(many.parameters.first ?? "")")
            guard let before = few.baselines.first, let after = many.baselines.first else { continue }
            let floor = Samples(values: [before.samples.median / after.samples.median])
            report.figures.append(.init(name: "\(row.name) \(before.name)", samples: floor, unit: "times"))
        }
        let worst = report.figures.filter { report.targets[$0.name] != nil }.map(\.samples.median).max()
        report.value.add(worst ?? 0)
        report.parameters.append("against a tenth of each, seed \(lab.seed)")
        report.notes = ["the value is the worst of the four; the baselines grow as well"]
        return report
    }
}
