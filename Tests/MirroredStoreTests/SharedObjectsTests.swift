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
    @Test("A shared object moves with all related ones, and the participant has an equal graph")
    func shares() async throws {
        try await Family.run { family in
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

    @Test("A change by a participant who may only read is refused and rolled back")
    func readOnly() async throws {
        try await Family.run { family in
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
        try await Family.run { family in
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
            // A relationship to an object of the share also moves an object that is already on the server.
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

    @Test("Changes that an offline device makes during the move follow the objects into the share")
    func lateChanges() async throws {
        try await Family.run { family in
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

    @Test("Two devices that share one object at the same time end with one share")
    func twice() async throws {
        try await Family.run { family in
            let (phone, tablet) = (family.phone, family.tablet)
            let post = try await phone.insert("Post")
            try await phone.store.mirror()
            try await tablet.store.mirror()
            _ = try await tablet.store.share([post], to: nil)
            // The phone has not fetched that share yet when it moves the post.
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

    @Test("An object of one share cannot be assigned to another, nor be related to objects of another")
    func otherShare() async throws {
        try await Family.run { family in
            let phone = family.phone
            let (post, other) = (try await phone.insert("Post"), try await phone.insert("Post"))
            let zone = try await family.share(post).recordID.zoneID.zoneName
            let share = try await family.share(other)
            try await phone.store.mirror()
            let assigned = await #expect(throws: MirroredStoreError.self) {
                try await phone.store.write { $0.assign(post, to: share) }
            }
            #expect(assigned?.code == .alreadyShared)
            #expect(assigned?.reason == "it belongs to the share \(zone)")
            let tag = try await phone.store.write { objects in
                let tag = try objects.make("Tag")
                try objects.save(tag)
                try objects.link(post, "tags", tag.id)
                return tag.id
            }
            let related = await #expect(throws: MirroredStoreError.self) {
                try await phone.store.write { try $0.link(other, "tags", tag) }
            }
            #expect(related?.code == .alreadyShared)
            #expect(related?.reason.hasPrefix("it is related to objects of another share") == true)
        }
    }

    @Test("Objects of a share that has ended are removed, with their pending changes")
    func ends() async throws {
        try await Family.run { family in
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
            // When a participant leaves, the participant loses the objects and the owner keeps them.
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
