import CloudSync
import Cloudlet
import CloudletTesting
import Foundation
import MirroredStore
import Records
import Synchronization
import Testing

@testable import TestKit

@Suite("Several stores behind one object")
struct SeveralStoresTests {
    private struct TooShort: Error, Equatable {}

    private static func local() throws -> StoreLayout {
        try StoreLayout([
            .init(
                "Sample",
                attributes: [
                    .init("latitude", .double, isOptional: false), .init("date", .date, isOptional: false),
                ]),
            .init("Manuscript", attributes: [.init("text", .string, isOptional: false)]),
        ])
    }

    private static func team() throws -> StoreLayout {
        try StoreLayout([.init("Notice", attributes: [.init("text", .string)])])
    }

    func stores(
        _ device: String, of person: String, in world: CloudletWorld, _ folder: URL, start: Int = 0,
        committed: @escaping @Sendable (String) throws -> Void = { _ in }
    ) async throws -> MirroredStores {
        let connection = try await world.connection(of: person, on: "\(person)-\(device)")
        let clock = WorldClock(WorldClock.beginning)
        let numbers = Numbers(number: start)
        var settings = MirroredStore.Settings(
            now: { clock.now }, newName: { "\(device)-\(numbers.next())" },
            pause: { clock.advance(bySeconds: $0 / .seconds(1)) })
        settings.subscribes = false
        let own = CKContainer(identifier: MirroredDevice.container, connection: connection)
        let other = CKContainer(identifier: "iCloud.org.example.team", connection: connection)
        return try MirroredStores(
            folder: folder.appendingPathComponent("\(person)-\(device)"),
            [
                StoreDescription("cloud", layout: try Posts.layout(), container: own),
                StoreDescription("shared", layout: try Posts.layout(), container: own, scope: .shared),
                StoreDescription("team", layout: try Self.team(), container: other),
                StoreDescription("local", layout: try Self.local()) { object in
                    let text: String = object.get("text") ?? "long enough"
                    if text.count < 5 { throw TooShort() }
                },
            ], settings: settings, committed: committed)
    }

