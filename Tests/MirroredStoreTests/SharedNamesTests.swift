import CloudSync
import Cloudlet
import Foundation
import MirroredStore
import Testing

@testable import TestKit

@Suite("Names of objects beside a share")
struct SharedNamesTests {
    /// Saves a record with this name, as Bob, in the first zone that is shared with him.
    ///
    /// - Parameter isValid: whether a post gets its required title.
    private func plant(
        _ type: String, _ name: String, _ family: Family, isValid: Bool = true
    ) async throws {
        let database = family.bob.cloud.sharedCloudDatabase
        let zone = try #require(try await database.allRecordZones().first).zoneID
        let record = CKRecord(recordType: type, recordID: CKRecord.ID(recordName: name, zoneID: zone))
        record["CD_entityName"] = String(type.dropFirst(3))
        if isValid, type == "CD_Post" { record["CD_title"] = "planted" }
        _ = try await database.save(record)
    }

    /// Finds or creates the tag with this key on a device, and relates it to a post.
    private func tag(
        _ post: MirroredObject.ID, _ key: String, on device: MirroredDevice
    ) async throws -> MirroredObject.ID {
        try await device.store.write { objects in
            let tag = try objects.make("Tag", key: key, beside: post)
            try objects.save(tag)
            try objects.link(post, "tags", tag.id)
            return tag.id
        }
    }

    @Test("A key names a different object in each share, and the same object on all devices")
    func keys() async throws {
        try await Family.run { family in
            let (phone, tablet) = (family.phone, family.tablet)
            let (shared, secret) = (try await phone.insert("Post"), try await phone.insert("Post"))
            let share = try await family.share(shared)
            try await family.mirrorAll()
            // Each device creates its tag before it has fetched those of the others.
            let devices = [phone, tablet, family.bob]
            var inShare: Set<MirroredObject.ID> = []
            for device in devices { inShare.insert(try await tag(shared, "balloons", on: device)) }
            let outside = try await tag(secret, "balloons", on: phone)
            let again = try await tag(secret, "balloons", on: tablet)
            #expect(inShare.count == 1 && outside == again && !inShare.contains(outside))
            try await family.mirrorAll()
            #expect(try await tag(secret, "balloons", on: tablet) == outside)
            #expect(inShare.contains(try await tag(shared, "balloons", on: phone)))
            let records = try await serverRecords(phone.cloud.privateCloudDatabase)
            let homes = records.filter { $0.recordID.zoneID == homeZone }.map(\.recordID.recordName)
            #expect(homes.contains(secret.name) && homes.contains(outside.name))
            #expect(records.filter { $0.recordType == "CD_Tag" }.count == 2)
            #expect(share.recordID.zoneID != homeZone)
        }
    }

    @Test(
        "A record of a participant with the name of a key moves no object into the share",
        arguments: [("CD_Tag", true), ("CD_Post", true), ("CD_Post", false)])
    func keyAttack(_ type: String, isValid: Bool) async throws {
        try await Family.run { family in
            let (phone, tablet) = (family.phone, family.tablet)
            let (shared, secret) = (try await phone.insert("Post"), try await phone.insert("Post"))
            try await family.share(shared)
            // The name follows from the entity and the key, so the participant knows it.
            let name = try await phone.store.write { try $0.make("Tag", key: "diary").id.name }
            try await plant(type, name, family, isValid: isValid)
            try await family.mirrorAll()
            let tags = [
                try await tag(secret, "diary", on: phone), try await tag(secret, "diary", on: tablet),
            ]
            #expect(tags[0] == tags[1] && (tags[0].name != name || !isValid))
            try await family.mirrorAll()
            #expect(try await places(phone).contains("home CD_Post \(secret.name)"))
            #expect(try await places(phone).contains("home CD_Tag \(tags[0].name)"))
            #expect(try await phone.graph() == tablet.graph())
        }
    }

    @Test("A participant's record of another type does not hide an object of the owner")
    func otherType() async throws {
        try await Family.run { family in
            let (phone, tablet) = (family.phone, family.tablet)
            let post = try await phone.insert("Post")
            try await family.share(post)
            let diary = try await phone.insert("Tag") { try $0.set("name", to: "diary") }
            // The tablet sees the participant's record before the object of the owner.
            try await plant("CD_Post", diary.name, family)
            try await tablet.store.mirror()
            try await family.mirrorAll()
            for device in [phone, tablet] {
                let name = try await device.store.read { try $0.object(diary)?.get("name", as: String.self) }
                #expect(name == "diary")
                let failures = try await device.store.importFailures().map(\.name)
                #expect(failures == [diary.name])
            }
            #expect(try await places(phone).contains("home CD_Tag \(diary.name)"))
            #expect(try await phone.graph() == tablet.graph())
        }
    }

    @Test("A participant reaches no object outside of the share, by its name or by a relationship to it")
    func attack() async throws {
        try await Family.run { family in
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
            // A record with the name of the object, and records that refer to it by each kind of
            // relationship.
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

    @Test("A record of a participant with the name of an object does not move the object into the share")
    func earlyAttack() async throws {
        try await Family.run { family in
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
}
