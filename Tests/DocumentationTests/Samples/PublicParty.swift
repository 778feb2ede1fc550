import CloudKit
import CloudletTesting
import Testing

@Test func aPartyIsPublic() async throws {
    let world = try await CloudletWorld.start()
    let alice = try await world.container("iCloud.com.example.parties", as: "alice", on: "phone")
    let party = CKRecord(recordType: "Party")
    party["name"] = "Coffee"
    try await alice.publicCloudDatabase.save(party)
    await world.stop()
}
