import CloudSync
import Cloudlet
import CloudletTesting
import Foundation
import MirroredStore
import Records
import Testing

@testable import TestKit

@Suite("Shared objects")
struct SharedObjectsTests {
    /// Two devices of Alice, and one of Bob with what others share with him.
    private struct Family {
        let phone: MirroredDevice
        let tablet: MirroredDevice
        let bob: MirroredDevice

        /// Shares a post with Bob, who accepts.
        @discardableResult
        func share(
            _ post: MirroredObject.ID, _ permission: CKShare.ParticipantPermission = .readWrite
        ) async throws -> CKShare {
            let (_, share, container) = try await phone.store.share([post], to: nil)
            let bob = try await container.shareParticipant(forEmailAddress: "bob@example.org")
            bob.permission = permission
            share.addParticipant(bob)
            let saved = try await phone.store.persistUpdatedShare(share)
            let url = try #require(saved.url)
            try await self.bob.store.acceptShareInvitations(from: [
                try await self.bob.cloud.shareMetadata(for: url)
            ])
            return saved
        }

        func mirrorAll() async throws {
            for _ in 0..<2 {
                for device in [phone, tablet, bob] { try await device.store.mirror() }
            }
        }
    }

    private func withFamily(_ body: (Family) async throws -> Void) async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                try await world.describe("bob", email: "bob@example.org")
                try await body(
                    Family(
                        phone: MirroredDevice("phone", of: "alice", in: world, folder: folder),
                        tablet: MirroredDevice("tablet", of: "alice", in: world, folder: folder),
                        bob: MirroredDevice("laptop", of: "bob", in: world, folder: folder, scope: .shared)))
            }
        }
    }

    private func change(
        _ device: MirroredDevice, _ id: MirroredObject.ID, _ name: String, _ value: String
    ) async throws {
        try await device.store.write { objects in
            var object = try #require(try objects.reader.object(id))
            try object.set(name, to: value)
            try objects.save(object)
        }
    }

    private func title(_ id: MirroredObject.ID, on device: MirroredDevice) async throws -> String? {
        try await device.store.read { try $0.object(id)?.get("title", as: String.self) }
    }

    /// Each record on the server as `ZONE TYPE NAME`, where the zone is "home" or "share".
    private func places(_ device: MirroredDevice) async throws -> [String] {
        try await serverRecords(device.cloud.privateCloudDatabase).map { record in
            let isHome = record.recordID.zoneID.zoneName == homeZone.zoneName
            return "\(isHome ? "home" : "share") \(record.recordType) \(record.recordID.recordName)"
        }
    }

    @Test("A shared object moves with all related ones, and comes to the participant as an equal graph")
    func shares() async throws {
        try await withFamily { family in
            let (phone, tablet, bob) = (family.phone, family.tablet, family.bob)
            let post = try await phone.insert("Post") { try $0.set("title", to: "Balloons") }
            let tag = try await phone.insert("Tag")
            let attachment = try await phone.insert("Attachment") { object in
                try object.set("data", to: Data(repeating: 7, count: 1_500))
                try object.relate("post", to: post)
            }
            try await phone.store.write { try $0.link(post, "tags", tag) }
            let alone = try await phone.insert("Tag") { try $0.set("name", to: "alone") }
            try await phone.store.mirror()
            try await tablet.store.mirror()
            let before = try await phone.graph()
            let share = try await family.share(post)

            #expect(share.recordID.recordName == "cloudkit.zoneshare")
            let zone = share.recordID.zoneID
            #expect(zone.zoneName.hasPrefix("com.apple.coredata.cloudkit.share.phone-"))
            let records = try await serverRecords(phone.cloud.privateCloudDatabase)
            let shared = records.filter { $0.recordID.zoneID == zone }.map(\.recordType).sorted()
            #expect(shared == ["CDMR", "CD_Attachment", "CD_Post", "CD_Tag", "cloudkit.share"])
            let others = records.filter { $0.recordID.zoneID != zone }.map(\.recordID.recordName)
            #expect(others == [alone.name])
            let moved = try #require(records.first { $0.recordType == "CD_Post" })
            let receipt = try #require(moved["CD_moveReceipt"] as? Data)
            #expect(
                String(decoding: receipt, as: UTF8.self).contains(
                    "\"from\":\"com.apple.coredata.cloudkit.zone\""))

            try await family.mirrorAll()
            #expect(try await phone.graph() == before)
            #expect(try await tablet.graph() == before)
            #expect(try await bob.graph() == before.filter { !$0.contains("alone") })
            let found = try await tablet.store.fetchShares(matching: [post, tag, attachment, alone])
            #expect(Set(found.keys) == [post, tag, attachment])
            #expect(try await bob.store.fetchShares().map(\.recordID.recordName) == ["cloudkit.zoneshare"])

            try await change(bob, post, "title", "by bob")
            try await family.mirrorAll()
            #expect(try await title(post, on: tablet) == "by bob")
            let kept = try await serverRecords(phone.cloud.privateCloudDatabase, in: zone)
            #expect(kept.first { $0.recordType == "CD_Post" }?["CD_moveReceipt"] as? Data == receipt)
        }
    }

    @Test("A participant who may only read is told so, and a change is rolled back")
    func readOnly() async throws {
        try await withFamily { family in
            let post = try await family.phone.insert("Post")
            let own = try await family.phone.store.canUpdateRecord(forManagedObjectWith: post)
            try await family.share(post, .readOnly)
            let bob = family.bob
            #expect(own)
            #expect(try await bob.store.canUpdateRecord(forManagedObjectWith: post) == false)
            #expect(try await bob.store.canDeleteRecord(forManagedObjectWith: post) == false)
            #expect(try await bob.store.canModifyManagedObjects() == false)
            let error = await #expect(throws: MirroredStoreError.self) {
                try await change(bob, post, "title", "no")
            }
            #expect(error?.code == .notPermitted)
            #expect(try await title(post, on: bob) == "untitled")
            let again = await #expect(throws: MirroredStoreError.self) {
                try await bob.store.share([post], to: nil)
            }
            #expect(again?.code == .notShareable)
        }
    }

    @Test("New objects go into the share of the objects to which they are related")
    func newObjects() async throws {
        try await withFamily { family in
            let (phone, bob) = (family.phone, family.bob)
            let post = try await phone.insert("Post")
            let share = try await family.share(post)
            let byAlice = try await phone.insert("Attachment") { try $0.relate("post", to: post) }
            let byBob = try await bob.insert("Attachment") { try $0.relate("post", to: post) }
            let tag = try await bob.store.write { objects in
                let tag = try objects.make("Tag")
                try objects.save(tag)
                try objects.link(post, "tags", tag.id)
                return tag.id
            }
            let error = await #expect(throws: MirroredStoreError.self) { try await bob.insert("Tag") }
            #expect(error?.code == .notPlaced)
            let known = try #require(try await bob.store.fetchShares().first)
            let assigned = try await bob.store.write { objects in
                let tag = try objects.make("Tag")
                try objects.save(tag)
                objects.assign(tag.id, to: known)
                return tag.id
            }
            try await family.mirrorAll()
            for device in [phone, family.tablet] {
                let names = try await device.store.read { reader in
                    try reader.related(post, "attachments").map(\.id) + reader.objects("Tag").map(\.id)
                }
                let expected = [byBob, byAlice, tag, assigned].sorted {
                    ($0.root, $0.name) < ($1.root, $1.name)
                }
                #expect(names == expected)
            }
            let moved = try await places(phone)
            let areShared = moved.allSatisfy { $0.hasPrefix("share ") }
            #expect(areShared)
            // An object that exists already follows, too.
            let late = try await phone.insert("Tag")
            try await phone.store.mirror()
            try await phone.store.write { try $0.link(post, "tags", late) }
            try await family.mirrorAll()
            let found = try await bob.store.read { try $0.related(post, "tags").map(\.id) }
            #expect(found.contains(late))
            let zone = share.recordID.zoneID.zoneName
            #expect(try await places(phone).contains("share CD_Tag \(late.name)"), "not in \(zone)")
        }
    }

    @Test("Changes that a device makes off line during the move follow the objects into the share")
    func lateChanges() async throws {
        try await withFamily { family in
            let (phone, tablet) = (family.phone, family.tablet)
            let post = try await phone.insert("Post") { try $0.set("content", to: "old") }
            let tag = try await phone.insert("Tag")
            try await phone.store.mirror()
            try await tablet.store.mirror()
            try await change(tablet, post, "title", "from tablet")
            let attachment = try await tablet.insert("Attachment") { try $0.relate("post", to: post) }
            try await tablet.store.write { try $0.link(post, "tags", tag) }
            try await change(phone, post, "content", "new")
            try await family.share(post)
            try await family.mirrorAll()
            let graph = try await phone.graph()
            #expect(try await tablet.graph() == graph)
            #expect(try await family.bob.graph() == graph)
            #expect(try await title(post, on: phone) == "from tablet")
            let (content, attachments, tags) = try await phone.store.read { reader in
                (
                    try reader.object(post)?.get("content", as: String.self),
                    try reader.related(post, "attachments").map(\.id),
                    try reader.related(post, "tags").map(\.id)
                )
            }
            #expect(content == "new")
            #expect(attachments == [attachment])
            #expect(tags == [tag])
            let moved = try await places(phone)
            let areShared = moved.allSatisfy { $0.hasPrefix("share ") }
            #expect(areShared)
        }
    }

    @Test("Two devices that share one object at the same time come to one share")
    func twice() async throws {
        try await withFamily { family in
            let (phone, tablet) = (family.phone, family.tablet)
            let post = try await phone.insert("Post")
            try await phone.store.mirror()
            try await tablet.store.mirror()
            _ = try await tablet.store.share([post], to: nil)
            // The phone does not know it yet when it moves the post.
            let (moved, _, _) = try await phone.store.share([post], to: nil)
            #expect(moved == [post])
            try await family.mirrorAll()
            let shares = [
                try await phone.store.fetchShares(matching: [post])[post]?.recordID.zoneID,
                try await tablet.store.fetchShares(matching: [post])[post]?.recordID.zoneID,
            ]
            #expect(shares[0] == shares[1])
            let records = try await places(phone).filter { $0.hasSuffix(post.name) }
            #expect(records == ["share CD_Post \(post.name)"])
            let error = await #expect(throws: MirroredStoreError.self) {
                try await phone.store.share([post], to: nil)
            }
            #expect(error?.code == .alreadyShared)
        }
    }

    @Test("A participant reaches no object outside of the share, by its name or by a relationship to it")
    func attack() async throws {
        try await withFamily { family in
            let (phone, bob) = (family.phone, family.bob)
            let secret = try await phone.insert("Post") { try $0.set("title", to: "secret") }
            let post = try await phone.insert("Post")
            let share = try await family.share(post)
            let zone = try #require(try await bob.cloud.sharedCloudDatabase.allRecordZones().first).zoneID
            func record(_ type: String, _ name: String, _ fields: [String: String]) -> CKRecord {
                let record = CKRecord(
                    recordType: type, recordID: CKRecord.ID(recordName: name, zoneID: zone))
                for (key, value) in fields { record[key] = value }
                return record
            }
            let database = bob.cloud.sharedCloudDatabase
            // A record with the name of the object, and records that lead to it in each way.
            for made in [
                record("CD_Post", secret.name, ["CD_entityName": "Post", "CD_title": "taken"]),
                record("CD_Attachment", "A", ["CD_entityName": "Attachment", "CD_post": secret.name]),
                record("CD_Cover", "C", ["CD_entityName": "Cover", "CD_post": secret.name]),
                record("CD_Tag", "T", ["CD_entityName": "Tag"]),
                record(
                    "CDMR", "P",
                    [
                        "CD_entityNames": "Post:Tag", "CD_relationships": "tags:posts",
                        "CD_recordNames": "\(secret.name):T",
                    ]),
            ] { _ = try await database.save(made) }
            try await phone.store.mirror()
            try await change(phone, secret, "content", "diary")
            try await phone.store.mirror()
            try await phone.store.write { objects in
                let cover = try objects.make("Cover")
                try objects.save(cover)
                var object = try #require(try objects.reader.object(secret))
                try object.relate("cover", to: cover.id)
                try objects.save(object)
            }
            try await phone.store.mirror()
            #expect(try await title(secret, on: phone) == "secret")
            #expect(try await phone.store.importFailures().map(\.name) == [secret.name])
            let there = try await serverRecords(
                phone.cloud.privateCloudDatabase, in: share.recordID.zoneID)
            let leaked = there.filter { $0["CD_content"] as? String == "diary" }
            #expect(leaked.isEmpty)
            #expect(try await places(phone).contains("home CD_Post \(secret.name)"))
        }
    }

    @Test("A record of a participant with the name of an object does not draw the object into the share")
    func earlyAttack() async throws {
        try await withFamily { family in
            let (phone, tablet) = (family.phone, family.tablet)
            let post = try await phone.insert("Post")
            let share = try await family.share(post)
            // The tablet sees the participant's record before the object of the owner.
            let secret = try await phone.insert("Tag") { try $0.set("name", to: "diary") }
            let zone = try #require(
                try await family.bob.cloud.sharedCloudDatabase.allRecordZones().first
            ).zoneID
            let taken = CKRecord(
                recordType: "CD_Tag", recordID: CKRecord.ID(recordName: secret.name, zoneID: zone))
            taken["CD_entityName"] = "Tag"
            taken["CD_name"] = "taken"
            taken["CD_moveReceipt"] = Data(#"{"codes":{},"fields":{},"from":"\#(homeZone.zoneName)"}"#.utf8)
            _ = try await family.bob.cloud.sharedCloudDatabase.save(taken)
            try await tablet.store.mirror()
            try await family.mirrorAll()
            let there = try await serverRecords(
                phone.cloud.privateCloudDatabase, in: share.recordID.zoneID)
            let leaked = there.filter { $0["CD_name"] as? String == "diary" }
            #expect(leaked.isEmpty)
            #expect(try await places(phone).contains("home CD_Tag \(secret.name)"))
            for device in [phone, tablet] {
                let name = try await device.store.read { try $0.object(secret)?.get("name", as: String.self) }
                #expect(name == "diary")
                #expect(try await device.store.importFailures().map(\.name) == [secret.name])
            }
        }
    }

    @Test("Objects of a share that has ended go, with the changes that waited for it")
    func ends() async throws {
        try await withFamily { family in
            let (phone, tablet, bob) = (family.phone, family.tablet, family.bob)
            let post = try await phone.insert("Post")
            let other = try await phone.insert("Post")
            let zone = try await family.share(post).recordID.zoneID
            try await tablet.store.mirror()
            bob.link.isCut = true
            try await change(bob, post, "title", "too late")
            try await phone.store.purgeObjectsAndRecordsInZone(with: zone)
            try await tablet.store.mirror()
            for device in [phone, tablet] {
                let found2 = try await device.store.read { try $0.objects("Post").map(\.id) }
                #expect(found2 == [other])
            }
            bob.link.isCut = false
            try await bob.store.mirror()
            let theirs = CKRecordZone.ID(
                zoneName: zone.zoneName, ownerName: try await phone.cloud.userRecordID().recordName)
            try await bob.store.purgeObjectsAndRecordsInZone(with: theirs)
            #expect(try await bob.graph().isEmpty)
            // A participant who leaves keeps nothing, and the owner everything.
            let again = try await family.share(other)
            #expect(try await bob.graph().count == 1)
            let left = CKRecordZone.ID(
                zoneName: again.recordID.zoneID.zoneName, ownerName: theirs.ownerName)
            try await bob.store.purgeObjectsAndRecordsInZone(with: left)
            #expect(try await bob.graph().isEmpty)
            try await phone.store.mirror()
            #expect(try await phone.graph().count == 1)
        }
    }
}
