import Foundation
import Records

/// P9: upload and download of the largest assets that the server accepts, eight at once, in constant memory.
struct AssetTransfer: BenchmarkRow {
    static let name = "P9"
    static let title = "assets of \(largestAsset >> 20) MB up and down, 8 at once, constant memory"

    /// The server's default limit.
    private static let largestAsset = Int(Limits().assetBytes)

    let lab: Lab
    private let connections = 8

    init(lab: Lab) {
        self.lab = lab
    }

    /// The rates in megabytes per second.
    private struct Rates {
        var up = Samples()
        var down = Samples()
        var both = Samples()

        mutating func add(up: Double, down: Double, bytes: Int) {
            self.up.add(Double(bytes) / up / 1e6)
            self.down.add(Double(bytes) / down / 1e6)
            both.add(Double(2 * bytes) / (up + down) / 1e6)
        }
    }

    func run() throws -> RowReport {
        let size = min(lab.scaled(Self.largestAsset), Self.largestAsset)
        let filler = [UInt8](repeating: 0, count: max(0, size - AssetJob.saltLength))
        var (rates, wireRates) = (Rates(), Rates())
        var growth = Samples()
        try lab.withFolder { folder in
            let server = try CloudletSubject(data: folder)
            defer { server.stop() }
            for run in 0..<lab.runs {
                try measure(server, filler, run, &rates, &growth)
                try lab.withFolder { folder in
                    let wire = try WireSubject(folder: folder)
                    defer { wire.stop() }
                    try measure(wire, filler, run, &wireRates)
                }
            }
        }
        return report(filler.count + AssetJob.saltLength, rates, wireRates, growth)
    }

    private func report(_ size: Int, _ rates: Rates, _ wire: Rates, _ growth: Samples) -> RowReport {
        var report = RowReport(Self.self)
        report.value = rates.both
        report.unit = "MB/s"
        report.figures = [
            .init(name: "up", samples: rates.up, unit: "MB/s"),
            .init(name: "down", samples: rates.down, unit: "MB/s"),
            .init(name: "wire up", samples: wire.up, unit: "MB/s"),
            .init(name: "wire down", samples: wire.down, unit: "MB/s"),
            .init(name: "memory", samples: growth, unit: "MB"),
        ]
        report.baselines = [.init(name: "wire", samples: wire.both, unit: "MB/s")]
        report.targets = ["wire": .ratio(0.7), "memory": .limit(64)]
        report.parameters = [
            "\(size) bytes a file", "\(connections) at once", "uploads flushed to disk", "seed \(lab.seed)",
        ]
        report.notes = [
            "wire hashes each file, writes and flushes it, and reads it from the disk",
            "memory is the growth of the process at its peak; "
                + "eight whole files would be \(8 * size / 1_000_000) MB",
        ]
        return report
    }

    private func measure(
        _ server: CloudletSubject, _ filler: [UInt8], _ run: Int, _ rates: inout Rates,
        _ growth: inout Samples
    ) throws {
        let before = server.process.residentBytes
        let job = AssetJob(server: server, count: connections, run: run)
        let urls = try job.uploadURLs()
        let salts = (0..<connections).map { AssetJob.salt(run: run, number: $0, seed: lab.seed) }
        var receipts: [Data] = []
        let up = Stopwatch()
        let client = server.client(connections: connections)
        _ = try client.run(count: connections, keepsBodies: true, check: { receipts.append(Data($0)) }) {
            number in
            LoadRequest("POST", urls[number], body: [salts[number], filler])
        }
        let upSeconds = up.seconds
        let downloads = try job.save(receipts: receipts)
        let down = Stopwatch()
        let load = try client.run(count: connections) { LoadRequest("GET", downloads[$0]) }
        let bytes = connections * (filler.count + AssetJob.saltLength)
        guard load.bytes == bytes else {
            throw BenchmarkError("the server returned \(load.bytes) bytes instead of \(bytes)")
        }
        rates.add(up: upSeconds, down: down.seconds, bytes: bytes)
        if let before, let peak = server.process.peakResidentBytes { growth.add(Double(peak - before) / 1e6) }
    }

    private func measure(
        _ server: WireSubject, _ filler: [UInt8], _ run: Int, _ rates: inout Rates
    ) throws {
        let client = server.client(connections: connections)
        let salts = (0..<connections).map { AssetJob.salt(run: run, number: $0, seed: lab.seed) }
        let up = try client.run(count: connections) { number in
            server.upload("file-\(number)", body: [salts[number], filler])
        }
        let down = try client.run(count: connections) { server.download("file-\($0)") }
        let bytes = connections * (filler.count + AssetJob.saltLength)
        guard down.bytes == bytes else {
            throw BenchmarkError("the server returned \(down.bytes) bytes instead of \(bytes)")
        }
        rates.add(up: up.seconds, down: down.seconds, bytes: bytes)
    }
}
