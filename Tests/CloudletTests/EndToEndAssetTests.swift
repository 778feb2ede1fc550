import Cloudlet
import CloudletServer
import CloudletTesting
import Foundation
import Testing

@testable import TestKit

@Suite("Assets with a server")
struct EndToEndAssetTests {
    /// Bytes that do not repeat, the same in every run.
    private static func bytes(_ count: Int) -> Data {
        var generator = SeededNumbers(seed: 7)
        var data = Data(capacity: count + 8)
        while data.count < count {
            withUnsafeBytes(of: generator.next()) { data.append(contentsOf: $0) }
        }
        return data.prefix(count)
    }

    @Test("A file is downloaded unchanged, and only if its field is fetched", arguments: [false, true])
    func roundTrip(overSocket: Bool) async throws {
        let world = try await CloudletWorld.start(port: overSocket ? 0 : nil)
        do {
            try await checkDownloads(world, overSocket: overSocket)
        } catch {
            await world.stop()
            throw error
        }
        await world.stop()
    }

    private func checkDownloads(_ world: CloudletWorld, overSocket: Bool) async throws {
        var connection = try await world.connection(of: "alice", on: "phone")
        if overSocket { connection.transport = HTTPTransport(url: try #require(world.server.url)) }
        let database = CKContainer(identifier: "iCloud.test", connection: connection).publicCloudDatabase
        let folder = world.server.dataFolder
        let photo = Self.bytes(3_000_000)
        let thumbnail = Self.bytes(1000)
        try photo.write(to: folder.appendingPathComponent("photo"))
        try thumbnail.write(to: folder.appendingPathComponent("thumbnail"))
        let record = CKRecord(recordType: "Photo", recordID: CKRecord.ID(recordName: "a"))
        record["photo"] = CKAsset(fileURL: folder.appendingPathComponent("photo"))
        record["thumbnails"] = [CKAsset(fileURL: folder.appendingPathComponent("thumbnail"))]
        try await database.save(record)
        let copy = try await database.record(for: record.recordID)
        let file = try #require((copy["photo"] as? CKAsset)?.fileURL)
        #expect(try Data(contentsOf: file) == photo)
        #expect(file.path.hasPrefix(connection.assetFolder.path))
        let list = try #require(copy["thumbnails"] as? [CKAsset])
        #expect(try list.map { try Data(contentsOf: try #require($0.fileURL)) } == [thumbnail])
        let before = try FileManager.default.contentsOfDirectory(atPath: connection.assetFolder.path).count
        _ = try await database.records(for: [record.recordID], desiredKeys: [])
        let after = try FileManager.default.contentsOfDirectory(atPath: connection.assetFolder.path).count
        #expect(before == after)
        copy["title"] = "unchanged photo"
        try await database.save(copy)
        let again = try await database.record(for: record.recordID)
        #expect(try Data(contentsOf: try #require((again["photo"] as? CKAsset)?.fileURL)) == photo)
    }

    @Test("If no server listens at the address, a call fails at once with networkUnavailable")
    func unreachable() async throws {
        let port = try RefusingPort()
        let container = CKContainer(identifier: "iCloud.test", connection: CloudConnection(url: port.url))
        let error = await #expect(throws: CKError.self) {
            try await container.publicCloudDatabase.record(for: CKRecord.ID(recordName: "a"))
        }
        #expect(error?.code == .networkUnavailable)
        withExtendedLifetime(port) {}
    }

    @Test("If no server is configured, the error names the variable to set")
    func unconfigured() async throws {
        let transport = CloudConnection.default.transport
        let connection = CloudConnection(transport: transport)
        guard ProcessInfo.processInfo.environment["CLOUDLET_URL"] == nil else { return }
        let container = CKContainer(identifier: "iCloud.test", connection: connection)
        let error = await #expect(throws: CKError.self) {
            try await container.publicCloudDatabase.record(for: CKRecord.ID(recordName: "a"))
        }
        #expect(error?.code == .badContainer)
        #expect(error?.localizedDescription.contains("CLOUDLET_URL") == true)
    }
}
