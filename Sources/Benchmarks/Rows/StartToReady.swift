import Foundation

/// P7: the time from the start of `cloudlet serve` until it prints `ready`, on an empty and on a full folder,
/// and its memory when idle.
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
            empty.add(try lab.withFolder { try start(on: $0) })
        }
        try lab.withFolder { folder in
            try lab.fill(folder) { try $0.fill(records, seed: lab.seed) }
            for _ in 0..<max(lab.runs, 5) {
                report.value.add(try start(on: folder))
            }
            for _ in 0..<lab.runs {
                if let megabytes = try residentWhenIdle(on: folder) { resident.add(megabytes) }
            }
        }
        report.unit = "ms"
        report.figures = [
            .init(name: "empty", samples: empty, unit: "ms"),
            .init(name: "full", samples: report.value, unit: "ms"),
        ]
        if resident.values.isEmpty {
            report.skipped["resident"] = "the system does not report the memory of a process"
        } else {
            report.figures.append(.init(name: "resident", samples: resident, unit: "MB"))
        }
        report.targets = ["empty": .limit(30), "full": .limit(30), "resident": .limit(32)]
        report.parameters = [
            "cloudlet serve with its default settings", "\(records) records in the full folder",
            "seed \(lab.seed)",
        ]
        report.notes = [
            "the time begins before the process exists; files are in the system's cache",
            "resident is the memory of the process on the full folder, a second after it was ready",
        ]
        return report
    }

    private func start(on folder: URL) throws -> Double {
        let process = try CloudletProgram.serve(folder, .shipped, isOpen: false)
        defer { process.stop() }
        return process.secondsToReady * 1000
    }

    /// The resident memory of an idle server in megabytes.
    private func residentWhenIdle(on folder: URL) throws -> Double? {
        let process = try CloudletProgram.serve(folder, .shipped, isOpen: false)
        defer { process.stop() }
        Thread.sleep(forTimeInterval: 1)
        return process.residentBytes.map { Double($0) / 1_000_000 }
    }
}
