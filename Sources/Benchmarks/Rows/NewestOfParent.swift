import Foundation
import Records

/// P3: queries per second. Each query returns the newest 20 records that refer to one parent, among 100,000
/// records.
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
        var report = RowReport(Self.self)
        report.unit = "queries/s"
        report.targets = ["wire": .ratio(0.35), "peer": .ratio(6)]
        report.skipped["peer"] = lab.peerReason
        report.note(
            "the peer counts all matches, as its client library requests; uncounted: without the count")
        try lab.withFolder { folder in
            try lab.fill(folder) { try $0.fill(records, seed: lab.seed) }
            let wire = try WireSubject(folder: folder)
            defer { wire.stop() }
            try lab.withPeer { peer in
                try peer?.fill(records, seed: lab.seed)
                try CloudletSubject.serving(folder, limits: lab.limits[0]) { server in
                    try measure(server, wire, peer, records, &report)
                }
            }
            guard lab.limits.count > 1 else { return }
            try CloudletSubject.serving(folder, limits: .none) { server in
                var rates = Samples()
                for run in 0..<lab.runs { rates.add(try load(of: server, run).rate) }
                report.figures.append(.init(name: "no limits", samples: rates, unit: "queries/s"))
            }
        }
        return report
    }

    private func measure(
        _ server: CloudletSubject,
        _ wire: WireSubject,
        _ peer: PeerSubject?,
        _ records: Int,
        _ report: inout RowReport
    ) throws {
        let question = [UInt8](repeating: UInt8(ascii: "x"), count: 320)
        var (slow, wireRates, peerRates, uncounted) = (Samples(), Samples(), Samples(), Samples())
        var answer = 0
        for run in 0..<lab.runs {
            let load = try load(of: server, run)
            report.value.add(load.rate)
            slow.add(load.latencies.quantile(0.99) / 1000)
            answer = load.bytes / load.requests
            let floor = try self.load(wire.client(connections: connections), queries, run) { _, _ in
                wire.exchange(body: [question], answer: answer)
            }
            wireRates.add(floor.rate)
            guard let peer else { continue }
            peerRates.add(try rate(of: peer, queries / 4, run, counts: true))
            uncounted.add(try rate(of: peer, queries / 4, run, counts: false))
        }
        report.figures = [.init(name: "p99", samples: slow, unit: "ms")]
        report.baselines = [.init(name: "wire", samples: wireRates, unit: "queries/s")]
        if let peer {
            report.baselines.append(.init(name: "peer", samples: peerRates, unit: "queries/s"))
            report.baselines.append(.init(name: "uncounted", samples: uncounted, unit: "queries/s"))
            report.note(peer.differences)
        }
        report.parameters = [
            "\(limit) of \(records) records", "\(SampleRecord.parents) parents", "\(queries) queries",
            "\(connections) connections", "\(answer) bytes an answer", "seed \(lab.seed)",
        ]
    }

    private var queries: Int { lab.scaled(10_000) }

    func load(of server: CloudletSubject, _ run: Int) throws -> LoadResult {
        try load(server.client(connections: connections), queries, run) {
            server.newest(of: $1, limit: limit, person: $0)
        }
    }

    private func rate(of peer: PeerSubject, _ count: Int, _ run: Int, counts: Bool) throws -> Double {
        try load(peer.client(connections: connections), count, run) {
            peer.newest(of: $1, limit: limit, counts: counts)
        }.rate
    }

    private func load(
        _ client: LoadClient, _ count: Int, _ run: Int,
        request: (_ number: Int, _ parent: String) -> LoadRequest
    ) throws -> LoadResult {
        var random = SplitMix64(seed: lab.seed &+ UInt64(run))
        let variants = (0..<SampleRecord.parents).map { request($0, SampleRecord.parentName($0)) }
        let order = (0..<count).map { _ in random.below(variants.count) }
        return try client.run(count: count) { variants[order[$0]] }
    }
}
