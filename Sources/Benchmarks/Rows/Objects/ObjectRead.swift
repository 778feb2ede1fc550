import Cloudlet
import Foundation
import MirroredStore

/// P21: the time in which an app reads an object of its mirrored store, compared with a look-up of the same
/// object's record on a server. The server is on this machine, so no network slows the look-up down.
struct ObjectRead: BenchmarkRow {
    static let name = "P21"
    static let title = "an object read from the mirrored store on the device"

    let lab: Lab

    init(lab: Lab) {
        self.lab = lab
    }

    func run() async throws -> RowReport {
        let (objects, reads) = (lab.scaled(10_000, by: 100), lab.scaled(1000))
        var report = RowReport(Self.self)
        report.unit = "µs"
        var (remote, factor) = (Samples(), Samples())
        for _ in 0..<lab.runs {
            let data = try lab.newFolder()
            defer { try? FileManager.default.removeItem(at: data) }
            let server = try CloudletSubject(data: data, limits: .none)
            defer { server.stop() }
            let (local, served) = try await measure(server, objects: objects, reads: reads)
            report.value.add(local.median)
            remote.add(served.median)
            factor.add(local.median / served.median)
        }
        report.baselines = [.init(name: "remote", samples: remote, unit: "µs")]
        report.figures = [.init(name: "of remote", samples: factor, unit: "times")]
        report.targets = ["of remote": .limit(0.5)]
        report.parameters = [
            "\(reads) reads one after the other", "\(objects) objects", "one device over HTTP",
            "seed \(lab.seed)",
        ]
        report.notes = ["remote is CKDatabase.record(for:) of the same object over the loopback interface"]
        return report
    }

    /// Fills a store and its server. Returns the times of reads from the store, and of look-ups on the
    /// server.
    private func measure(
        _ server: CloudletSubject, objects: Int, reads: Int
    ) async throws -> (local: Samples, remote: Samples) {
        let folder = try lab.newFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try server.container(of: "reader")
        let store = try lab.objectStore(folder, container)
        let seed = lab.seed
        var names: [MirroredObject.ID] = []
        for start in stride(from: 0, to: objects, by: 100) {
            names += try await store.write { writer in
                try (start..<start + 100).map { number in
                    var item = try writer.make("Item")
                    try item.set("title", to: SampleRecord(number: number, seed: seed).title)
                    try writer.save(item)
                    return item.id
                }
            }
        }
        try await store.mirror()
        let zone = CKRecordZone.ID(zoneName: SampleObject.zone)
        var (local, remote) = (Samples(), Samples())
        for number in 0..<reads {
            // The step has no common divisor with the count, so that neighbours are not read in turn.
            let id = names[number * 7919 % names.count]
            var stopwatch = Stopwatch()
            let object = try await store.read { try $0.object(id) }
            local.add(stopwatch.microseconds)
            stopwatch = Stopwatch()
            let record = try await container.privateCloudDatabase.record(
                for: CKRecord.ID(recordName: id.name, zoneID: zone))
            remote.add(stopwatch.microseconds)
            guard object?.get("title", as: String.self) == record["CD_title"] as? String else {
                throw BenchmarkError("\(id.name) differs between store and server")
            }
        }
        try store.close()
        return (local, remote)
    }
}
