import Cloudlet
import CloudletTesting
import Foundation
import Testing

@Suite("Purges and resets with a server")
struct PersonalDataTests {
    private static let zone = CKRecordZone.ID(zoneName: "Notes")

    /// Runs the body after Alice has removed a zone in her settings, with her tablet's change token from
    /// before.
    private func withRemovedZone(
        _ reason: CKDatabase.DatabaseChange.Deletion.Reason,
        _ body: (Fixture, CKDatabase, CKServerChangeToken) async throws -> Void
    ) async throws {
        try await withFixture { fixture in
            try await fixture.alice.privateCloudDatabase.save(CKRecordZone(zoneID: Self.zone))
            try await fixture.alice.privateCloudDatabase.save(party("a", zone: Self.zone))
            let tablet = fixture.tablet.privateCloudDatabase
            let token = try await tablet.databaseChanges(since: nil).changeToken
            try await fixture.alice.connection.removeZones(
                [Self.zone], because: reason, inContainer: Fixture.containerName)
            try await body(fixture, tablet, token)
        }
    }

    @Test(
        "The database feed reports the reason",
        arguments: [
            CKDatabase.DatabaseChange.Deletion.Reason.purged, .encryptedDataReset,
        ])
    func feed(reason: CKDatabase.DatabaseChange.Deletion.Reason) async throws {
        try await withRemovedZone(reason) { _, tablet, token in
            let page = try await tablet.databaseChanges(since: token)
            #expect(page.modifications == [])
            #expect(page.deletions.map(\.zoneID) == [Self.zone])
            #expect(page.deletions.map(\.reason) == [reason])
        }
    }

    @Test("The operation calls the block of the reason")
    func blocks() async throws {
        for reason in [CKDatabase.DatabaseChange.Deletion.Reason.purged, .encryptedDataReset] {
            try await withRemovedZone(reason) { _, tablet, token in
                let log = Log()
                let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: token)
                operation.database = tablet
                operation.recordZoneWithIDWasDeletedBlock = { log.add("deleted \($0.zoneName)") }
                operation.recordZoneWithIDWasPurgedBlock = { log.add("purged \($0.zoneName)") }
                operation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock = {
                    log.add("encryptedDataReset \($0.zoneName)")
                }
                await operation.run()
                #expect(log.all == ["\(reason) Notes"])
            }
        }
    }

    @Test("After a purge, using the zone fails with userDeletedZone until the zone is created again")
    func purged() async throws {
        try await withRemovedZone(.purged) { _, tablet, _ in
            #expect(await code { try await tablet.save(party("b", zone: Self.zone)) } == .userDeletedZone)
            let id = party("a", zone: Self.zone).recordID
            #expect(await code { _ = try await tablet.record(for: id) } == .userDeletedZone)
            #expect(await code { _ = try await tablet.recordZone(for: Self.zone) } == .userDeletedZone)
            #expect(
                await code { _ = try await tablet.recordZoneChanges(inZoneWith: Self.zone, since: nil) }
                    == .userDeletedZone)
            try await tablet.save(CKRecordZone(zoneID: Self.zone))
            try await tablet.save(party("b", zone: Self.zone))
        }
    }

    @Test("After a reset, using the zone fails with zoneNotFound, and the user info has the reason")
    func reset() async throws {
        try await withRemovedZone(.encryptedDataReset) { _, tablet, _ in
            for body in [
                { try await tablet.save(party("b", zone: Self.zone)) as Any },
                { try await tablet.record(for: party("a", zone: Self.zone).recordID) as Any },
                { try await tablet.recordZone(for: Self.zone) as Any },
            ] {
                let thrown = await #expect(throws: CKError.self) { try await body() }
                let error = try #require(thrown)
                #expect(error.code == .zoneNotFound)
                #expect(error.userInfo[CKErrorUserDidResetEncryptedDataKey] as? NSNumber == true)
            }
            let never = CKRecordZone.ID(zoneName: "Never")
            let thrown = await #expect(throws: CKError.self) { try await tablet.recordZone(for: never) }
            #expect(try #require(thrown).userInfo[CKErrorUserDidResetEncryptedDataKey] == nil)
        }
    }
}
