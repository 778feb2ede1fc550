import Cloudlet
import CloudletTesting
import Foundation
import MirroredStore
import Records
import Testing

@testable import TestKit

@Suite("The mirrored store")
struct MirroredStoreTests {
    /// Runs a test with two devices of one person.
    private func withPair(
        _ body: (MirroredDevice, MirroredDevice) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                let phone = try await MirroredDevice("phone", of: "alice", in: world, folder: folder)
                let tablet = try await MirroredDevice("tablet", of: "alice", in: world, folder: folder)
                try await body(phone, tablet)
            }
        }
    }

    @Test("Two devices converge to equal graphs, and the records have the documented form")
    func mirrors() async throws {
        try await withPair { phone, tablet in
            let post = try await phone.insert("Draft") { object in
                try object.set("title", to: "Balloons")
                try object.set("stars", to: Int64(3))
            }
            let tag = try await phone.insert("Tag") { try $0.set("name", to: "party") }
            let attachment = try await phone.insert("Attachment") { object in
                try object.set("data", to: Data(repeating: 7, count: 1_500))
                try object.relate("post", to: post)
            }
            try await phone.store.write { try $0.link(post, "tags", tag) }
            try await phone.store.mirror()
            try await tablet.store.mirror()
            #expect(try await tablet.graph() == (try await phone.graph()))
            #expect(try await tablet.store.read { try $0.related(tag, "posts").map(\.id) } == [post])
            #expect(
                try await tablet.store.read { try $0.related(post, "attachments").map(\.id) } == [attachment])

            let records = try await serverRecords(phone.cloud.privateCloudDatabase)
            let byType = Dictionary(grouping: records, by: \.recordType)
            #expect(byType.keys.sorted() == ["CDMR", "CD_Attachment", "CD_Post", "CD_Tag"])
            #expect(byType["CD_Post"]?.first?["CD_entityName"] as? String == "Draft")
            #expect(byType["CD_Attachment"]?.first?["CD_post"] as? String == post.name)
            #expect(byType["CD_Attachment"]?.first?["CD_data"] == nil)
            #expect(byType["CD_Attachment"]?.first?["CD_data_ckAsset"] is CKAsset)
            #expect(byType["CDMR"]?.first?["CD_entityNames"] as? String == "Post:Tag")
            #expect(byType["CDMR"]?.first?["CD_recordNames"] as? String == "\(post.name):\(tag.name)")
            #expect(byType["CDMR"]?.first?["CD_relationships"] as? String == "tags:posts")
            #expect(try await phone.store.events().map(\.kind) == [.setup, .export])
            #expect(try await tablet.store.events().map(\.kind) == [.setup, .import])
        }
    }

    @Test("Devices that changed different attributes keep both; of one attribute the last writer wins")
    func merges() async throws {
        try await withPair { phone, tablet in
            let post = try await phone.insert("Post")
            try await phone.store.mirror()
            try await tablet.store.mirror()
            try await change(phone, post, "title", "from phone")
            try await change(phone, post, "content", "text")
            try await change(tablet, post, "title", "from tablet")
            try await phone.store.mirror()
            try await tablet.store.mirror()
            try await phone.store.mirror()
            for device in [phone, tablet] {
                let object = try #require(try await device.store.read { try $0.object(post) })
                #expect(object.get("title", as: String.self) == "from tablet")
                #expect(object.get("content", as: String.self) == "text")
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

    @Test("A value that is saved again stores only what was set since")
    func savedAgain() async throws {
        try await withPair { phone, _ in
            let read = try await phone.store.write { objects in
                var post = try objects.make("Post")
                try post.set("title", to: "one")
                try objects.save(&post)
                return post
            }
            try await change(phone, read.id, "title", "two")
            try await phone.store.write { objects in
                var post = read
                try post.set("content", to: "text")
                try objects.save(&post)
            }
            let stored = try await phone.store.read { try $0.object(read.id) }
            #expect(stored?.get("title", as: String.self) == "two")
            #expect(stored?.get("content", as: String.self) == "text")
        }
    }

    @Test("Saving a value that was read before an import does not undo changes of the import")
    func stale() async throws {
        try await withPair { phone, tablet in
            let id = try await phone.insert("Post")
            let tag = try await phone.insert("Cover")
            try await phone.store.mirror()
            try await tablet.store.mirror()
            let read = try await phone.store.read { try $0.object(id) }
            var shown = try #require(read)
            try await change(tablet, id, "content", "new")
            try await tablet.store.write { objects in
                var post = try #require(try objects.reader.object(id))
                try post.relate("cover", to: tag)
                try objects.save(post)
            }
            try await tablet.store.mirror()
            try await phone.store.mirror()
            try shown.set("title", to: "Balloons")
            let late = shown
            try await phone.store.write { try $0.save(late) }
            try await phone.store.mirror()
            try await tablet.store.mirror()
            for device in [phone, tablet] {
                let post = try await device.store.read { try $0.object(id) }
                #expect(post?.get("content", as: String.self) == "new")
                #expect(post?.get("title", as: String.self) == "Balloons")
                #expect(post?.target("cover") == tag)
            }
        }
    }

    @Test("Delete rules apply on the other device, and no pair remains without its objects")
    func deletes() async throws {
        try await withPair { phone, tablet in
            let post = try await phone.insert("Post")
            let tag = try await phone.insert("Tag")
            _ = try await phone.insert("Attachment") { try $0.relate("post", to: post) }
            try await phone.store.write { try $0.link(post, "tags", tag) }
            try await phone.store.mirror()
            try await tablet.store.mirror()
            // The tablet adds an attachment to the post, while the phone deletes the post.
            _ = try await tablet.insert("Attachment") { try $0.relate("post", to: post) }
            try await phone.store.write { try $0.delete(post) }
            for device in [phone, tablet, phone] { try await device.store.mirror() }
            let left = ["Tag \(tag.name)"]
            #expect(try await phone.graph() == left)
            #expect(try await tablet.graph() == left)
            let records = try await serverRecords(phone.cloud.privateCloudDatabase)
            #expect(records.map(\.recordType) == ["CD_Tag"])
        }
    }

    @Test("A relationship whose target arrives later waits for it")
    func waits() async throws {
        try await withPair { phone, _ in
            _ = try await phone.insert("Tag")
            try await phone.store.mirror()
            let zone = CKRecordZone.ID(zoneName: "com.apple.coredata.cloudkit.zone")
            func record(_ type: String, _ name: String, _ fields: [String: String]) -> CKRecord {
                let record = CKRecord(
                    recordType: type, recordID: CKRecord.ID(recordName: name, zoneID: zone))
                for (key, value) in fields { record[key] = value }
                return record
            }
            let database = phone.cloud.privateCloudDatabase
            _ = try await database.save(
                record("CD_Attachment", "A", ["CD_entityName": "Attachment", "CD_post": "P"]))
            try await phone.store.mirror()
            let attachment = MirroredObject.ID(root: "Attachment", name: "A")
            #expect(try await phone.store.read { try $0.object(attachment)?.target("post") } == nil)
            _ = try await database.save(
                record("CD_Post", "P", ["CD_entityName": "Post", "CD_title": "plain"]))
            _ = try await database.save(record("CD_Post", "Q", ["CD_entityName": "Nothing"]))
            try await phone.store.mirror()
            let post = MirroredObject.ID(root: "Post", name: "P")
            #expect(try await phone.store.read { try $0.object(attachment)?.target("post") } == post)
            #expect(try await phone.store.importFailures().map(\.name) == ["Q"])
        }
    }

    @Test("A broken rule rolls the transaction back and names entity, attribute and object")
    func validates() async throws {
        try await withPair { phone, _ in
            let error = await #expect(throws: MirroredStoreError.self) {
                try await phone.insert("Post") { try $0.set("title", to: nil) }
            }
            #expect(error?.code == .invalidValue)
            #expect(error?.culprit.hasPrefix("Post.title of phone-") == true)
            let graph = try await phone.graph()
            #expect(graph.isEmpty)
        }
    }

    @Test("A snapshot stays the same, and the history names authors and changes and expires")
    func remembers() async throws {
        try await withPair { phone, tablet in
            let post = try await phone.insert("Post")
            try await phone.store.mirror()
            let snapshot = try tablet.store.snapshot()
            try await tablet.store.mirror()
            #expect(try await snapshot.read { try $0.objects("Post").count } == 0)
            #expect(try await tablet.store.read { try $0.objects("Post").count } == 1)
            try await change(tablet, post, "title", "new")
            let history = try await tablet.store.history()
            #expect(history.map(\.author) == ["import", "app"])
            #expect(history.map { $0.changes.map(\.kind) } == [[.insert], [.update]])
            #expect(history.last?.changes.first?.properties == ["title"])
            try await tablet.store.deleteHistory(before: .distantFuture)
            let error = await #expect(throws: MirroredStoreError.self) {
                try await tablet.store.history(after: 1)
            }
            #expect(error?.code == .historyExpired)
        }
    }

    @Test("A deletion of the history before a moment leaves no gap, also if the clock was set back")
    func forgets() async throws {
        try await withPair { phone, _ in
            let post = try await phone.insert("Post")
            phone.clock.advance(bySeconds: 100)
            let moment = phone.clock.now
            try await change(phone, post, "title", "young")
            phone.clock.advance(bySeconds: -50)
            try await change(phone, post, "title", "old, but after the young one")
            try await phone.store.deleteHistory(before: moment)
            let tokens = try await phone.store.history(after: 1).map(\.token)
            #expect(tokens == [2, 3])
        }
    }

    @Test("An attribute that an update of the app adds is filled from the records")
    func migrates() async throws {
        try await withPair { phone, tablet in
            let layout = try Posts.layout([.init("place", .string)])
            try phone.kill(layout: layout)
            let post = try await phone.insert("Post") { try $0.set("place", to: "garden") }
            try await phone.store.mirror()
            try await tablet.store.mirror()
            try tablet.kill(layout: layout)
            try await tablet.store.mirror()
            let place = try await tablet.store.read { try $0.object(post)?.get("place", as: String.self) }
            #expect(place == "garden")
        }
    }

    @Test("A name with a colon is refused at the end of a relationship with many objects on both sides")
    func colon() async throws {
        try await withPair { phone, _ in
            let post = try await phone.insert("Post")
            let error = await #expect(throws: MirroredStoreError.self) {
                try await phone.store.write { objects in
                    let tag = try objects.make("Tag", name: "a:b")
                    try objects.save(tag)
                    try objects.link(post, "tags", tag.id)
                }
            }
            #expect(error?.code == .invalidValue)
            #expect(error?.culprit == "a:b")
            let tags = try await phone.store.read { try $0.objects("Tag").count }
            #expect(tags == 0)
        }
    }

    @Test(
        "A running store imports what other devices sent, and sends its own changes", .timeLimit(.minutes(30))
    )
    func runs() async throws {
        try await withPair { phone, tablet in
            let there = try await tablet.insert("Post")
            try await tablet.store.mirror()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await phone.store.run() }
                for try await posts in phone.store.observe({ try $0.objects("Post").map(\.id) }) {
                    if posts == [there] { break }
                }
                let here = try await phone.insert("Post")
                var known: [MirroredObject.ID] = []
                while !known.contains(here) {
                    try await tablet.store.mirror()
                    known = try await tablet.store.read { try $0.objects("Post").map(\.id) }
                }
                group.cancelAll()
            }
            #expect(try await phone.graph() == (try await tablet.graph()))
        }
    }

    @Test("A long value that shrinks returns to its field, and its file is removed")
    func shrinks() async throws {
        try await withPair { phone, tablet in
            let post = try await phone.insert("Post")
            for length in [1_500, 10] {
                try await change(phone, post, "content", String(repeating: "x", count: length))
                try await phone.store.mirror()
                try await tablet.store.mirror()
                let text = try await tablet.store.read {
                    try $0.object(post)?.get("content", as: String.self)
                }
                #expect(text?.count == length)
                let record = try #require(try await serverRecords(phone.cloud.privateCloudDatabase).first)
                #expect((record["CD_content"] == nil) == (length > 1_000))
                #expect((record["CD_content_ckAsset"] == nil) == (length < 1_000))
            }
            let files = phone.folder.appendingPathComponent("files").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: files).count == 1)
            try await phone.store.removeUnusedFiles()
            #expect(try FileManager.default.contentsOfDirectory(atPath: files).isEmpty)
        }
    }
}
