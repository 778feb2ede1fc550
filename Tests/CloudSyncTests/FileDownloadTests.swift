import Cloudlet
import Foundation
import LocalReplica
import Synchronization
import Testing

@testable import CloudSync
@testable import TestKit

@Suite("Files that a sync downloads", .timeLimit(.minutes(30)))
struct FileDownloadTests {
    @Test("A device downloads none of the files that it has sent")
    func ownFiles() async throws {
        let phone = try await SyncWorld.device(of: "ownfiles", "phone")
        let traffic = try Traffic(of: phone)
        try await phone.saveBill("bill", photos: ["own a", "own b"])
        try await phone.sync.waitUntilIdle()
        try await phone.sync.waitUntilIdle()
        #expect(traffic.counts == [2, 0])
    }

    @Test("A file on this device is not downloaded again when another device changes its record")
    func changedRecord() async throws {
        let (phone, tablet) = try await SyncWorld.pair("changedbill")
        try await phone.saveBill("bill", photos: ["a photo of a bill"])
        try await phone.sync.waitUntilIdle()
        let first = try Traffic(of: tablet)
        try await tablet.sync.waitUntilIdle()
        #expect(first.counts == [0, 1])
        try await phone.replica.write { writer in
            let id = RecordID(name: "bill", zone: "Notes")
            guard var bill = try writer.reader.record(id) else { return }
            bill[field: "title"] = .string("chairs")
            try writer.save(bill)
        }
        try await phone.sync.waitUntilIdle()
        let (next, second) = try Self.restarted(tablet)
        try await next.waitUntilIdle()
        let found = try await tablet.replica.read { try $0.record(RecordID(name: "bill", zone: "Notes")) }
        let bill = try #require(found)
        #expect(bill[field: "title"] == .string("chairs"))
        #expect(second.counts == [0, 0])
    }

    @Test("After a cancelled download, the next fetch downloads only the missing files")
    func cancelled() async throws {
        let (phone, tablet) = try await SyncWorld.pair("cancelledphoto")
        for name in ["a", "b", "c", "d"] { try await phone.saveBill(name, photos: ["cancelled \(name)"]) }
        try await phone.sync.waitUntilIdle()
        let first = try Traffic(of: tablet) { if $0 == 3 { throw CancellationError() } }
        await #expect(throws: CancellationError.self) { try await tablet.sync.waitUntilIdle() }
        #expect(first.counts == [0, 4])
        let (next, second) = try Self.restarted(tablet)
        try await next.waitUntilIdle()
        #expect(second.counts == [0, 1])
        #expect(try await tablet.replica.recordsWithMissingFiles() == [:])
    }

    @Test("Only the download that failed is repeated")
    func failed() async throws {
        let (phone, tablet) = try await SyncWorld.pair("failedphoto")
        for name in ["a", "b", "c", "d"] { try await phone.saveBill(name, photos: ["failed \(name)"]) }
        try await phone.sync.waitUntilIdle()
        let traffic = try Traffic(of: tablet) { if $0 == 2 { throw CloudTransportError.timedOut } }
        try await tablet.sync.waitUntilIdle()
        #expect(traffic.counts == [0, 5])
        #expect(try await tablet.replica.recordsWithMissingFiles() == [:])
    }

    @Test("Of ten files of a record, only the one that is missing on the device is downloaded")
    func oneOfTen() async throws {
        let (phone, tablet) = try await SyncWorld.pair("oneoften")
        let assets = try await phone.saveBill("bill", photos: (0..<10).map { "one of ten: \($0)" })
        try await phone.sync.waitUntilIdle()
        try await tablet.sync.waitUntilIdle()
        try #require(tablet.replica.file(of: assets[4])).remove()
        let (next, traffic) = try Self.restarted(tablet)
        try await next.waitUntilIdle()
        #expect(traffic.counts == [0, 1])
        let file = try #require(tablet.replica.file(of: assets[4]))
        #expect(try Data(contentsOf: file) == Data("one of ten: 4".utf8))
    }

    @Test("An edit that is made during downloads is sent between two groups of files")
    func editMeanwhile() async throws {
        let (phone, tablet) = try await SyncWorld.pair("editmeanwhile")
        for number in 0..<60 { try await phone.saveBill("b\(number)", photos: ["meanwhile \(number)"]) }
        try await phone.sync.waitUntilIdle()
        let traffic = try Traffic(of: tablet)
        let isFirst = Mutex(true)
        let downloads = Mutex<Int?>(nil)
        tablet.link.hook = { target in
            if target.contains("records/modify") { downloads.withLock { $0 = $0 ?? traffic.counts[1] } }
            guard target.contains("/assets/") else { return }
            let mustWrite = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if mustWrite { try await tablet.write("text", to: "n") }
        }
        try await tablet.sync.waitUntilIdle()
        #expect(try await tablet.pending() == [])
        #expect(try await tablet.replica.recordsWithMissingFiles() == [:])
        #expect(traffic.counts == [0, 60])
        // Files are downloaded for 32 records at a time: one answer has room for 32 of the maximum size.
        #expect(downloads.withLock(\.self) == 32)
    }

    /// A sync of the device's replica in another process, without the temporary files of this one.
    private static func restarted(_ device: Device) throws -> (CloudSync, Traffic) {
        let traffic = try Traffic(of: device)
        var connection = device.container.connection
        connection.assetFolder = device.files.appendingPathComponent("downloads")
        let container = CKContainer(identifier: SyncWorld.container, connection: connection)
        let sync = CloudSync(
            container: container, replica: device.replica, configuration: device.sync.configuration)
        return (sync, traffic)
    }
}

/// Counts the files that a device sends and downloads.
private final class Traffic: CloudTransport {
    private let base: any CloudTransport
    private let moved = Mutex((up: 0, down: 0))
    private let beforeDownload: @Sendable (Int) throws -> Void

    /// - Parameter beforeDownload: Called with the number of each download; it can make the download fail.
    init(of device: Device, _ beforeDownload: @escaping @Sendable (Int) throws -> Void = { _ in }) throws {
        base = try #require(device.link.base)
        self.beforeDownload = beforeDownload
        device.link.base = self
    }

    /// The number of files sent, and of downloads.
    var counts: [Int] { moved.withLock { [$0.up, $0.down] } }

    func send(_ request: CloudRequest) async throws -> CloudResponse {
        if case .file = request.body { moved.withLock { $0.up += 1 } }
        if request.saveTo != nil {
            let number = moved.withLock { moved in
                moved.down += 1
                return moved.down
            }
            try beforeDownload(number)
        }
        return try await base.send(request)
    }
}
