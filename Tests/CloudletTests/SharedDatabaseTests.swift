// Tests the content of the shared database, and the requests that a save of a share sends.

import CloudKit
import CloudletTesting
import Foundation
import Records
import Testing

@testable import Cloudlet
@testable import TestKit

@Suite("The shared database", .timeLimit(.minutes(30)))
struct SharedDatabaseTests {
    private static let zone = CKRecordZone.ID(zoneName: "Notes")

    private func note(_ name: String, under parent: CKRecord? = nil) -> CKRecord {
        let record = party(name, zone: Self.zone)
        if let parent { record.setParent(parent) }
        return record
    }

    /// The ID of an owner's zone for other people.
    private func zone(of owner: CKContainer) async throws -> CKRecordZone.ID {
        let id = try await owner.userRecordID()
        return CKRecordZone.ID(zoneName: Self.zone.zoneName, ownerName: id.recordName)
    }

    /// The ID of an owner's record for other people.
    private func id(_ record: CKRecord, of owner: CKContainer) async throws -> CKRecord.ID {
        let zone = try await zone(of: owner)
        return CKRecord.ID(recordName: record.recordID.recordName, zoneID: zone)
    }

    @Test("An accepted share adds a zone with its owner's name; another reuses it (N61, N62, N63)")
    func zones() async throws {
        try await withFixture { fixture in
            let carol = try await fixture.world.container(Fixture.containerName, as: "carol", on: "desk")
            let shared = fixture.bob.sharedCloudDatabase
            let start = try await shared.databaseChanges(since: nil)
            #expect(start.modifications.isEmpty)
            let share = try await fixture.world.share(note("first"), of: fixture.alice, with: [fixture.bob])
            let zone = try await zone(of: fixture.alice)
            let news = try await shared.databaseChanges(since: start.changeToken)
            #expect(news.modifications.map(\.zoneID) == [zone])
            let page = try await shared.recordZoneChanges(inZoneWith: zone, since: nil)
            let names = page.modificationResultsByID.keys.map(\.recordName)
            #expect(Set(names) == ["first", share.recordID.recordName])
            let shareID = try await id(share, of: fixture.alice)
            let fed = try page.modificationResultsByID[shareID]?.get().record
            #expect(fed is CKShare)
            try await fixture.world.share(note("second"), of: fixture.alice, with: [fixture.bob])
            let more = try await shared.databaseChanges(since: news.changeToken)
            #expect(more.modifications.map(\.zoneID) == [zone])
            let later = try await shared.recordZoneChanges(inZoneWith: zone, since: page.changeToken)
            #expect(later.modificationResultsByID.keys.map(\.recordName).contains("second"))
            try await fixture.world.share(note("first"), of: carol, with: [fixture.bob])
            let other = try await self.zone(of: carol)
            let all = try await shared.allRecordZones().map(\.zoneID)
            #expect(Set(all) == [zone, other])
            let theirs = try await shared.record(for: CKRecord.ID(recordName: "first", zoneID: other))
            #expect(theirs.creatorUserRecordID?.recordName == other.ownerName)
        }
    }

    @Test("A query in the shared database needs a zone, and finds its shared records")
    func queries() async throws {
        try await withFixture { fixture in
            try await fixture.world.share(note("open"), of: fixture.alice, with: [fixture.bob])
            try await fixture.alice.privateCloudDatabase.save(note("hidden"))
            let shared = fixture.bob.sharedCloudDatabase
            let query = CKQuery(recordType: "Party", predicate: NSPredicate(value: true))
            #expect(await code { _ = try await shared.records(matching: query) } == .invalidArguments)
            let zone = try await zone(of: fixture.alice)
            var page = try await shared.records(matching: query, inZoneWith: zone, desiredKeys: nil)
            var names = page.matchResults.map(\.0.recordName)
            while let cursor = page.queryCursor {
                page = try await shared.records(continuingMatchFrom: cursor)
                names += page.matchResults.map(\.0.recordName)
            }
            #expect(names == ["open"])
        }
    }

    @Test("A share is a record with app fields, and queries find it by them (N83)")
    func fields() async throws {
        try await withFixture { fixture in
            let share = try await fixture.world.share(note("root"), of: fixture.alice, with: [])
            share["theme"] = "winter"
            let database = fixture.alice.privateCloudDatabase
            try await database.save(share)
            let query = CKQuery(
                recordType: CKRecord.SystemType.share, predicate: NSPredicate(format: "theme == %@", "winter")
            )
            let found = try await database.records(matching: query, inZoneWith: Self.zone).matchResults
            let same = try #require(try found.first?.1.get() as? CKShare)
            #expect(found.count == 1)
            #expect(same.url == share.url)
            #expect(same.allKeys() == ["theme"])
        }
    }

