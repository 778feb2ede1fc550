import Cloudlet
import Foundation
import MirroredStore
import Synchronization

/// P14: the time from an edit of an object until another device of the person shows it: local transaction,
/// save, push, fetch and import.
struct ObjectEdit: BenchmarkRow {
    static let name = "P14"
    static let title = "an edit of a mirrored object shown on another device, push included"

    let lab: Lab
    private let edits = 50
    /// The time between the moment an edit is seen and the next one, in which both devices finish their work.
    private let pause = Duration.milliseconds(50)

    init(lab: Lab) {
        self.lab = lab
    }

    func run() async throws -> RowReport {
        var report = RowReport(Self.self)
        report.unit = "ms"
        var (bare, factor) = (Samples(), Samples())
        for _ in 0..<lab.runs {
            let data = try lab.newFolder()
            defer { try? FileManager.default.removeItem(at: data) }
            let server = try CloudletSubject(data: data, limits: .none)
            defer { server.stop() }
            let plain = try await measureBare(server)
            let own = try await measureStores(server)
            report.value.add(own.median)
            bare.add(plain.median)
            factor.add(own.median / plain.median)
        }
        report.baselines = [.init(name: "bare", samples: bare, unit: "ms")]
        report.figures = [.init(name: "of bare", samples: factor, unit: "times")]
        report.targets = ["of bare": .limit(2)]
        report.parameters = [
            "\(edits) edits, each 50 ms after the one before was shown",
            "two devices of one person over HTTP",
            "edits flushed when they are made, what is received after it is shown",
        ]
        report.notes = [
            "the value is the median over all edits",
            "bare is CKDatabase.save on one device, and the push and a fetch of the zone on the other",
        ]
        return report
    }

    private func measureBare(_ server: CloudletSubject) async throws -> Samples {
        let zone = CKRecordZone.ID(zoneName: "Bare")
        let (here, there) = (
            try server.container(of: "writer").privateCloudDatabase, try server.container(of: "reader")
        )
        _ = try await here.save(CKRecordZone(zoneID: zone))
        let subscription = CKRecordZoneSubscription(zoneID: zone, subscriptionID: "bare")
        subscription.notificationInfo = CKSubscription.NotificationInfo(shouldSendContentAvailable: true)
        _ = try await there.privateCloudDatabase.save(subscription)
        var pushes = await there.pushes().makeAsyncIterator()
        var record = CKRecord(recordType: "Bare", recordID: CKRecord.ID(recordName: "edited", zoneID: zone))
        var token: CKServerChangeToken?
        var samples = Samples()
        for number in 0..<edits {
            let title = "edit \(number)"
            let stopwatch = Stopwatch()
            record["title"] = title
            record = try await here.save(record)
            var seen: String?
            while seen != title {
                guard await pushes.next() != nil else { throw BenchmarkError("the pushes have ended") }
                let page = try await there.privateCloudDatabase.recordZoneChanges(
                    inZoneWith: zone, since: token)
                token = page.changeToken
                seen = try page.modificationResultsByID[record.recordID]?.get().record["title"]
            }
            samples.add(stopwatch.seconds * 1000)
            try await Task.sleep(for: pause)
        }
        return samples
    }

    private func measureStores(_ server: CloudletSubject) async throws -> Samples {
        let folder = try lab.newFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let here = try lab.objectStore(
            folder.appendingPathComponent("writer"), try server.container(of: "writer"), subscribes: true)
        let there = try lab.objectStore(
            folder.appendingPathComponent("reader"), try server.container(of: "reader"), subscribes: true)
        let id = try await here.write { objects in
            let item = try objects.make("Item")
            try objects.save(item)
            return item.id
        }
        try await here.mirror()
        try await there.mirror()
        let samples = try await withThrowingTaskGroup(of: Void.self) { group in
            for store in [here, there] { group.addTask { try await store.run() } }
            defer { group.cancelAll() }
            var titles = there.observe { try $0.object(id)?.get("title", as: String.self) }
                .makeAsyncIterator()
            var samples = Samples()
            // The first edits wait for the connections of pushes, and are not measured.
            for number in -3..<edits {
                let title = "edit \(number)"
                let stopwatch = Stopwatch()
                try await here.write { objects in
                    guard var item = try objects.reader.object(id) else { return }
                    try item.set("title", to: title)
                    try objects.save(item)
                }
                while try await titles.next() != .some(title) {}
                if number >= 0 { samples.add(stopwatch.seconds * 1000) }
                try await Task.sleep(for: pause)
            }
            return samples
        }
        try here.close()
        try there.close()
        return samples
    }
}

extension CloudletSubject {
    /// The container of the sample, as a device of this name opens it over HTTP.
    func container(of device: String) throws -> CKContainer {
        let address = process.address
        guard let url = URL(string: "http://\(address.host):\(address.port)") else {
            throw BenchmarkError("\(address) is not an address")
        }
        var connection = CloudConnection(
            transport: HTTPTransport(url: url), apiToken: "benchmarks", webAuthToken: try signIn())
        connection.deviceName = device
        return CKContainer(identifier: Self.container, connection: connection)
    }
}
