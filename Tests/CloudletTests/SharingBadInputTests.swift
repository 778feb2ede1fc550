// Tests that invalid requests of people who share are refused with culprit and next step, and change
// nothing.

import CloudKit
import CloudletTesting
import Foundation
import Testing

@testable import Cloudlet

@Suite("Bad input of sharing", .timeLimit(.minutes(30)))
struct SharingBadInputTests {
    private static let zone = CKRecordZone.ID(zoneName: "Notes")

    /// Alice shares `root` with Bob, who has accepted. `child` is below the root, `other` is not shared.
    private struct Story {
        let fixture: Fixture
        let share: CKShare
        let url: URL
        /// The zone as Bob names it.
        let theirs: CKRecordZone.ID

        init(_ fixture: Fixture) async throws {
            self.fixture = fixture
            let root = party("root", zone: zone)
            share = try await fixture.world.share(root, of: fixture.alice, with: [fixture.bob])
            url = try #require(share.url)
            theirs = CKRecordZone.ID(
                zoneName: zone.zoneName, ownerName: try await fixture.alice.userRecordID().recordName)
            let child = party("child", zone: zone)
            child.setParent(root)
            let (saves, _) = try await fixture.alice.privateCloudDatabase.modifyRecords(
                saving: [child, party("other", zone: zone)], deleting: [])
            for (_, result) in saves { _ = try result.get() }
        }

        /// The URL with another last component.
        func link(_ shortGUID: String) -> URL {
            url.deletingLastPathComponent().appendingPathComponent(shortGUID)
        }

        func theirID(_ name: String) -> CKRecord.ID { CKRecord.ID(recordName: name, zoneID: theirs) }

        func ownRecord(_ name: String) async throws -> CKRecord {
            try await fixture.alice.privateCloudDatabase.record(
                for: CKRecord.ID(recordName: name, zoneID: zone))
        }

        /// The records of the owner's zone, whether the record `home` is missing, and the zones that Bob
        /// sees.
        func state() async throws -> [String] {
            let page = try await fixture.alice.privateCloudDatabase.recordZoneChanges(
                inZoneWith: zone, since: nil)
            let records = try page.modificationResultsByID.values.map { result in
                let record = try result.get().record
                let people = (record as? CKShare)?.participants.map {
                    "\($0.participantID) \($0.acceptanceStatus.rawValue) \($0.permission.rawValue)"
                }
                return [record.recordID.recordName, record.recordChangeTag ?? "", "\(people ?? [])"]
                    .joined(separator: " ")
            }
            let home = await code {
                _ = try await fixture.alice.privateCloudDatabase.record(for: CKRecord.ID(recordName: "home"))
            }
            let zones = try await fixture.bob.sharedCloudDatabase.allRecordZones().map(\.zoneID.zoneName)
            return records.sorted() + ["\(home == .unknownItem)"] + zones
        }
    }

    /// Saves records in one batch, and throws the first error that is not about the batch.
    private func save(_ records: [CKRecord], in database: CKDatabase) async throws {
        let (saves, _) = try await database.modifyRecords(saving: records, deleting: [])
        let errors = saves.values.compactMap { $0.error as? CKError }
        if let error = errors.first(where: { $0.code != .batchRequestFailed }) ?? errors.first { throw error }
    }

    /// Expects that `body` fails with the code, that the text of the error has all of the words, and that
    /// nothing has changed.
    private func expectRefusal(
        _ code: CKError.Code, _ words: [String], _ story: Story, _ title: String,
        _ body: () async throws -> Void
    ) async throws {
        let before = try await story.state()
        do {
            try await body()
            Issue.record("\(title): no error")
        } catch let error as CKError {
            #expect(error.code == code, "\(title)")
            for word in words {
                let text = error.localizedDescription
                #expect(text.contains(word), "\(title): \(text)")
            }
        }
        #expect(try await story.state() == before, "\(title)")
    }

    @Test("A share URL that is truncated, unknown, ended, or of another environment is refused")
    func links() async throws {
        try await withFixture { fixture in
            let story = try await Story(fixture)
            let guid = story.url.lastPathComponent
            let nobody = String(guid.reversed())
            let words = ["there is no share with this short GUID", "check the link and the environment"]
            for cut in [String(guid.dropLast()), String(guid.prefix(5)), nobody, guid + "x"] {
                try await expectRefusal(.unknownItem, words + ["[\(cut)]"], story, cut) {
                    _ = try await fixture.bob.shareMetadata(for: story.link(cut))
                }
            }
            var connection = fixture.bob.connection
            connection.environment = .production
            let production = CKContainer(identifier: Fixture.containerName, connection: connection)
            try await expectRefusal(.unknownItem, words + ["[\(guid)]"], story, "production") {
                _ = try await production.shareMetadata(for: story.url)
            }
            let metadata = try await fixture.bob.shareMetadata(for: story.url)
            try await fixture.alice.privateCloudDatabase.deleteRecord(withID: story.share.recordID)
            try await expectRefusal(.unknownItem, words, story, "the metadata of an ended share") {
                _ = try await fixture.bob.shareMetadata(for: story.url)
            }
            try await expectRefusal(.unknownItem, words, story, "the acceptance of an ended share") {
                _ = try await fixture.bob.accept(metadata)
            }
        }
    }

