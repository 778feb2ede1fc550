import CloudKit
import CloudletTesting
import Testing

@Test func aPartyIsOnBothDevices() async throws {
    let world = try await CloudletWorld.start()
    let phone = try await world.container("iCloud.com.example.parties", as: "alice", on: "phone")
    let tablet = try await world.container("iCloud.com.example.parties", as: "alice", on: "tablet")
    let party = CKRecord(recordType: "Party")
    party["name"] = "Coffee"
    let saved = try await phone.privateCloudDatabase.save(party)
    let copy = try await tablet.privateCloudDatabase.record(for: saved.recordID)
    #expect(copy["name"] == "Coffee")
    await world.stop()
}
