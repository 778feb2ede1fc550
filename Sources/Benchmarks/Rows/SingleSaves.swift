import Foundation

/// P2: how many saves a second, one record in a request, from many clients at once.
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
        var raw = Samples()
        var peer = Samples()
        var slow = Samples()
        for _ in 0..<lab.runs {
            let load = try lab.withFolder { try cloudlet(records, folder: $0) }
            report.value.add(load.rate)
            slow.add(load.latencies.quantile(0.99) / 1000)
            raw.add(try lab.withFolder { try self.raw(records, folder: $0) })
            if let binary = lab.pocketbase {
                peer.add(try lab.withFolder { try self.peer(records, binary: binary, folder: $0) })
            }
        }
        report.unit = "saves/s"
        report.figures = [.init(name: "p99", samples: slow, unit: "ms")]
        report.baselines = [.init(name: "raw", samples: raw, unit: "saves/s")]
        if let reason = lab.peerReason {
            report.skipped["peer"] = reason
        } else {
            report.baselines.append(.init(name: "peer", samples: peer, unit: "saves/s"))
        }
        report.targets = ["peer": .ratio(4)]
        report.parameters = [
            "\(count) records", "1 a request", "\(connections) connections", "every commit flushed",
            "seed \(lab.seed)",
        ]
        report.notes = ["raw is one writer with one flush a record; the peer flushes no commit"]
        return report
    }

    private func cloudlet(_ records: [SampleRecord], folder: URL) throws -> LoadResult {
        let server = try CloudletSubject(data: folder)
        defer { server.stop() }
        _ = try server.client(connections: 1).call(server.creation(of: records.prefix(1), prefix: "first"))
        let requests = records.map { server.creation(of: CollectionOfOne($0), prefix: "run") }
        return try server.client(connections: connections).run(
            count: requests.count, check: CloudletSubject.checkRecords, request: { requests[$0] }
        )
    }

    private func raw(_ records: [SampleRecord], folder: URL) throws -> Double {
        let store = try RawStore(folder: folder)
        let stopwatch = Stopwatch()
        for place in records.indices { try store.save(records[place...place]) }
        return Double(records.count) / stopwatch.seconds
    }

    private func peer(_ records: [SampleRecord], binary: String, folder: URL) throws -> Double {
        let server = try PeerSubject(binary: binary, folder: folder)
        defer { server.stop() }
        let requests = records.map { server.creation(of: $0) }
        return try server.client(connections: connections).run(count: requests.count) { requests[$0] }.rate
    }
}
