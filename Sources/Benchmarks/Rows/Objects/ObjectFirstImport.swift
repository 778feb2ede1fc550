import Cloudlet
import Foundation
import GRDB
import LocalReplica
import MirroredStore
import Records

/// P13: objects per second that a mirrored store imports in a device's first sync. The server's responses are
/// in memory, so this measures the client alone, from the response bytes to the tables of the objects on
/// disk.
struct ObjectFirstImport: BenchmarkRow {
    static let name = "P13"
    static let title = "mirrored store importing a first sync as objects, decoding included"

    let lab: Lab
    /// The number of records per response.
    private let page = Limits().recordsPerResponse

    init(lab: Lab) {
        self.lab = lab
    }

    func run() async throws -> RowReport {
        let count = lab.scaled(100_000, by: page)
        var report = RowReport(Self.self)
        report.unit = "objects/s"
        report.targets = ["raw": .ratio(0.5)]
        let recording = try await lab.recordFirstSync(fillingWith: fill(count)) { transport, token in
            _ = try await mirror(transport, token: token, into: lab.newFolder(), expecting: count)
        }
        var raw = Samples()
        for _ in 0..<lab.runs {
            let folder = try lab.newFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let seconds = try await mirror(recording.replay, into: folder, expecting: count)
            report.value.add(Double(count) / seconds)
            raw.add(Double(count) / (try insert(count, rowsOf: folder)))
        }
        report.baselines = [.init(name: "raw", samples: raw, unit: "objects/s")]
        report.parameters = [
            "\(count) objects, \(parents(of: count)) of them parents of the others",
            "pages of \(page) as the server sends them", "every page flushed", "seed \(lab.seed)",
        ]
        report.notes = [
            "raw is the rows of that store written by prepared statements in the order of their keys, a "
                + "transaction a page: records, objects and history; it decodes nothing"
        ]
        return report
    }

    private func parents(of count: Int) -> Int { max(1, count / 100) }

    private func fill(_ count: Int) -> (CloudletSubject) throws -> Void {
        let (parents, seed, batch) = (parents(of: count), lab.seed, 200)
        return { server in
            try server.makeZone(SampleObject.zone)
            _ = try server.client(connections: 4).run(
                count: (count + batch - 1) / batch, check: CloudletSubject.checkRecords
            ) { number in
                let operations = (number * batch..<min(count, (number + 1) * batch)).map {
                    SampleObject.creation($0, parents: parents, seed: seed)
                }
                let body = """
                    {"zoneID":{"zoneName":"\(SampleObject.zone)"},\
                    "operations":[\(operations.joined(separator: ","))]}
                    """
                return server.request(.private, "records/modify", json: body)
            }
        }
    }

    /// Mirrors a new store. Returns the elapsed seconds.
    private func mirror(
        _ transport: any CloudTransport, token: String = "any", into folder: URL, expecting count: Int
    ) async throws -> Double {
        let store = try lab.objectStore(folder, lab.container(transport, token: token))
        let stopwatch = Stopwatch()
        try await store.mirror()
        let seconds = stopwatch.seconds
        let held = try await store.read { try $0.objects("Item").count + $0.objects("Parent").count }
        guard held == count else { throw BenchmarkError("the store has \(held) of \(count) objects") }
        try store.close()
        return seconds
    }

    /// Writes the rows of a store again with `RawWriter`. Returns the elapsed seconds.
    private func insert(_ count: Int, rowsOf folder: URL) throws -> Double {
        let written = try LocalReplica.open(folder.appendingPathComponent("replica.sqlite"))
        // There are few parents, and they are in another table.
        let rows = try written.read { try WrittenRows($0, items: count - parents(of: count)) }
        try written.close()
        let raw = try LocalReplica.open(folder.appendingPathComponent("raw.sqlite"))
        let seconds = try RawWriter(rows, into: raw).saveAll(count - parents(of: count), batch: page)
        try raw.close()
        return seconds
    }
}

extension Lab {
    /// Opens a mirrored store of sample objects.
    func objectStore(
        _ folder: URL, _ container: CKContainer, subscribes: Bool = false
    ) throws -> MirroredStore {
        var settings = MirroredStore.Settings(
            now: { Date() }, newName: { UUID().uuidString },
            pause: { try await Task.sleep(for: $0) })
        settings.subscribes = subscribes
        return try MirroredStore(
            folder: folder, layout: try SampleObject.layout(), container: container, settings: settings)
    }
}
