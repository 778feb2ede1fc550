/// P19: the queries of P3 per second on a server that counts its requests, against one that does not.
struct CountedQueries: BenchmarkRow {
    static let name = "P19"
    static let title = "query: with and without telemetry"

    let lab: Lab

    init(lab: Lab) {
        self.lab = lab
    }

    func run() throws -> RowReport {
        let records = lab.scaled(100_000, by: 200)
        var report = RowReport(Self.self)
        report.unit = "queries/s"
        // Counting costs at most 2 %.
        report.targets = ["uncounted": .ratio(0.98)]
        let queries = NewestOfParent(lab: lab)
        var uncounted = Samples()
        try lab.withFolder { folder in
            try lab.fill(folder) { try $0.fill(records, seed: lab.seed) }
            for run in 0..<lab.runs {
                // The order alternates, so that a machine that becomes slower affects both measurements.
                for isCounted in run % 2 == 0 ? [true, false] : [false, true] {
                    let rate = try CloudletSubject.serving(
                        folder, limits: lab.limits[0], countsRequests: isCounted
                    ) { server in
                        // The first queries fill the caches.
                        _ = try queries.load(of: server, run)
                        return try queries.load(of: server, run).rate
                    }
                    if isCounted { report.value.add(rate) } else { uncounted.add(rate) }
                }
            }
        }
        report.baselines = [.init(name: "uncounted", samples: uncounted, unit: "queries/s")]
        report.parameters = ["as P3", "\(records) records", "seed \(lab.seed)"]
        return report
    }
}
