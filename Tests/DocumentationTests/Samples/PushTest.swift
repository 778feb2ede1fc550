import CloudKit
import CloudletTesting
import Testing

@Test func bobIsToldOfANewParty() async throws {
    let app = "iCloud.com.example.parties"
    let world = try await CloudletWorld.start()
    let alice = try await world.container(app, as: "alice", on: "phone").publicCloudDatabase
    // The subscription needs the record type, which the first save creates.
    try await alice.save(CKRecord(recordType: "Party"))
    let bob = try await world.listening("bob", on: "phone", app)
    let subscription = CKQuerySubscription(
        recordType: "Party", predicate: NSPredicate(value: true), subscriptionID: "parties",
        options: .firesOnRecordCreation)
    try await bob.container.publicCloudDatabase.save(subscription)
    let party = try await alice.save(CKRecord(recordType: "Party"))
    let push = await bob.next() as? CKQueryNotification
    #expect(push?.recordID == party.recordID)
    await bob.stop()
    await world.stop()
}
