import Cloudlet
import CloudletServer
import CloudletTesting
import Foundation
import Testing

@Suite("A client whose quota is used up", .timeLimit(.minutes(30)))
struct QuotaTests {
    /// A world in which a person has 3 kB, and a container 3 kB of records.
    private func withSmallQuota(
        port: Int?, _ body: (_ alice: CKContainer, _ bob: CKContainer) async throws -> Void
    ) async throws {
        var limits = Limits()
        var quota = QuotaRules()
        quota.personBytes = 3000
        quota.publicRecordBytes = 3000
        quota.publicRecordBytesPerUser = 0
        quota.publicPersonPercent = 100
        limits.quota = quota
        let world = try await CloudletWorld.start(port: port, limits: limits)
        func container(_ person: String) async throws -> CKContainer {
            var connection = try await world.connection(of: person)
            if let url = world.server.url { connection.transport = HTTPTransport(url: url) }
            return CKContainer(identifier: Fixture.containerName, connection: connection)
        }
        try await body(try await container("alice"), try await container("bob"))
        await world.stop()
    }

    private func largeRecord(_ name: String) -> CKRecord {
        let record = party(name)
        record["text"] = String(repeating: "x", count: 1000)
        return record
    }

    @Test(
        "A record that exceeds the quota fails with quotaExceeded, and fits after a deletion",
        arguments: [nil, 0])
    func ownRoom(port: Int?) async throws {
        try await withSmallQuota(port: port) { alice, bob in
            let database = alice.privateCloudDatabase
            let records = (1...4).map { largeRecord("\($0)") }
            let (saves, _) = try await database.modifyRecords(
                saving: records, deleting: [], atomically: false)
            let codes = records.map { (saves[$0.recordID]?.failure as? CKError)?.code }
            #expect(codes == [nil, nil, .quotaExceeded, .quotaExceeded])
            let error = await #expect(throws: CKError.self) { try await database.save(records[2]) }
            #expect(error?.code == .quotaExceeded)
            #expect(error?.retryAfterSeconds == nil)
            try await bob.privateCloudDatabase.save(largeRecord("1"))
            try await database.deleteRecord(withID: records[0].recordID)
            try await database.save(records[2])
        }
    }

    @Test("All people share the quota of the public database", arguments: [nil, 0])
    func commonRoom(port: Int?) async throws {
        try await withSmallQuota(port: port) { alice, bob in
            try await alice.publicCloudDatabase.save(largeRecord("1"))
            try await alice.publicCloudDatabase.save(largeRecord("2"))
            let full = await code { try await bob.publicCloudDatabase.save(largeRecord("3")) }
            #expect(full == .quotaExceeded)
            try await bob.privateCloudDatabase.save(largeRecord("3"))
        }
    }
}
