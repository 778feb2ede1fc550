// Tests that people share records through the client's interface.

import CloudKit
import CloudletTesting
import Foundation
import Testing

@testable import Cloudlet

@Suite("People share records", .timeLimit(.minutes(30)))
struct SharingStoryTests {
    private static let zone = CKRecordZone.ID(zoneName: "Notes")

    private func note(_ name: String, under parent: CKRecord? = nil) -> CKRecord {
        let record = party(name, zone: Self.zone)
        if let parent { record.setParent(parent) }
        return record
    }

    /// Saves a record, and throws its error.
    private func save(_ record: CKRecord, in database: CKDatabase) async throws {
        _ = try await database.save(record)
    }

    /// The ID of the record for another person: it names the owner of the zone.
    private func id(_ record: CKRecord, of owner: CKRecord.ID) -> CKRecord.ID {
        CKRecord.ID(
            recordName: record.recordID.recordName,
            zoneID: CKRecordZone.ID(zoneName: Self.zone.zoneName, ownerName: owner.recordName))
    }

    @Test("A share saved with its root has URL, title and people (N37, N41, N47, N66, N76)")
    func saved() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            _ = try await database.save(CKRecordZone(zoneID: Self.zone))
            let root = note("root")
            let share = CKShare(rootRecord: root)
            share[CKShare.SystemFieldKey.title] = "Alps"
            share[CKShare.SystemFieldKey.thumbnailImageData] = Data([1, 2, 3])
            share.addParticipant(try await fixture.alice.shareParticipant(forEmailAddress: "eve@example.com"))
            #expect(share.url == nil)
            let (saves, _) = try await database.modifyRecords(saving: [root, share], deleting: [])
            for (_, result) in saves { _ = try result.get() }
            #expect(share.url?.path.hasPrefix("/share/") == true)
            #expect(share.recordChangeTag != nil)
            #expect(share.participants.count == 2)
            #expect(share.currentUserParticipant == share.owner)
            let eve = try #require(share.participants.last)
            #expect(eve.userIdentity.lookupInfo?.emailAddress == "eve@example.com")
            #expect(eve.acceptanceStatus == .pending)
            let back = try #require(try await database.record(for: share.recordID) as? CKShare)
            #expect(back[CKShare.SystemFieldKey.title] == "Alps")
            #expect(back[CKShare.SystemFieldKey.thumbnailImageData] == Data([1, 2, 3]))
            #expect(back.url == share.url)
            #expect(back.participants == share.participants)
            let fetched = try await database.record(for: root.recordID)
            #expect(fetched.share?.recordID == share.recordID)
            #expect(fetched.recordChangeTag == root.recordChangeTag)
            let other = try await fixture.world.share(note("other"), of: fixture.alice, with: [])
            #expect(other.url != nil)
            #expect(other.url != share.url)
        }
    }

    @Test("An invited person accepts, and changes, adds and deletes records (N58)")
    func accepted() async throws {
        try await withFixture { fixture in
            let (root, line) = (
                note("root"),
                CKRecord(
                    recordType: "Party",
                    recordID: .init(
                        recordName: "line", zoneID: Self.zone))
            )
            let alice = try await fixture.alice.userRecordID()
            let share = try await fixture.world.share(root, of: fixture.alice, with: [])
            line.setParent(root)
            try await save(line, in: fixture.alice.privateCloudDatabase)
            share.addParticipant(
                CKShareParticipant(
                    userRecordID: try await fixture.bob.userRecordID(), permission: .readWrite))
            try await save(share, in: fixture.alice.privateCloudDatabase)
            let shared = fixture.bob.sharedCloudDatabase
            #expect(try await shared.allRecordZones().isEmpty)
            let operation = CKFetchShareMetadataOperation(shareURLs: [try #require(share.url)])
            operation.shouldFetchRootRecord = true
            let found = Log()
            let box = Locked<CKShare.Metadata?>(nil)
            operation.perShareMetadataResultBlock = { _, result in
                found.add("\(result.error.code)")
                box.withLock { $0 = result.value }
            }
            operation.container = fixture.bob
            await operation.run()
            let metadata = try #require(box.current)
            #expect(metadata.participantStatus == .pending)
            #expect(metadata.participantPermission == .readWrite)
            #expect(metadata.participantRole == .privateUser)
            #expect(metadata.rootRecord?["name"] == "root")
            #expect(metadata.ownerIdentity.userRecordID?.recordName == alice.recordName)
            let joined = try await fixture.bob.accept(metadata)
            #expect(joined.currentUserParticipant?.acceptanceStatus == .accepted)
            #expect(joined.recordID == id(share, of: alice))
            #expect(try await fixture.bob.accept(metadata).recordID == joined.recordID)
            #expect(try await shared.allRecordZones().map(\.zoneID.ownerName) == [alice.recordName])
            let theirs = try await shared.record(for: id(root, of: alice))
            theirs["name"] = "by bob"
            let more = CKRecord(
                recordType: "Party",
                recordID: CKRecord.ID(recordName: "more", zoneID: theirs.recordID.zoneID))
            more.setParent(theirs)
            let (saves, _) = try await shared.modifyRecords(saving: [theirs, more], deleting: [])
            for (_, result) in saves { _ = try result.get() }
            let own = try await fixture.alice.privateCloudDatabase.record(for: root.recordID)
            #expect(own["name"] == "by bob")
            #expect(own.lastModifiedUserRecordID == (try await fixture.bob.userRecordID()))
            try await shared.deleteRecord(withID: id(line, of: alice))
            #expect(
                await code { try await fixture.alice.privateCloudDatabase.record(for: line.recordID) }
                    == .unknownItem)
        }
    }

    @Test("Readers cannot write; writers cannot add or delete a root")
    func refused() async throws {
        try await withFixture { fixture in
            let root = note("root")
            let alice = try await fixture.alice.userRecordID()
            let share = try await fixture.world.share(
                root, of: fixture.alice, with: [fixture.bob], permission: .readWrite)
            let shared = fixture.bob.sharedCloudDatabase
            let zone = id(root, of: alice).zoneID
            let alone = CKRecord(recordType: "Party", recordID: .init(recordName: "alone", zoneID: zone))
            #expect(await code { try await save(alone, in: shared) } == .permissionFailure)
            #expect(
                await code { try await shared.deleteRecord(withID: id(root, of: alice)) }
                    == .permissionFailure)
            let theirs = try await shared.record(for: id(root, of: alice))
            root["name"] = "by alice"
            try await save(root, in: fixture.alice.privateCloudDatabase)
            theirs["name"] = "by bob"
            #expect(await code { try await save(theirs, in: shared) } == .serverRecordChanged)
            let bob = try #require(share.participants.last)
            bob.permission = .readOnly
            try await save(share, in: fixture.alice.privateCloudDatabase)
            let again = try await shared.record(for: id(root, of: alice))
            again["name"] = "by bob"
            #expect(await code { try await save(again, in: shared) } == .permissionFailure)
            let terms = try #require(try await shared.record(for: id(share, of: alice)) as? CKShare)
            terms.publicPermission = .readWrite
            #expect(await code { try await save(terms, in: shared) } == .permissionFailure)
        }
    }

    @Test("A person leaves, another is removed, and the share is deleted (N70, N71, N72)")
    func ended() async throws {
        try await withFixture { fixture in
            let root = note("root")
            let alice = try await fixture.alice.userRecordID()
            let carol = try await fixture.world.container(Fixture.containerName, as: "carol", on: "desk")
            let share = try await fixture.world.share(root, of: fixture.alice, with: [fixture.bob, carol])
            let url = try #require(share.url)
            try await fixture.bob.sharedCloudDatabase.deleteRecord(withID: id(share, of: alice))
            let rest = try #require(
                try await fixture.alice.privateCloudDatabase.record(for: share.recordID) as? CKShare)
            #expect(rest.participants.count == 2)
            #expect(await code { try await reads(root, fixture.bob, alice) } == .zoneNotFound)
            #expect(await code { try await reads(root, carol, alice) } == nil)
            rest.removeParticipant(try #require(rest.participants.last))
            try await save(rest, in: fixture.alice.privateCloudDatabase)
            #expect(await code { try await reads(root, carol, alice) } == .zoneNotFound)
            #expect(await code { _ = try await carol.shareMetadata(for: url) } == .permissionFailure)
            try await fixture.alice.privateCloudDatabase.deleteRecord(withID: share.recordID)
            #expect(await code { _ = try await fixture.bob.shareMetadata(for: url) } == .unknownItem)
            let own = try await fixture.alice.privateCloudDatabase.record(for: root.recordID)
            #expect(own.share == nil)
            let second = CKShare(rootRecord: own)
            let (saves, _) = try await fixture.alice.privateCloudDatabase.modifyRecords(
                saving: [own, second], deleting: [])
            for (_, result) in saves { _ = try result.get() }
            #expect(second.url == url)
        }
    }

    private func reads(_ record: CKRecord, _ person: CKContainer, _ owner: CKRecord.ID) async throws {
        _ = try await person.sharedCloudDatabase.record(for: id(record, of: owner))
    }

    @Test("A public share is open to everybody who has its URL, until it is closed (N69)")
    func opened() async throws {
        try await withFixture { fixture in
            let root = note("root")
            let alice = try await fixture.alice.userRecordID()
            let share = try await fixture.world.share(root, of: fixture.alice, with: [])
            let url = try #require(share.url)
            #expect(await code { _ = try await fixture.bob.shareMetadata(for: url) } == .permissionFailure)
            #expect(await code { _ = try await fixture.nobody.shareMetadata(for: url) } == .notAuthenticated)
            share.publicPermission = .readOnly
            try await save(share, in: fixture.alice.privateCloudDatabase)
            let joined = try await fixture.bob.accept(try await fixture.bob.shareMetadata(for: url))
            #expect(joined.currentUserParticipant?.role == .publicUser)
            #expect(joined.currentUserParticipant?.permission == .readOnly)
            try await reads(root, fixture.bob, alice)
            #expect(
                await code { try await save(share, in: fixture.alice.privateCloudDatabase) }
                    == .serverRecordChanged)
            let latest = try #require(
                try await fixture.alice.privateCloudDatabase.record(for: share.recordID) as? CKShare)
            latest.publicPermission = .none
            try await save(latest, in: fixture.alice.privateCloudDatabase)
            #expect(await code { try await reads(root, fixture.bob, alice) } == .zoneNotFound)
        }
    }

    @Test("A share below another is alreadyShared; an unverified address may need verification")
    func errors() async throws {
        try await withFixture { fixture in
            let root = note("root")
            let database = fixture.alice.privateCloudDatabase
            let share = try await fixture.world.share(root, of: fixture.alice, with: [])
            let child = note("child", under: root)
            let inner = CKShare(rootRecord: child)
            let (saves, _) = try await database.modifyRecords(saving: [child, inner], deleting: [])
            #expect((try #require(saves[inner.recordID]).error as? CKError)?.code == .alreadyShared)
            share.addParticipant(try await fixture.alice.shareParticipant(forEmailAddress: "b@example.com"))
            try await save(share, in: database)
            let url = try #require(share.url)
            #expect(
                await code { _ = try await fixture.bob.shareMetadata(for: url) }
                    == .participantMayNeedVerification)
            try await fixture.world.setAccount("bob", email: "b@example.com")
            let metadata = try await fixture.bob.shareMetadata(for: url)
            #expect(metadata.participantStatus == .pending)
            let other = try await fixture.world.container("iCloud.other", as: "bob")
            #expect(await code { try await other.accept(metadata) } == .badContainer)
            let odd = try #require(URL(string: "https://example.com"))
            #expect(await code { _ = try await fixture.bob.shareMetadata(for: odd) } == .invalidArguments)
            let ended = url.deletingLastPathComponent().appendingPathComponent("x")
            #expect(await code { _ = try await fixture.bob.shareMetadata(for: ended) } == .unknownItem)
        }
    }

    @Test("A one-time URL makes the first person who follows it a participant, and nobody else")
    func oneTime() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            let share = try await fixture.world.share(note("root"), of: fixture.alice, with: [])
            let guest = CKShare.Participant.oneTimeURLParticipant()
            guest.permission = .readWrite
            share.addParticipant(guest)
            try await save(share, in: database)
            let url = try #require(share.oneTimeURL(for: guest.participantID))
            let plain = try #require(share.url)
            #expect(await code { _ = try await fixture.bob.shareMetadata(for: plain) } == .permissionFailure)
            let metadata = try await fixture.bob.shareMetadata(for: url)
            #expect(metadata.participantStatus == .pending)
            #expect(metadata.participantPermission == .readWrite)
            let joined = try await fixture.bob.accept(metadata)
            #expect(joined.currentUserParticipant?.acceptanceStatus == .accepted)
            let eve = try await fixture.world.container(Fixture.containerName, as: "eve")
            #expect(await code { _ = try await eve.shareMetadata(for: url) } == .permissionFailure)
            let back = try #require(try await database.record(for: share.recordID) as? CKShare)
            #expect(back.participants.count == 2)
            #expect(back.oneTimeURL(for: guest.participantID) == nil)
        }
    }

    @Test("A share of a zone covers every record of the zone")
    func wholeZone() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            let alice = try await fixture.alice.userRecordID()
            _ = try await database.save(CKRecordZone(zoneID: Self.zone))
            let (one, share) = (note("one"), CKShare(recordZoneID: Self.zone))
            share.publicPermission = .readWrite
            let (saves, _) = try await database.modifyRecords(saving: [one, share], deleting: [])
            for (_, result) in saves { _ = try result.get() }
            let metadata = try await fixture.bob.shareMetadata(for: try #require(share.url))
            #expect(metadata.hierarchicalRootRecordID == nil)
            #expect(metadata.rootRecordID == id(share, of: alice))
            try await fixture.bob.accept(metadata)
            try await reads(one, fixture.bob, alice)
            let two = CKRecord(recordType: "Party", recordID: id(note("two"), of: alice))
            try await save(two, in: fixture.bob.sharedCloudDatabase)
            #expect(try await database.record(for: note("two").recordID).recordType == "Party")
        }
    }

    @Test("The owner approves, denies or blocks access requests, which others cannot see")
    func requests() async throws {
        try await withFixture { fixture in
            let root = note("root")
            let share = try await fixture.world.share(root, of: fixture.alice, with: [])
            share.allowsAccessRequests = true
            try await save(share, in: fixture.alice.privateCloudDatabase)
            let url = try #require(share.url)
            func ask(_ container: CKContainer) async -> Int {
                let log = Locked(0)
                let operation = CKShareRequestAccessOperation(shareURLs: [url])
                operation.perShareAccessRequestResultBlock = { _, result in
                    log.withLock { $0 = result.error.code }
                }
                operation.container = container
                await operation.run()
                return log.current
            }
            func fetched() async throws -> CKShare {
                let found = try await fixture.alice.privateCloudDatabase.record(for: share.recordID)
                return try #require(found as? CKShare)
            }
            #expect(await ask(fixture.bob) == 0)
            var known = try await fetched()
            #expect(known.allowsAccessRequests)
            #expect(
                known.requesters.map(\.userIdentity.userRecordID) == [try await fixture.bob.userRecordID()])

            known.denyRequesters(known.requesters)
            try await save(known, in: fixture.alice.privateCloudDatabase)
            #expect(known.requesters.isEmpty)
            #expect(await ask(fixture.bob) == 0)
            known = try await fetched()
            known.blockRequesters(known.requesters)
            try await save(known, in: fixture.alice.privateCloudDatabase)
            #expect(known.blockedIdentities.count == 1)
            #expect(await ask(fixture.bob) == CKError.unknownItem.rawValue)
            known.unblockIdentities(known.blockedIdentities)
            try await save(known, in: fixture.alice.privateCloudDatabase)

            #expect(await ask(fixture.bob) == 0)
            known = try await fetched()
            let info = try #require(known.requesters.first).participantLookupInfo
            let guest = Locked<CKShare.Participant?>(nil)
            let look = CKFetchShareParticipantsOperation(userIdentityLookupInfos: [info])
            look.perShareParticipantResultBlock = { _, result in guest.withLock { $0 = result.value } }
            look.container = fixture.alice
            await look.run()
            known.addParticipant(try #require(guest.current))
            try await save(known, in: fixture.alice.privateCloudDatabase)
            #expect(known.requesters.isEmpty)
            #expect(known.participants.last?.isApprovedRequester == true)
            #expect(await ask(fixture.bob) == CKError.participantAlreadyInvited.rawValue)
            try await fixture.bob.accept(try await fixture.bob.shareMetadata(for: url))
            #expect(try await fixture.bob.sharedCloudDatabase.allRecordZones().count == 1)
        }
    }
}