    @Test("People are invited by phone number or user record, which the share reports (N39, N73)")
    func people() async throws {
        try await withFixture { fixture in
            try await fixture.world.setAccount("bob", phone: "+4912345678", givenName: "Bob")
            _ = try await fixture.bob.requestApplicationPermission(.userDiscoverability)
            let bob = try await fixture.alice.shareParticipant(forPhoneNumber: "+49 1234 5678")
            let user = try await fixture.bob.userRecordID()
            let same = try await fixture.alice.shareParticipant(forUserRecordID: user)
            #expect(same == bob)
            bob.permission = .readWrite
            let share = try await fixture.world.share(note("root"), of: fixture.alice, with: [])
            share.addParticipant(bob)
            try await fixture.alice.privateCloudDatabase.save(share)
            #expect(share.participants.last === bob)
            #expect(bob.acceptanceStatus == .pending)
            #expect(bob.userIdentity.nameComponents?.givenName == "Bob")
            let database = fixture.tablet.privateCloudDatabase
            let back = try #require(try await database.record(for: share.recordID) as? CKShare)
            let invited = try #require(back.participants.last)
            #expect(invited == bob)
            #expect(invited.permission == .readWrite)
            #expect(invited.userIdentity.userRecordID?.recordName == user.recordName)
            #expect(invited.userIdentity.lookupInfo?.phoneNumber == "+4912345678")
        }
    }