    func withWorld(_ body: (CloudletWorld, URL) async throws -> Void) async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in try await body(world, folder) }
        }
    }

    @Test("A new object is in the store of its entity, and only mirrored stores reach the other device")
    func routes() async throws {
        try await withWorld { world, folder in
            let phone = try await stores("phone", of: "alice", in: world, folder)
            let tablet = try await stores("tablet", of: "alice", in: world, folder)
            try await phone.write { objects in
                for entity in ["Post", "Notice"] { try objects.save(try objects.make(entity)) }
                var sample = try objects.make("Sample")
                try sample.set("latitude", to: 51.5)
                try sample.set("date", to: WorldClock.beginning)
                try objects.save(sample)
            }
            let kept = try await [phone.store("cloud"), phone.store("team"), phone.store("local")]
                .asyncMap { store in try await store.history().flatMap { $0.changes.map(\.id.root) } }
            #expect(kept == [["Post"], ["Notice"], ["Sample"]])
            let status = try await phone.mirror()
            #expect(status.keys.sorted() == ["cloud", "shared", "team"])
            try await tablet.mirror()
            let found = try await tablet.read { reader in
                try ["Post", "Notice", "Sample"].map { try reader.objects($0).count }
            }
            #expect(found == [1, 1, 0])
            #expect(try await tablet.store("team").events().map(\.storeIdentifier) == ["team", "team"])
        }
    }

    @Test("An error rolls back the changes of all stores, and drafts have rules of their own")
    func validates() async throws {
        try await withWorld { world, folder in
            let phone = try await stores("phone", of: "alice", in: world, folder)
            await #expect(throws: TooShort.self) {
                try await phone.write { objects in
                    try objects.save(try objects.make("Post"))
                    var draft = try objects.make("Manuscript")
                    try draft.set("text", to: "abc")
                    try objects.save(draft)
                }
            }
            let count = try await phone.read { try $0.objects("Post").count }
            #expect(count == 0)
            // One transaction replaces a valid draft in one store with a post in another.
            let draft = try await phone.write { objects in
                var draft = try objects.make("Manuscript")
                try draft.set("text", to: "a long story")
                try objects.save(draft)
                return draft
            }
            try await phone.write { objects in
                var post = try objects.make("Post")
                try post.set("content", to: draft.get("text", as: String.self))
                try objects.save(post)
                try objects.delete(draft.id)
            }
            let (posts, drafts) = try await phone.read { reader in
                (
                    try reader.objects("Post").map { $0.get("content", as: String.self) },
                    try reader.objects("Manuscript").count
                )
            }
            #expect(posts == ["a long story"])
            #expect(drafts == 0)
        }
    }

    struct Killed: Error {}

    @Test(
        "A kill between the commits of two stores loses no change and applies none twice",
        arguments: ["none", "local", "team", "shared", "cloud"])
    func killed(_ last: String) async throws {
        try await withWorld { world, folder in
            // The process ends when the store `last` has committed. The stores commit from `local` to
            // `cloud`.
            let phone = try await stores("phone", of: "alice", in: world, folder) { name in
                if name == last { throw Killed() }
            }
            let local = try phone.store("local")
            let draft = try await local.write { objects in
                var draft = try objects.make("Manuscript")
                try draft.set("text", to: "a long story")
                try objects.save(draft)
                return draft
            }
            let tag = try await phone.store("cloud").write { objects in
                let tag = try objects.make("Tag")
                try objects.save(tag)
                return tag.id
            }
            do {
                try await phone.write(author: "editor") { objects in
                    var post = try objects.make("Post")
                    try post.set("content", to: draft.get("text", as: String.self))
                    try objects.save(post)
                    try objects.link(post.id, "tags", tag)
                    try objects.save(try objects.make("Notice"))
                    try objects.delete(draft.id)
                }
                #expect(last == "none")
            } catch is Killed {}

            for start in [100, 200] {
                let again = try await stores("phone", of: "alice", in: world, folder, start: start)
                #expect(again.unfinished == [])
                let found = try await again.read { reader in
                    try ["Post", "Notice", "Manuscript"].map { try reader.objects($0).count }
                }
                #expect(found == [1, 1, 0], "after \(last)")
                let posts = try await again.read { try $0.related(tag, "posts").count }
                #expect(posts == 1)
                let authors = try await again.store("cloud").history().map(\.author)
                #expect(authors == ["app", "editor"])
                try await again.mirror()
            }
            let tablet = try await stores("tablet", of: "alice", in: world, folder)
            try await tablet.mirror()
            let there = try await tablet.read { reader in
                (
                    try reader.objects("Post").map { $0.get("content", as: String.self) },
                    try reader.related(tag, "posts").count, try reader.objects("Notice").count
                )
            }
            #expect(there.0 == ["a long story"])
            #expect(there.1 == 1)
            #expect(there.2 == 1)
        }
    }

    @Test("After a commit that failed, the next call first makes the changes that are missing")
    func mended() async throws {
        try await withWorld { world, folder in
            let isFailing = Mutex(true)
            let phone = try await stores("phone", of: "alice", in: world, folder) { name in
                if name == "local", isFailing.withLock({ $0 }) { throw Killed() }
            }
            await #expect(throws: Killed.self) {
                try await phone.write { objects in
                    try objects.save(try objects.make("Post"))
                    var draft = try objects.make("Manuscript")
                    try draft.set("text", to: "a long story")
                    try objects.save(draft)
                }
            }
            isFailing.withLock { $0 = false }
            try await phone.write { try $0.save(try $0.make("Notice")) }
            let found = try await phone.read { reader in
                try ["Post", "Notice", "Manuscript"].map { try reader.objects($0).count }
            }
            #expect(found == [1, 1, 1])
        }
    }

    @Test("A thousand samples of a sensor are coalesced into one object before anything is uploaded")
    func coalesces() async throws {
        try await withWorld { world, folder in
            let phone = try await stores("phone", of: "alice", in: world, folder)
            let local = try phone.store("local")
            for batch in 0..<10 {
                try await local.write { objects in
                    for number in 0..<100 {
                        var sample = try objects.make("Sample")
                        try sample.set("latitude", to: Double(batch * 100 + number))
                        try sample.set("date", to: WorldClock.beginning)
                        try objects.save(sample)
                    }
                }
            }
            try await phone.write { objects in
                let samples = try objects.reader.objects("Sample")
                var notice = try objects.make("Notice")
                let sum = samples.compactMap { $0.get("latitude", as: Double.self) }.reduce(0, +)
                try notice.set("text", to: "\(samples.count) samples, mean \(sum / Double(samples.count))")
                try objects.save(notice)
                for sample in samples { try objects.delete(sample.id) }
            }
            try await phone.mirror()
            let team = try #require(try phone.store("team").container)
            let records = try await serverRecords(team.privateCloudDatabase)
            let texts = records.map { $0["CD_text"] as? String }
            #expect(texts == ["1000 samples, mean 499.5"])
            let count = try await phone.read { try $0.objects("Sample").count }
            #expect(count == 0)
        }
    }

    @Test("Own and shared objects are read together, and a new object follows those to which it is related")
    func unites() async throws {
        try await withWorld { world, folder in
            let alice = try await stores("phone", of: "alice", in: world, folder)
            let bob = try await stores("laptop", of: "bob", in: world, folder)
            let post = try await alice.write { objects in
                let post = try objects.make("Post")
                try objects.save(post)
                return post.id
            }
            let (_, share, _) = try await alice.share([post], to: nil)
            share.publicPermission = .readWrite
            let saved = try await alice.store("cloud").persistUpdatedShare(share)
            let url = try #require(saved.url)
            let container = try #require(try bob.store("shared").container)
            try await bob.acceptShareInvitations(from: [try await container.shareMetadata(for: url)])
            let (own, attachment) = try await bob.write { objects in
                let own = try objects.make("Post")
                try objects.save(own)
                var attachment = try objects.make("Attachment")
                try attachment.relate("post", to: post)
                try objects.save(attachment)
                return (own.id, attachment.id)
            }
            let snapshot = try bob.snapshot()
            let found = Set(try await bob.read { try $0.objects("Post").map(\.id) })
            #expect(found == [own, post])
            #expect(try await bob.store(of: attachment).identifier == "shared")
            #expect(try await bob.store(of: own).identifier == "cloud")
            #expect(try await bob.canUpdateRecord(forManagedObjectWith: post))
            #expect(try await bob.fetchShares(matching: [own, post]).keys.map(\.self) == [post])
            let error = await #expect(throws: MirroredStoreError.self) {
                try await bob.write { objects in
                    let tag = try objects.make("Tag", in: "cloud")
                    try objects.save(tag)
                    try objects.link(post, "tags", tag.id)
                }
            }
            #expect(error?.reason.contains("shared") == true)
            try await bob.mirror()
            try await alice.mirror()
            let found2 = try await alice.read { try $0.related(post, "attachments").map(\.id) }
            #expect(found2 == [attachment])
            try await bob.write { try $0.delete(own) }
            let found3 = Set(try await snapshot.read { try $0.objects("Post").map(\.id) })
            #expect(found3 == [own, post])
        }
    }
}

extension Array where Element: Sendable {
    /// Maps the elements one after the other.
    fileprivate func asyncMap<T>(_ body: (Element) async throws -> T) async throws -> [T] {
        var results: [T] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
