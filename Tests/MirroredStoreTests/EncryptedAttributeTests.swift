import Cloudlet
import CloudletTesting
import Foundation
import MirroredStore
import Records
import Testing

@testable import TestKit

@Suite("Long values of encrypted attributes")
struct EncryptedAttributeTests {
    private static let diary = String(repeating: "dear diary ", count: 200)

    private static func layout() throws -> StoreLayout {
        try Posts.layout([.init("diary", .string, isEncrypted: true)])
    }

    private func withDevices(
        _ body: (_ phone: MirroredDevice, _ tablet: MirroredDevice, _ bob: MirroredDevice) async throws ->
            Void
    ) async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                let layout = try Self.layout()
                try await body(
                    MirroredDevice("phone", of: "alice", in: world, folder: folder, layout: layout),
                    MirroredDevice("tablet", of: "alice", in: world, folder: folder, layout: layout),
                    MirroredDevice(
                        "laptop", of: "bob", in: world, folder: folder, scope: .shared, layout: layout))
            }
        }
    }

    private func diary(_ id: MirroredObject.ID, on device: MirroredDevice) async throws -> String? {
        try await device.store.read { try $0.object(id)?.get("diary", as: String.self) }
    }

    private func set(
        _ name: String, to value: String, of id: MirroredObject.ID, on device: MirroredDevice
    ) async throws {
        try await device.store.write { objects in
            var object = try #require(try objects.reader.object(id))
            try object.set(name, to: value)
            try objects.save(object)
        }
    }

    @Test("The server gets the file encrypted, and all devices of the person and of a share read it")
    func seals() async throws {
        try await withDevices { phone, tablet, bob in
            let post = try await phone.insert("Post") { try $0.set("diary", to: Self.diary) }
            try await phone.store.mirror()
            try await tablet.store.mirror()
            #expect(try await diary(post, on: tablet) == Self.diary)
            let record = try #require(try await serverRecords(phone.cloud.privateCloudDatabase).first)
            let asset = try #require(record["CD_diary_ckAsset"] as? CKAsset)
            let bytes = try Data(contentsOf: try #require(asset.fileURL))
            #expect(bytes.count > Self.diary.utf8.count)
            #expect(bytes.range(of: Data("diary".utf8)) == nil)

            let (_, share, _) = try await phone.store.share([post], to: nil)
            share.publicPermission = .readWrite
            let saved = try await phone.store.persistUpdatedShare(share)
            let invitation = try await bob.cloud.shareMetadata(for: try #require(saved.url))
            try await bob.store.acceptShareInvitations(from: [invitation])
            #expect(try await diary(post, on: bob) == Self.diary)
            let theirs = Self.diary + "by Bob"
            try await set("diary", to: theirs, of: post, on: bob)
            for device in [bob, phone, tablet] { try await device.store.mirror() }
            #expect(try await diary(post, on: phone) == theirs)
            #expect(try await diary(post, on: tablet) == theirs)
            try await set("diary", to: "short", of: post, on: tablet)
            for device in [tablet, phone, bob] { try await device.store.mirror() }
            #expect(try await diary(post, on: bob) == "short")
        }
    }

    @Test("A device with another key reads no value, and does not change the value of the others")
    func otherKey() async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                let layout = try Self.layout()
                let phone = try await MirroredDevice(
                    "phone", of: "alice", in: world, folder: folder, layout: layout)
                let other = try await MirroredDevice(
                    "other", of: "alice", in: world, folder: folder, layout: layout,
                    encryptionKey: CloudEncryptionKey(Data("another key of 32 bytes or more ".utf8)))
                let post = try await phone.insert("Post") { try $0.set("diary", to: Self.diary) }
                try await phone.store.mirror()
                try await other.store.mirror()
                #expect(try await diary(post, on: other) == nil)
                try await set("title", to: "by the other", of: post, on: other)
                try await other.store.mirror()
                try await phone.store.mirror()
                let title = try await phone.store.read { try $0.object(post)?.get("title", as: String.self) }
                #expect(title == "by the other")
                #expect(try await diary(post, on: phone) == Self.diary)
            }
        }
    }

    /// Changes the asset of the only record on the server, and leaves the field with the key.
    private func setAsset(_ asset: CKAsset?, on device: MirroredDevice) async throws {
        let database = device.cloud.privateCloudDatabase
        let record = try #require(try await serverRecords(database).first)
        record["CD_diary_ckAsset"] = asset
        try await database.save(record)
    }

    @Test("A key without its file is not read as a value, and stays in the record")
    func keyAlone() async throws {
        try await withDevices { phone, tablet, _ in
            let post = try await phone.insert("Post") { try $0.set("diary", to: Self.diary) }
            try await phone.store.mirror()
            try await setAsset(nil, on: phone)
            for device in [phone, tablet] { try await device.store.mirror() }
            #expect(try await diary(post, on: phone) == Self.diary)
            #expect(try await diary(post, on: tablet) == nil)
            // The tablet changes another value of the record.
            try await set("content", to: String(repeating: "x", count: 900), of: post, on: tablet)
            for device in [tablet, phone, tablet] { try await device.store.mirror() }
            #expect(try await diary(post, on: phone) == Self.diary)
            #expect(try await diary(post, on: tablet) == nil)
            let record = try #require(try await serverRecords(phone.cloud.privateCloudDatabase).first)
            let key = record.encryptedValues["CD_diary"] as? String
            #expect(key?.hasPrefix("CKF1:") == true)
            try await set("diary", to: "short", of: post, on: tablet)
            for device in [tablet, phone] { try await device.store.mirror() }
            #expect(try await diary(post, on: phone) == "short")
        }
    }

    @Test("A device with another key keeps the file when it rewrites a record that is too large")
    func otherKeyRewrites() async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                let layout = try Self.layout()
                let phone = try await MirroredDevice(
                    "phone", of: "alice", in: world, folder: folder, layout: layout)
                let other = try await MirroredDevice(
                    "other", of: "alice", in: world, folder: folder, layout: layout,
                    encryptionKey: CloudEncryptionKey(Data("another key of 32 bytes or more ".utf8)))
                let post = try await phone.insert("Post") { try $0.set("diary", to: Self.diary) }
                try await phone.store.mirror()
                let database = phone.cloud.privateCloudDatabase
                let record = try #require(try await serverRecords(database).first)
                record["CD_content"] = String(repeating: "x", count: 3_000)
                try await database.save(record)
                for device in [other, phone] { try await device.store.mirror() }
                let rewritten = try #require(try await serverRecords(database).first)
                #expect(rewritten["CD_content_ckAsset"] is CKAsset)
                #expect(try await diary(post, on: phone) == Self.diary)
            }
        }
    }

    @Test("A file that is not encrypted is refused if the field has its key")
    func plainFile() async throws {
        try await withDevices { phone, tablet, _ in
            let post = try await phone.insert("Post") { try $0.set("diary", to: Self.diary) }
            for device in [phone, tablet] { try await device.store.mirror() }
            try await withFolder { folder in
                let file = folder.appendingPathComponent("plain")
                try Data("not by Alice".utf8).write(to: file)
                try await setAsset(CKAsset(fileURL: file), on: phone)
            }
            try await tablet.store.mirror()
            #expect(try await diary(post, on: tablet) == Self.diary)
            let failures = try await tablet.store.importFailures()
            #expect(failures.count == 1)
        }
    }

    @Test("An offline change during a move follows the object, and no hash reveals the value")
    func lateChange() async throws {
        try await withDevices { phone, tablet, _ in
            let post = try await phone.insert("Post") { try $0.set("diary", to: "1234") }
            try await phone.store.mirror()
            try await tablet.store.mirror()
            try await set("diary", to: "5678", of: post, on: tablet)
            let (_, share, _) = try await phone.store.share([post], to: nil)
            for _ in 0..<2 {
                for device in [tablet, phone] { try await device.store.mirror() }
            }
            #expect(try await diary(post, on: phone) == "5678")
            #expect(try await diary(post, on: tablet) == "5678")
            let record = try #require(
                try await serverRecords(phone.cloud.privateCloudDatabase, in: share.recordID.zoneID).first {
                    $0.recordType == "CD_Post"
                })
            let receipt = String(decoding: try #require(record["CD_moveReceipt"] as? Data), as: UTF8.self)
            let hashed = try #require(receipt.range(of: #""fields":"#))
            #expect(receipt[hashed.upperBound...].contains("CD_diary") == false)
        }
    }

    @Test("A store of the public database refuses encrypted attributes")
    func noPublic() async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                let error = await #expect(throws: MirroredStoreError.self) {
                    try await MirroredDevice(
                        "phone", of: "alice", in: world, folder: folder, scope: .public,
                        layout: try Self.layout())
                }
                #expect(error?.culprit == "Post.diary")
                #expect(error?.code == .incompatibleModel)
            }
        }
    }
}
