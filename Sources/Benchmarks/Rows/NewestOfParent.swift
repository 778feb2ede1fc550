// Owns the row of queries.

import Foundation

/// P3: how many pages a second of "the newest 20 that refer to this parent", among 100,000 records.
struct NewestOfParent: BenchmarkRow {
    static let name = "P3"
    static let title = "query: reference equality, newest first"

    let lab: Lab
    private let connections = 32
    private let limit = 20

    init(lab: Lab) {
        self.lab = lab
    }

    func run() throws -> RowReport {
        let records = lab.scaled(100_000, by: 200)
        let queries = lab.scaled(10_000)
        var report = RowReport(Self.self)
        var answerBytes = 0
        var slow = Samples()
        try lab.withFolder { folder in
            let server = try CloudletSubject(data: folder)
            defer { server.stop() }
            try server.fill(records, seed: lab.seed)
            for run in 0..<lab.runs {
                let load = try self.load(server.client(connections: connections), queries, run) {
                    server.newest(of: $0, limit: limit)
                }
                report.value.add(load.rate)
                slow.add(load.latencies.quantile(0.99) / 1000)
                answerBytes = load.bytes / load.requests
            }
        }
        report.unit = "queries/s"
        report.figures = [.init(name: "p99", samples: slow, unit: "ms")]
        report.baselines = [
            .init(name: "wire", samples: try wire(queries, answer: answerBytes), unit: "queries/s")
        ]
        if let binary = lab.pocketbase {
            let peer = try lab.withFolder { try self.peer(records, queries, binary: binary, folder: $0) }
            report.baselines.append(.init(name: "peer", samples: peer, unit: "queries/s"))
        } else {
            report.skipped["peer"] = lab.peerReason
        }
        report.targets = ["wire": .ratio(0.4), "peer": .ratio(8)]
        report.parameters = [
            "\(limit) of \(records) records", "\(SampleRecord.parents) parents", "\(queries) queries",
            "\(connections) connections", "\(answerBytes) bytes an answer", "seed \(lab.seed)",
        ]
        return report
    }

    private func load(
        _ client: LoadClient, _ count: Int, _ run: Int, request: (String) -> LoadRequest
    ) throws -> LoadResult {
        var dice = Dice(seed: lab.seed &+ UInt64(run))
        let variants = (0..<SampleRecord.parents).map { request(SampleRecord.parentName($0)) }
        let order = (0..<count).map { _ in dice.roll(variants.count) }
        return try client.run(count: count) { variants[order[$0]] }
    }

    private func wire(_ queries: Int, answer: Int) throws -> Samples {
        let server = try WireSubject()
        defer { server.stop() }
        let question = [UInt8](repeating: UInt8(ascii: "x"), count: 320)
        var samples = Samples()
        for run in 0..<lab.runs {
            let load = try self.load(server.client(connections: connections), queries, run) { _ in
                server.exchange(body: [question], answer: answer)
            }
            samples.add(load.rate)
        }
        return samples
    }

    private func peer(_ records: Int, _ queries: Int, binary: String, folder: URL) throws -> Samples {
        let server = try PeerSubject(binary: binary, data: folder)
        defer { server.stop() }
        try server.fill(records, seed: lab.seed)
        var samples = Samples()
        for run in 0..<lab.runs {
            let load = try self.load(server.client(connections: connections), queries / 4, run) {
                server.newest(of: $0, limit: limit)
            }
            samples.add(load.rate)
        }
        return samples
    }
}
