import Foundation

/// P1: how many records a second go into a new database, 200 in a request, each request on disk before its
/// answer.
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
        var raw = Samples()
        var peer = Samples()
        for _ in 0..<lab.runs {
            report.value.add(try lab.withFolder { try cloudlet(records, folder: $0) })
            raw.add(try lab.withFolder { try self.raw(records, folder: $0) })
            if let binary = lab.pocketbase {
                peer.add(try lab.withFolder { try self.peer(records, binary: binary, folder: $0) })
            }
        }
        report.unit = "records/s"
        report.baselines = [.init(name: "raw", samples: raw, unit: "records/s")]
        if let reason = lab.peerReason {
            report.skipped["peer"] = reason
        } else {
            report.baselines.append(.init(name: "peer", samples: peer, unit: "records/s"))
        }
        report.targets = ["raw": .ratio(0.6), "peer": .ratio(3)]
        report.parameters = [
            "\(count) records", "\(batch) a request", "\(connections) connections",
            "\(records[0].fieldsJSON.utf8.count) bytes of fields, 4 queryable", "every commit flushed",
            "seed \(lab.seed)",
        ]
        report.notes = ["the peer flushes no commit"]
        return report
    }

    private func cloudlet(_ records: [SampleRecord], folder: URL) throws -> Double {
        let server = try CloudletSubject(data: folder)
        defer { server.stop() }
        // The first save makes the type, which is no part of the work.
        _ = try server.client(connections: 1).call(server.creation(of: records.prefix(1), prefix: "first"))
        let requests = stride(from: 0, to: records.count, by: batch).map {
            server.creation(of: records[$0..<min($0 + batch, records.count)], prefix: "run")
        }
        let load = try server.client(connections: connections).run(
            count: requests.count, check: CloudletSubject.checkRecords, request: { requests[$0] }
        )
        return Double(records.count) / load.seconds
    }

    private func raw(_ records: [SampleRecord], folder: URL) throws -> Double {
        let store = try RawStore(folder: folder)
        let stopwatch = Stopwatch()
        for start in stride(from: 0, to: records.count, by: batch) {
            try store.save(records[start..<min(start + batch, records.count)])
        }
        return Double(records.count) / stopwatch.seconds
    }

    private func peer(_ records: [SampleRecord], binary: String, folder: URL) throws -> Double {
        let server = try PeerSubject(binary: binary, folder: folder)
        defer { server.stop() }
        let requests = stride(from: 0, to: records.count, by: batch).map {
            server.creation(of: records[$0..<min($0 + batch, records.count)])
        }
        let load = try server.client(connections: connections).run(count: requests.count) { requests[$0] }
        return Double(records.count) / load.seconds
    }
}