    @Test("Accepting again changes nothing, and nobody accepts a share of their own")
    func accepted() async throws {
        try await withFixture { fixture in
            let story = try await Story(fixture)
            let before = try await story.state()
            let again = try await fixture.bob.accept(try await fixture.bob.shareMetadata(for: story.url))
            #expect(again.currentUserParticipant?.acceptanceStatus == .accepted)
            #expect(try await story.state() == before)
            let own = try await fixture.alice.shareMetadata(for: story.url)
            let words = ["the owner cannot accept the share", "open the record in the private database"]
            try await expectRefusal(
                .invalidArguments, words + ["[\(story.share.recordID.recordName)]"], story, "the owner"
            ) {
                _ = try await fixture.alice.accept(own)
            }
        }
    }

    @Test("A participant adds no root, moves nothing out, deletes no root and edits no share")
    func participant() async throws {
        try await withFixture { fixture in
            let story = try await Story(fixture)
            let shared = fixture.bob.sharedCloudDatabase
            func refused(_ name: String, _ words: [String], _ body: () async throws -> Void) async throws {
                try await expectRefusal(.permissionFailure, words + ["[\(name)]"], story, name, body)
            }
            let parentRule = "needs a parent in the same share"
            try await refused("alone", [parentRule]) {
                try await save([CKRecord(recordType: "Party", recordID: story.theirID("alone"))], in: shared)
            }
            for outside in ["other", "missing"] {
                let child = try await shared.record(for: story.theirID("child"))
                child.setParent(story.theirID(outside))
                try await refused("child", [parentRule]) { try await save([child], in: shared) }
            }
            let free = try await shared.record(for: story.theirID("child"))
            free.parent = nil
            try await refused("child", [parentRule]) { try await save([free], in: shared) }
            try await refused("root", ["only the owner may delete the root of a share"]) {
                try await shared.deleteRecord(withID: story.theirID("root"))
            }
            let id = story.theirID(story.share.recordID.recordName)
            let terms = try #require(try await shared.record(for: id) as? CKShare)
            terms.publicPermission = .readWrite
            try await refused(id.recordName, ["only the owner and administrators may change a share"]) {
                try await save([terms], in: shared)
            }
        }
    }

    @Test("A record below a root, a record above one, and the default zone cannot be shared")
    func misplaced() async throws {
        try await withFixture { fixture in
            let story = try await Story(fixture)
            let own = fixture.alice.privateCloudDatabase
            let child = try await story.ownRecord("child")
            try await expectRefusal(.alreadyShared, ["[child]"], story, "a root below a root") {
                try await save([child, CKShare(rootRecord: child)], in: own)
            }
            let root = try await story.ownRecord("root")
            try await expectRefusal(.alreadyShared, ["[root]"], story, "two shares of one root") {
                try await save([root, CKShare(rootRecord: root)], in: own)
            }
            root.setParent(
                CKRecord(recordType: "Party", recordID: .init(recordName: "other", zoneID: Self.zone)))
            try await save([root], in: own)
            // Fetched now, because a new child changes the tag of its parent.
            let other = try await story.ownRecord("other")
            try await expectRefusal(.alreadyShared, ["[root]"], story, "a root above a root") {
                try await save([other, CKShare(rootRecord: other)], in: own)
            }
            let misplaced = party("home")
            try await expectRefusal(
                .invalidArguments, ["default zone", "a zone of their own"], story, "default zone"
            ) {
                try await save([misplaced, CKShare(rootRecord: misplaced)], in: own)
            }
            try await expectRefusal(.badDatabase, ["private database"], story, "public database") {
                try await save(
                    [misplaced, CKShare(rootRecord: misplaced)], in: fixture.alice.publicCloudDatabase)
            }
        }
    }

    @Test("A share has at most a hundred people")
    func people() async throws {
        try await withFixture { fixture in
            let story = try await Story(fixture)
            let own = fixture.alice.privateCloudDatabase
            for number in story.share.participants.count..<100 {
                let guest = try await fixture.alice.shareParticipant(forEmailAddress: "\(number)@example.com")
                story.share.addParticipant(guest)
            }
            try await save([story.share], in: own)
            story.share.addParticipant(
                try await fixture.alice.shareParticipant(forEmailAddress: "101@example.com"))
            try await expectRefusal(
                .tooManyParticipants, ["at most 100 participants", "remove some"], story, "the 101st"
            ) {
                try await save([story.share], in: own)
            }
        }
    }

    @Test("Production refuses shares until their record type is deployed")
    func undeployed() async throws {
        try await withFixture { fixture in
            let story = try await Story(fixture)
            var connection = fixture.alice.connection
            connection.environment = .production
            let production = CKContainer(identifier: Fixture.containerName, connection: connection)
                .privateCloudDatabase
            _ = try await production.save(CKRecordZone(zoneID: Self.zone))
            let root = party("root", zone: Self.zone)
            root["name"] = nil
            try await expectRefusal(.invalidArguments, ["production schema"], story, "production") {
                try await save([root, CKShare(rootRecord: root)], in: production)
            }
            let page = try await production.recordZoneChanges(inZoneWith: Self.zone, since: nil)
            #expect(page.modificationResultsByID.isEmpty)
        }
    }
}
