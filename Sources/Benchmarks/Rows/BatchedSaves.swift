import Foundation

/// P1: saved records per second into a new database, 200 per request. Each request is on disk before its
/// response.
struct BatchedSaves: BenchmarkRow {
    static let name = "P1"
    static let title = "batched saves over HTTP, durable"

    let lab: Lab
    private let batch = 200
    private let connections = 4

    init(lab: Lab) {
        self.lab = lab
    }

    func run() throws -> RowReport {
        let count = lab.scaled(20_000, by: batch)
        let records = (0..<count).map { SampleRecord(number: $0, seed: lab.seed) }
        var report = RowReport(Self.self)
        report.unit = "records/s"
        var (unlimited, raw, peer) = (Samples(), Samples(), Samples())
        for _ in 0..<lab.runs {
            for limits in lab.limits {
                try lab.withFolder { folder in
                    let (rate, file) = try cloudlet(records, limits, folder: folder)
                    guard limits == lab.limits[0] else { return unlimited.add(rate) }
                    report.value.add(rate)
                    let seconds = try RawWriter.seconds(
                        writing: file, items: count, batch: batch, in: folder)
                    raw.add(Double(count) / seconds)
                }
            }
            try lab.withPeer { server in
                guard let server else { return }
                peer.add(try self.peer(records, server))
                report.note(server.differences)
            }
        }
        if !unlimited.values.isEmpty {
            report.figures = [.init(name: "no limits", samples: unlimited, unit: "records/s")]
        }
        report.baselines = [.init(name: "raw", samples: raw, unit: "records/s")]
        report.addPeer(peer, absent: lab.peerReason)
        report.targets = ["raw": .ratio(0.9), "peer": .ratio(6)]
        report.parameters = [
            "\(count) records", "\(batch) a request", "\(connections) connections",
            "\(records[0].fieldsJSON.utf8.count) bytes of fields, 4 queryable", "every commit flushed",
            "seed \(lab.seed)",
        ]
        report.note("raw writes the same rows into the same tables and indexes, one transaction a request")
        return report
    }

    private func cloudlet(
        _ records: [SampleRecord], _ limits: CloudletProgram.Limits, folder: URL
    ) throws -> (rate: Double, file: URL) {
        try CloudletSubject.serving(folder, limits: limits) { server in
            // The first save creates the tables of the type and is not measured.
            _ = try server.client(connections: 1).call(
                server.creation(of: records.prefix(1), prefix: "first"))
            let requests = stride(from: 0, to: records.count, by: batch).map {
                server.creation(
                    of: records[$0..<min($0 + batch, records.count)], prefix: "run", person: $0 / batch)
            }
            let load = try server.client(connections: connections).run(
                count: requests.count, check: CloudletSubject.checkRecords, request: { requests[$0] }
            )
            return (Double(records.count) / load.seconds, try server.file(of: .public))
        }
    }

    private func peer(_ records: [SampleRecord], _ server: PeerSubject) throws -> Double {
        let requests = stride(from: 0, to: records.count, by: batch).map {
            server.creation(of: records[$0..<min($0 + batch, records.count)])
        }
        let load = try server.client(connections: connections).run(count: requests.count) { requests[$0] }
        return Double(records.count) / load.seconds
    }
}