    @Test("The invitation of an unknown address waits for the person who gets the address")
    func placeholder() async throws {
        try await withFixture { fixture in
            let share = try await fixture.world.share(note("root"), of: fixture.alice, with: [])
            let eve = try await fixture.alice.shareParticipant(forEmailAddress: "eve@example.com")
            #expect(!eve.userIdentity.hasiCloudAccount)
            share.addParticipant(eve)
            let database = fixture.alice.privateCloudDatabase
            try await database.save(share)
            let url = try #require(share.url)
            let device = try await fixture.world.container(Fixture.containerName, as: "eve", on: "desk")
            #expect(
                await code { _ = try await device.shareMetadata(for: url) } == .participantMayNeedVerification
            )
            try await fixture.world.setAccount("eve", email: "eve@example.com")
            let joined = try await device.accept(try await device.shareMetadata(for: url))
            #expect(joined.currentUserParticipant?.acceptanceStatus == .accepted)
            let back = try #require(try await database.record(for: share.recordID) as? CKShare)
            let known = try #require(back.participants.last)
            #expect(known == eve)
            #expect(known.acceptanceStatus == .accepted)
            #expect(known.userIdentity.hasiCloudAccount)
        }
    }

    @Test("A person who joined a public share by its URL can be invited when the share is closed")
    func closed() async throws {
        try await withFixture { fixture in
            let share = try await fixture.world.share(note("root"), of: fixture.alice, with: [])
            share.publicPermission = .readWrite
            let database = fixture.alice.privateCloudDatabase
            try await database.save(share)
            let url = try #require(share.url)
            try await fixture.bob.accept(try await fixture.bob.shareMetadata(for: url))
            let joined = try #require(try await database.record(for: share.recordID) as? CKShare)
            #expect(joined.participants.count == 2)
            joined.publicPermission = .none
            let bob = try await fixture.bob.userRecordID()
            joined.addParticipant(CKShareParticipant(userRecordID: bob, permission: .readOnly))
            try await database.save(joined)
            #expect(joined.participants.last?.acceptanceStatus == .pending)
            #expect(joined.participants.last?.role == .privateUser)
            try await fixture.bob.accept(try await fixture.bob.shareMetadata(for: url))
            let root = try await id(note("root"), of: fixture.alice)
            let theirs = try await fixture.bob.sharedCloudDatabase.record(for: root)
            #expect(theirs["name"] == "root")
        }
    }

    @Test("Two people join a list, all edit it, one leaves and one is removed (N45)")
    func story() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            let (list, avocados) = (note("list"), party("avocados", zone: Self.zone))
            avocados.setParent(list)
            let share = try await fixture.world.share(list, of: fixture.alice, with: [fixture.bob])
            share.addParticipant(try await fixture.alice.shareParticipant(forEmailAddress: "eve@example.com"))
            share.participants.last?.permission = .readWrite
            _ = try await database.modifyRecords(saving: [avocados, share], deleting: [])
            let eve = try await fixture.world.container(Fixture.containerName, as: "eve", on: "desk")
            try await fixture.world.setAccount("eve", email: "eve@example.com")
            try await eve.accept(try await eve.shareMetadata(for: try #require(share.url)))
            let (bobs, eves) = (fixture.bob.sharedCloudDatabase, eve.sharedCloudDatabase)
            let mine = try await bobs.record(for: try await id(avocados, of: fixture.alice))
            mine["done"] = 1
            try await bobs.save(mine)
            let limes = CKRecord(
                recordType: "Party", recordID: try await id(note("limes"), of: fixture.alice))
            limes.setParent(try await id(list, of: fixture.alice))
            try await eves.save(limes)
            let seen = try await eves.record(for: mine.recordID)
            #expect(seen["done"] == 1)
            #expect(seen.lastModifiedUserRecordID == (try await fixture.bob.userRecordID()))
            try await bobs.record(for: limes.recordID)
            try await database.record(for: note("limes").recordID)
            try await bobs.deleteRecord(withID: try await id(share, of: fixture.alice))
            let latest = try #require(try await database.record(for: share.recordID) as? CKShare)
            #expect(latest.participants.map(\.role) == [.owner, .privateUser])
            latest.removeParticipant(try #require(latest.participants.last))
            try await database.save(latest)
            for person in [bobs, eves] {
                #expect(try await person.allRecordZones().isEmpty)
                #expect(await code { try await person.record(for: mine.recordID) } == .zoneNotFound)
            }
            let root = try await database.record(for: list.recordID)
            #expect(root.share?.recordID == share.recordID)
            _ = try await database.modifyRecords(saving: [root], deleting: [share.recordID])
            #expect(root.share == nil)
            root["name"] = "alone"
            try await database.save(root)
            try await database.record(for: note("limes").recordID)
        }
    }

    @Test("Records of participants count towards the quota of the owner (N60)")
    func quota() async throws {
        var limits = Limits()
        var quota = QuotaRules()
        quota.personBytes = 6000
        limits.quota = quota
        try await CloudletWorld.run(limits: limits) { world in
            let alice = try await world.container(Fixture.containerName, as: "alice")
            let bob = try await world.container(Fixture.containerName, as: "bob")
            try await world.share(note("root"), of: alice, with: [bob])
            let root = try await id(note("root"), of: alice)
            let records = (1...8).map { number -> CKRecord in
                let record = party("\(number)", zone: root.zoneID)
                record.setParent(root)
                record["text"] = String(repeating: "x", count: 1000)
                return record
            }
            let (saves, _) = try await bob.sharedCloudDatabase.modifyRecords(
                saving: records, deleting: [], atomically: false)
            let codes = records.map { (saves[$0.recordID]?.error as? CKError)?.code }
            #expect(codes[0] == nil)
            #expect(codes[7] == .quotaExceeded)
            let own = party("own")
            own["text"] = String(repeating: "x", count: 1000)
            try await bob.privateCloudDatabase.save(own)
        }
    }

    private func value<Value: Sendable>(
        _ start: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { done in
            start { value, error in
                if let value {
                    done.resume(returning: value)
                } else {
                    done.resume(throwing: error ?? CKError(CKError.Code.internalError))
                }
            }
        }
    }

    @Test("Completion handlers get the metadata and the accepted share, or the error")
    func handlers() async throws {
        try await withFixture { fixture in
            let share = try await fixture.world.share(note("root"), of: fixture.alice, with: [])
            share.publicPermission = .readWrite
            try await fixture.alice.privateCloudDatabase.save(share)
            let url = try #require(share.url)
            let metadata: CKShare.Metadata = try await value {
                fixture.bob.fetchShareMetadata(with: url, completionHandler: $0)
            }
            #expect(metadata.participantRole == .publicUser)
            let joined: CKShare = try await value { fixture.bob.accept(metadata, completionHandler: $0) }
            #expect(joined.currentUserParticipant?.permission == .readWrite)
            let ended = url.deletingLastPathComponent().appendingPathComponent("x")
            let error = await code {
                let _: CKShare.Metadata = try await value {
                    fixture.bob.fetchShareMetadata(with: ended, completionHandler: $0)
                }
            }
            #expect(error == .unknownItem)
        }
    }

    @Test("Metadata of another container fails without affecting the rest")
    func containers() async throws {
        try await withFixture { fixture in
            let share = try await fixture.world.share(note("root"), of: fixture.alice, with: [])
            share.publicPermission = .readOnly
            try await fixture.alice.privateCloudDatabase.save(share)
            let own = try await fixture.bob.shareMetadata(for: try #require(share.url))
            let foreign = CKShare.Metadata(
                containerIdentifier: "iCloud.other", share: share, root: nil, own: share.owner)
            let results = try await fixture.bob.accept([foreign, own])
            #expect((results[foreign]?.error as? CKError)?.code == .badContainer)
            #expect(try results[own]?.get().url == share.url)
        }
    }
}
