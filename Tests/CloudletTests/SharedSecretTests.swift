// Tests that participants read and write the encrypted values of records that are shared with them.

import CloudKit
import CloudletTesting
import Foundation
import Records
import Testing

@testable import Cloudlet
@testable import TestKit

@Suite("Encrypted values of shared records", .timeLimit(.minutes(30)))
struct SharedSecretTests {
    private static let zone = CKRecordZone.ID(zoneName: "Notes")

    private func note(_ name: String, under parent: CKRecord? = nil, _ secret: String) -> CKRecord {
        let record = party(name, zone: Self.zone)
        if let parent { record.setParent(parent) }
        record.encryptedValues["secret"] = secret
        return record
    }

    /// The ID of Alice's record for other people.
    private func id(_ name: String, _ fixture: Fixture) async throws -> CKRecord.ID {
        let owner = try await fixture.alice.userRecordID().recordName
        return CKRecord.ID(
            recordName: name, zoneID: CKRecordZone.ID(zoneName: Self.zone.zoneName, ownerName: owner))
    }

    /// Another device of Bob, which has read no share yet.
    private func newDevice(_ name: String, _ fixture: Fixture) async throws -> CKDatabase {
        try await fixture.world.container(Fixture.containerName, as: "bob", on: name).sharedCloudDatabase
    }

    @Test("A participant's device reads encrypted values by fetch, feed or query, in any order")
    func read() async throws {
        try await withFixture { fixture in
            let root = note("root", "of the root")
            let child = note("child", under: root, "of the child")
            let grandchild = note("grandchild", under: child, "of the grandchild")
            let share = try await fixture.world.share(root, of: fixture.alice, with: [fixture.bob])
            #expect(share.allKeys().isEmpty)
            let database = fixture.alice.privateCloudDatabase
            try await database.save(child)
            try await database.save(grandchild)
            let deep = try await id("grandchild", fixture)
            let single = try await newDevice("1", fixture).record(for: deep)
            #expect(single.encryptedValues["secret"] == "of the grandchild")
            let page = try await newDevice("2", fixture).recordZoneChanges(
                inZoneWith: deep.zoneID, since: nil)
            let top = try await id("root", fixture)
            let fed = try #require(try page.modificationResultsByID[top]?.get().record)
            #expect(fed.encryptedValues["secret"] == "of the root")
            let query = CKQuery(recordType: "Party", predicate: NSPredicate(format: "name == %@", "child"))
            let found = try await newDevice("3", fixture).records(
                matching: query, inZoneWith: deep.zoneID, desiredKeys: nil)
            let match = try #require(try found.matchResults.first?.1.get())
            #expect(match.encryptedValues["secret"] == "of the child")
        }
    }

    @Test("A participant can write encrypted values, also in a record that was not read before")
    func write() async throws {
        try await withFixture { fixture in
            let root = note("root", "of alice")
            try await fixture.world.share(root, of: fixture.alice, with: [fixture.bob])
            let top = try await id("root", fixture)
            let line = party("line", zone: top.zoneID)
            line.setParent(top)
            line.encryptedValues["secret"] = "of bob"
            try await newDevice("1", fixture).save(line)
            let lineID = CKRecord.ID(recordName: "line", zoneID: Self.zone)
            let own = try await fixture.tablet.privateCloudDatabase.record(for: lineID)
            #expect(own.encryptedValues["secret"] == "of bob")
            let shared = fixture.bob.sharedCloudDatabase
            let theirs = try await shared.record(for: top)
            theirs.encryptedValues["secret"] = "mended"
            try await shared.save(theirs)
            root.encryptedValues["secret"] = "mine"
            do {
                try await fixture.alice.privateCloudDatabase.save(root)
                Issue.record("no conflict")
            } catch let error as CKError {
                #expect(error.serverRecord?.encryptedValues["secret"] == "mended")
            }
        }
    }

    @Test("Share metadata has the root with encrypted values before the share is accepted")
    func metadata() async throws {
        try await withFixture { fixture in
            let share = try await fixture.world.share(note("root", "of alice"), of: fixture.alice, with: [])
            share.publicPermission = .readOnly
            try await fixture.alice.privateCloudDatabase.save(share)
            let url = try #require(share.url)
            let operation = CKFetchShareMetadataOperation(shareURLs: [url])
            operation.shouldFetchRootRecord = true
            let found = Locked<CKRecord?>(nil)
            operation.perShareMetadataResultBlock = { _, result in
                found.withLock { $0 = result.value?.rootRecord }
            }
            operation.container = fixture.bob
            await operation.run()
            #expect(found.current?.encryptedValues["secret"] == "of alice")
        }
    }

    @Test("The server has only the key of a shared zone, not the person's or another zone's")
    func keys() throws {
        let key = CloudEncryptionKey(Data("key".utf8))
        let alice = FieldCipher(key: key, container: "iCloud.test")
        let field = try #require(try alice.zoneKey(of: Self.zone))
        let theirs = ZoneID(name: "Notes", owner: "_alice")
        var share = Record(id: RecordID(name: "s", zone: theirs), type: CKRecord.SystemType.share)
        share.fields[Share.zoneKeyField] = field
        let other = CloudEncryptionKey(Data("other".utf8))
        let bob = FieldCipher(key: other, container: "iCloud.test", zoneKeys: ZoneKeys())
        let text = NSString(string: "x")
        func place(_ zone: String, _ owner: String = CKCurrentUserDefaultName) -> CKRecord.ID {
            CKRecord.ID(recordName: "r", zoneID: CKRecordZone.ID(zoneName: zone, ownerName: owner))
        }
        func opens(_ sealed: FieldValue, _ id: CKRecord.ID) -> Bool {
            if case .object(let object) = bob.open(sealed, of: id, field: "f") {
                object.isEqual(text)
            } else {
                false
            }
        }
        let sealed = try alice.seal(text, of: place("Notes"), field: "f")
        #expect(!opens(sealed, place("Notes", "_alice")))
        #expect(throws: CKError.self) { try bob.seal(text, of: place("Notes", "_alice"), field: "f") }
        bob.learn(from: share)
        #expect(opens(sealed, place("Notes", "_alice")))
        #expect(!opens(sealed, place("Notes", "_carol")))
        #expect(try bob.seal(text, of: place("Notes", "_alice"), field: "f") == sealed)
        let elsewhere = try alice.seal(text, of: place("Diary"), field: "f")
        #expect(!opens(elsewhere, place("Diary", "_alice")))
        let home = try alice.seal(text, of: CKRecord.ID(recordName: "r"), field: "f")
        #expect(!opens(home, place(CKRecordZone.ID.defaultZoneName, "_alice")))
        #expect(try bob.zoneKey(of: Self.zone) == nil)
    }
}
