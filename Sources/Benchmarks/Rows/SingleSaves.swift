import Foundation

/// P2: saves per second with one record per request, from many clients at once.
struct SingleSaves: BenchmarkRow {
    static let name = "P2"
    static let title = "single saves over HTTP, durable"

    let lab: Lab
    private let connections = 32

    init(lab: Lab) {
        self.lab = lab
    }

    func run() throws -> RowReport {
        let count = lab.scaled(20_000)
        let records = (0..<count).map { SampleRecord(number: $0, seed: lab.seed) }
        var report = RowReport(Self.self)
        report.unit = "saves/s"
        var (slow, unlimited, raw, peer) = (Samples(), Samples(), Samples(), Samples())
        for _ in 0..<lab.runs {
            for limits in lab.limits {
                try lab.withFolder { folder in
                    let (load, file) = try cloudlet(records, limits, folder: folder)
                    guard limits == lab.limits[0] else { return unlimited.add(load.rate) }
                    report.value.add(load.rate)
                    slow.add(load.latencies.quantile(0.99) / 1000)
                    raw.add(
                        Double(count)
                            / (try RawWriter.seconds(writing: file, items: count, batch: 1, in: folder)))
                }
            }
            try lab.withPeer { server in
                guard let server else { return }
                peer.add(try self.peer(records, server))
                report.note(server.differences)
            }
        }
        report.figures = [.init(name: "p99", samples: slow, unit: "ms")]
        if !unlimited.values.isEmpty {
            report.figures.append(.init(name: "no limits", samples: unlimited, unit: "saves/s"))
        }
        report.baselines = [.init(name: "raw", samples: raw, unit: "saves/s")]
        report.addPeer(peer, absent: lab.peerReason)
        report.targets = ["peer": .ratio(3)]
        report.parameters = [
            "\(count) records", "1 a request", "\(connections) connections", "every commit flushed",
            "seed \(lab.seed)",
        ]
        report.note("raw is one writer that flushes after each record; the server may flush once for several")
        return report
    }

    private func cloudlet(
        _ records: [SampleRecord], _ limits: CloudletProgram.Limits, folder: URL
    ) throws -> (load: LoadResult, file: URL) {
        try CloudletSubject.serving(folder, limits: limits) { server in
            // The first save creates the tables of the type and is not measured.
            _ = try server.client(connections: 1).call(
                server.creation(of: records.prefix(1), prefix: "first"))
            let requests = records.map {
                server.creation(of: CollectionOfOne($0), prefix: "run", person: $0.number)
            }
            let load = try server.client(connections: connections).run(
                count: requests.count, check: CloudletSubject.checkRecords, request: { requests[$0] }
            )
            return (load, try server.file(of: .public))
        }
    }

    private func peer(_ records: [SampleRecord], _ server: PeerSubject) throws -> Double {
        let requests = records.map { server.creation(of: $0) }
        return try server.client(connections: connections).run(count: requests.count) { requests[$0] }.rate
    }
}
