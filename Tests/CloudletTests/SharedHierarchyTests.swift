// Tests which records a share covers, and what its people may do with them.

import CloudKit
import CloudletTesting
import Foundation
import Testing

@testable import Cloudlet

@Suite("The hierarchy of a share and its people", .timeLimit(.minutes(30)))
struct SharedHierarchyTests {
    private static let zone = CKRecordZone.ID(zoneName: "Notes")

    private func note(_ name: String, under parent: CKRecord? = nil) -> CKRecord {
        let record = party(name, zone: Self.zone)
        if let parent { record.setParent(parent) }
        return record
    }

    /// The ID of Alice's record for other people.
    private func id(_ name: String, _ fixture: Fixture) async throws -> CKRecord.ID {
        let owner = try await fixture.alice.userRecordID().recordName
        return CKRecord.ID(
            recordName: name, zoneID: CKRecordZone.ID(zoneName: Self.zone.zoneName, ownerName: owner))
    }

    /// Saves a record, and throws its error.
    private func save(_ record: CKRecord, in database: CKDatabase) async throws {
        _ = try await database.save(record)
    }

    @Test("Parents that are set before sharing make the hierarchy, and all of it is shared (N54, N55)")
    func before() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            _ = try await database.save(CKRecordZone(zoneID: Self.zone))
            let root = note("root")
            let child = note("child", under: root)
            let grandchild = note("grandchild", under: child)
            let records = [root, child, grandchild, note("beside")]
            let (saves, _) = try await database.modifyRecords(saving: records, deleting: [])
            for (_, result) in saves { _ = try result.get() }
            let stored = try await database.record(for: grandchild.recordID)
            #expect(stored.parent?.recordID == child.recordID)
            #expect(stored.share == nil)
            try await fixture.world.share(root, of: fixture.alice, with: [fixture.bob])
            try await save(note("late", under: grandchild), in: database)
            let shared = fixture.bob.sharedCloudDatabase
            for name in ["root", "child", "grandchild", "late"] {
                let found = try await shared.record(for: try await id(name, fixture))
                #expect(found["name"] as? String == name)
            }
            let beside = try await id("beside", fixture)
            #expect(await code { _ = try await shared.record(for: beside) } == .unknownItem)
        }
    }

    @Test("Owner and participant edit one copy, in the owner's database (N44, N56)")
    func oneCopy() async throws {
        try await withFixture { fixture in
            let root = note("root")
            try await fixture.world.share(root, of: fixture.alice, with: [fixture.bob])
            let (own, shared) = (fixture.alice.privateCloudDatabase, fixture.bob.sharedCloudDatabase)
            let theirs = try await shared.record(for: try await id("root", fixture))
            theirs["name"] = "by bob"
            try await save(theirs, in: shared)
            let back = try await own.record(for: root.recordID)
            #expect(back["name"] == "by bob")
            back["name"] = "by alice"
            try await save(back, in: own)
            let again = try await shared.record(for: theirs.recordID)
            #expect(again["name"] == "by alice")
            let bobs = try await fixture.bob.privateCloudDatabase.allRecordZones().map(\.zoneID.zoneName)
            #expect(!bobs.contains(Self.zone.zoneName))
            try await own.deleteRecord(withID: root.recordID)
            #expect(await code { _ = try await shared.record(for: theirs.recordID) } == .zoneNotFound)
        }
    }

    @Test("Two participants who change one record meet a conflict (N57)")
    func conflict() async throws {
        try await withFixture { fixture in
            let carol = try await fixture.world.container(Fixture.containerName, as: "carol", on: "desk")
            try await fixture.world.share(note("root"), of: fixture.alice, with: [fixture.bob, carol])
            let root = try await id("root", fixture)
            let (bobs, carols) = (fixture.bob.sharedCloudDatabase, carol.sharedCloudDatabase)
            let (first, second) = (try await bobs.record(for: root), try await carols.record(for: root))
            first["name"] = "by bob"
            try await save(first, in: bobs)
            second["name"] = "by carol"
            let error = await caught { try await save(second, in: carols) }
            #expect(error?.code == .serverRecordChanged)
            let server = try #require(error?.serverRecord)
            #expect(server["name"] == "by bob")
            server["name"] = "by bob and carol"
            try await save(server, in: carols)
            let seen = try await fixture.alice.privateCloudDatabase.record(for: note("root").recordID)
            #expect(seen["name"] == "by bob and carol")
        }
    }

    @Test("A participant adds no root, and no record that only refers to the root (N59)")
    func additions() async throws {
        try await withFixture { fixture in
            try await fixture.world.share(note("root"), of: fixture.alice, with: [fixture.bob])
            let shared = fixture.bob.sharedCloudDatabase
            let root = try await id("root", fixture)
            let alone = CKRecord(recordType: "Party", recordID: try await id("alone", fixture))
            #expect(await code { try await save(alone, in: shared) } == .permissionFailure)
            let linked = CKRecord(recordType: "Party", recordID: try await id("linked", fixture))
            linked["party"] = CKRecord.Reference(recordID: root, action: .none)
            #expect(await code { try await save(linked, in: shared) } == .permissionFailure)
            linked.setParent(root)
            try await save(linked, in: shared)
            let seen = try await fixture.alice.privateCloudDatabase.record(for: note("linked").recordID)
            #expect(seen.parent?.recordID == note("root").recordID)
        }
    }

    @Test("Each invited person has a permission of their own, before and after accepting (N64, N65, N68)")
    func permissions() async throws {
        try await withFixture { fixture in
            let carol = try await fixture.world.container(Fixture.containerName, as: "carol", on: "desk")
            let database = fixture.alice.privateCloudDatabase
            let share = try await fixture.world.share(note("root"), of: fixture.alice, with: [])
            #expect(share.publicPermission == .none)
            let people: [(CKContainer, CKShare.ParticipantPermission)] = [
                (fixture.bob, .readWrite), (carol, .readOnly),
            ]
            for (person, permission) in people {
                let user = try await person.userRecordID()
                share.addParticipant(CKShareParticipant(userRecordID: user, permission: permission))
            }
            try await save(share, in: database)
            func guests() async throws -> [CKShare.Participant] {
                let found = try await database.record(for: share.recordID)
                return try #require(found as? CKShare).participants.filter { $0.role == .privateUser }
            }
            let invited = try await guests()
            #expect(invited.map(\.acceptanceStatus) == [.pending, .pending])
            #expect(invited.map(\.permission) == [.readWrite, .readOnly])
            let url = try #require(share.url)
            for (person, permission) in people {
                let joined = try await person.accept(try await person.shareMetadata(for: url))
                #expect(joined.currentUserParticipant?.acceptanceStatus == .accepted)
                #expect(joined.currentUserParticipant?.permission == permission)
                let theirs = try await person.sharedCloudDatabase.record(for: try await id("root", fixture))
                theirs["name"] = "changed"
                let refusal = await code { try await save(theirs, in: person.sharedCloudDatabase) }
                #expect(refusal == (permission == .readWrite ? nil : .permissionFailure))
            }
            let accepted = try await guests()
            #expect(accepted.map(\.acceptanceStatus) == [.accepted, .accepted])
            #expect(accepted.map(\.permission) == [.readWrite, .readOnly])
        }
    }

    @Test("The URL leads to metadata with the share and its root, and the operation accepts it (N51, N77)")
    func operations() async throws {
        try await withFixture { fixture in
            let share = try await fixture.world.share(note("root"), of: fixture.alice, with: [])
            let user = try await fixture.bob.userRecordID()
            share.addParticipant(CKShareParticipant(userRecordID: user, permission: .readOnly))
            try await save(share, in: fixture.alice.privateCloudDatabase)
            let found = Locked<CKShare.Metadata?>(nil)
            let fetch = CKFetchShareMetadataOperation(shareURLs: [try #require(share.url)])
            fetch.shouldFetchRootRecord = true
            fetch.perShareMetadataResultBlock = { _, result in found.withLock { $0 = result.value } }
            fetch.container = fixture.bob
            await fetch.run()
            let metadata = try #require(found.current)
            let (root, own) = (
                try await id("root", fixture), try await id(share.recordID.recordName, fixture)
            )
            #expect(metadata.share.recordID == own)
            #expect(metadata.share.url == share.url)
            #expect(metadata.hierarchicalRootRecordID == root)
            #expect(metadata.rootRecord?.recordID == root)
            #expect(metadata.rootRecord?["name"] == "root")
            let log = Log()
            let accept = CKAcceptSharesOperation(shareMetadatas: [metadata])
            accept.perShareResultBlock = { _, result in
                let status = result.value?.currentUserParticipant?.acceptanceStatus
                log.add(status == .accepted ? "accepted" : "refused")
            }
            accept.acceptSharesResultBlock = { log.add("end \($0.code)") }
            accept.container = fixture.bob
            await accept.run()
            #expect(log.all == ["accepted", "end 0"])
            let theirs = try await fixture.bob.sharedCloudDatabase.record(for: root)
            #expect(theirs.share?.recordID == own)
        }
    }
}
