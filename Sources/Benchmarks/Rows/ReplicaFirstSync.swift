import CloudSync
import Cloudlet
import Foundation
import GRDB
import LocalReplica
import Records

/// P10: applied records per second in a device's first sync. The server's responses are in memory, so this
/// measures the client alone, from the response bytes to the replica on disk.
struct ReplicaFirstSync: BenchmarkRow {
    static let name = "P10"
    static let title = "replica applying a first sync, decoding included"

    let lab: Lab
    private let zone = "Bench"
    /// The number of records per response.
    private let page = Limits().recordsPerResponse

    init(lab: Lab) {
        self.lab = lab
    }

    func run() async throws -> RowReport {
        let count = lab.scaled(100_000, by: page)
        var report = RowReport(Self.self)
        report.unit = "records/s"
        report.targets = ["raw": .ratio(0.8)]
        let recording = try await lab.recordFirstSync(of: count, in: zone) { transport, token in
            _ = try await sync(transport, token: token, into: lab.newFolder(), expecting: count)
        }
        var raw = Samples()
        for _ in 0..<lab.runs {
            let folder = try lab.newFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let transport = recording.replay
            report.value.add(Double(count) / (try await sync(transport, into: folder, expecting: count)))
            raw.add(Double(count) / (try insert(count, rowsOf: folder)))
        }
        report.baselines = [.init(name: "raw", samples: raw, unit: "records/s")]
        report.parameters = [
            "\(count) records", "pages of \(page) as the server sends them", "every page flushed",
            "seed \(lab.seed)",
        ]
        report.notes = [
            "raw is the rows of that replica written by prepared statements, a transaction a page; "
                + "it decodes nothing"
        ]
        return report
    }

    /// Syncs a new replica. Returns the elapsed seconds.
    private func sync(
        _ transport: any CloudTransport, token: String = "any", into folder: URL, expecting count: Int
    ) async throws -> Double {
        let container = lab.container(transport, token: token)
        let replica = try LocalReplica(folder: folder)
        var configuration = SyncConfiguration(zones: [zone], now: { Date() }, pause: { _ in })
        configuration.subscribes = false
        let sync = CloudSync(container: container, replica: replica, configuration: configuration)
        let stopwatch = Stopwatch()
        try await sync.waitUntilIdle()
        let seconds = stopwatch.seconds
        let held = try await replica.read { try $0.records(ofType: SampleRecord.type, in: zone).count }
        guard held == count else { throw BenchmarkError("the replica has \(held) of \(count) records") }
        try replica.close()
        return seconds
    }

    /// Writes the rows of a replica again with `RawWriter`. Returns the elapsed seconds.
    private func insert(_ count: Int, rowsOf folder: URL) throws -> Double {
        let replica = try LocalReplica.open(folder.appendingPathComponent("replica.sqlite"))
        let rows = try replica.read { database in
            // The order in which the pages arrived: record names are numbered, and each page is sorted by
            // name.
            try WrittenRows(
                database, items: count, order: "CAST(substr(name, 6) AS INTEGER) / \(page), name")
        }
        try replica.close()
        let raw = try LocalReplica.open(folder.appendingPathComponent("raw.sqlite"))
        let seconds = try RawWriter(rows, into: raw).saveAll(count, batch: page)
        try raw.close()
        return seconds
    }
}
