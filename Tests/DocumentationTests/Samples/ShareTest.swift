import CloudKit
import CloudletTesting
import Testing

@Test func bobSeesThePartyThatAliceShares() async throws {
    let app = "iCloud.com.example.parties"
    let world = try await CloudletWorld.start()
    let party = CKRecord(
        recordType: "Party",
        recordID: CKRecord.ID(recordName: "p", zoneID: CKRecordZone.ID(zoneName: "Parties")))
    let (alice, bob) = try await (world.container(app, as: "alice"), world.container(app, as: "bob"))
    try await world.share(party, of: alice, with: [bob])
    let zones = try await bob.sharedCloudDatabase.allRecordZones()
    let zone = try #require(zones.first?.zoneID)
    let copy = try await bob.sharedCloudDatabase.record(for: CKRecord.ID(recordName: "p", zoneID: zone))
    #expect(copy.recordType == "Party")
    await world.stop()
}
