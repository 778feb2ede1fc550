import Foundation

/// P7: from the start of the process to its announcement, on an empty folder and on a full one, and its
/// memory then.
struct StartToReady: BenchmarkRow {
    static let name = "P7"
    static let title = "start to ready, and memory when idle"

    let lab: Lab

    init(lab: Lab) {
        self.lab = lab
    }

    func run() throws -> RowReport {
        let records = lab.scaled(1_000_000, by: 200)
        var empty = Samples()
        var resident = Samples()
        var report = RowReport(Self.self)
        for _ in 0..<max(lab.runs, 5) {
            empty.add(try lab.withFolder { try start(on: $0).seconds * 1000 })
        }
        try lab.withFolder { folder in
            let server = try CloudletSubject(data: folder)
            defer { server.stop() }
            try server.fill(records, seed: lab.seed)
            server.stop()
            for _ in 0..<max(lab.runs, 5) {
                let (seconds, bytes) = try start(on: folder)
                report.value.add(seconds * 1000)
                if let bytes { resident.add(Double(bytes) / 1_000_000) }
            }
        }
        report.unit = "ms"
        report.figures = [
            .init(name: "empty", samples: empty, unit: "ms"),
            .init(name: "full", samples: report.value, unit: "ms"),
        ]
        if resident.values.isEmpty {
            report.skipped["resident"] = "the system does not tell the memory of a process"
        } else {
            report.figures.append(.init(name: "resident", samples: resident, unit: "MB"))
        }
        report.targets = ["empty": .limit(50), "full": .limit(50), "resident": .limit(40)]
        report.parameters = ["\(records) records in the full folder", "seed \(lab.seed)"]
        report.notes = ["the time begins before the process exists; files are in the system's cache"]
        return report
    }

    private func start(on folder: URL) throws -> (seconds: Double, bytes: Int?) {
        let process = try ChildProcess(arguments: ["serve-cloudlet", "--data", folder.path])
        defer { process.stop() }
        return (process.secondsToReady, process.residentBytes)
    }
}
