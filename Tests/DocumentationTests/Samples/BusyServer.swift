import CloudKit
import CloudletServer
import CloudletTesting
import Testing

@Test func aBusyServerSaysWhenToTryAgain() async throws {
    let world = try await CloudletWorld.start()
    let phone = try await world.container("iCloud.com.example.parties", as: "alice", on: "phone")
    let party = CKRecord(recordType: "Party")
    world.server.faults.add(Fault(.rateLimited, device: "phone", count: 1, seconds: 20))
    let error = await #expect(throws: CKError.self) { try await phone.privateCloudDatabase.save(party) }
    #expect(error?.code == .requestRateLimited)
    #expect(error?.retryAfterSeconds == 20)
    world.clock.advance(bySeconds: 20)
    try await phone.privateCloudDatabase.save(party)
    await world.stop()
}
