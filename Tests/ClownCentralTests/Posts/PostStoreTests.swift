import CloudSync
import Cloudlet
import CloudletServer
import CloudletShell
import CloudletTesting
import CommandShell
import Foundation
import LocalReplica
import MirroredStore
import Records
import Testing

@testable import ClownCentral
@testable import TestKit

@Suite("Posts")
struct PostStoreTests {
    private static let long = String(repeating: "clown ", count: 150_000)

    private func device(
        _ name: String, in world: CloudletWorld, _ folder: URL
    ) async throws -> PostRepository {
        var connection = try await world.connection(of: "alice", on: name)
        connection.account = CloudAccount(webAuthToken: connection.webAuthToken)
        let container = CKContainer(identifier: "iCloud.org.example.posts", connection: connection)
        let clock = WorldClock(WorldClock.beginning)
        var settings = MirroredStore.Settings(
            now: { clock.now }, newName: UUIDSource(name).next,
            pause: { clock.advance(bySeconds: $0 / .seconds(1)) })
        settings.subscribes = false
        return try PostRepository(
            folder: folder.appendingPathComponent(name), container: container, settings: settings)
    }

    /// Runs a body with two devices of alice.
    private func run(
        _ body: (_ phone: PostRepository, _ tablet: PostRepository) async throws -> Void
    ) async throws {
        try await run { phone, tablet, _ in try await body(phone, tablet) }
    }

    private func run(
        _ body: (_ phone: PostRepository, _ tablet: PostRepository, CloudletWorld) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                try await body(
                    try await device("phone", in: world, folder),
                    try await device("tablet", in: world, folder), world)
            }
        }
    }

    private func mirror(_ devices: PostRepository...) async throws {
        for device in devices { try await device.posts.store.mirror() }
    }

    private let now = WorldClock.beginning

    @Test("A post comes to the author's other device with tags, long content and attachments, not its places")
    func mirrors() async throws {
        try await run { phone, tablet in
            let post = try await phone.posts.add(
                "Balloons", Self.long, written: now, tags: ["party", "animals", "Party"])
            let other = try await phone.posts.add("Noses", "red", written: now, tags: ["party"])
            let whole = try await phone.posts.attach(Data([1, 2, 3]), named: "dog.png", to: post.id)
            let place = Coordinate(latitude: 52.5, longitude: 13.4)
            let count = try await phone.add([place], to: post.id)
            try await mirror(phone, tablet)
            #expect(count == 1)
            #expect(whole.tags == ["animals", "party"])
            #expect(whole.attachments.map(\.name) == ["dog.png"])
            for device in [phone, tablet] {
                let posts = try await device.posts.posts()
                #expect(posts == [whole, other])
                let data = try await device.posts.data(of: whole.attachments[0].id)
                #expect(data == Data([1, 2, 3]))
                let tags = try await device.posts.tags()
                #expect(tags == [Tag(name: "animals", postCount: 1), Tag(name: "party", postCount: 2)])
            }
            let known = try await phone.places.places(of: post.id)
            let unknown = try await tablet.places.places(of: post.id)
            #expect(known == [place])
            #expect(unknown.isEmpty)
        }
    }

    @Test("Two devices that create a tag of one name offline create one object, which all their posts have")
    func oneTag() async throws {
        try await run { phone, tablet in
            let first = try await phone.posts.add("One", "", written: now)
            let second = try await phone.posts.add("Two", "", written: now)
            try await mirror(phone, tablet)
            _ = try await phone.posts.tag(first.id, ["party"])
            _ = try await tablet.posts.tag(second.id, ["party"])
            try await mirror(phone, tablet, phone)
            for device in [phone, tablet] {
                let tags = try await device.posts.store.read { try $0.objects("Tag").count }
                let posts = try await device.posts.posts(tag: "PARTY").map(\.title)
                #expect(tags == 1)
                #expect(posts == ["One", "Two"])
            }
        }
    }

    @Test("A tag that another program has made twice is shown once, and taken away as one")
    func foreignTags() async throws {
        try await run { phone, _ in
            let post = try await phone.posts.add("One", "", written: now)
            let id = MirroredObject.ID(root: "Post", name: post.id)
            try await phone.posts.store.write { objects in
                for name in ["Party", "party"] {
                    var tag = try objects.make("Tag")
                    try tag.set("name", to: name)
                    try objects.save(tag)
                    try objects.link(id, "tags", tag.id)
                }
            }
            let shown = try await phone.posts.post(post.id).tags
            let tags = try await phone.posts.tags()
            let without = try await phone.posts.untag(post.id, "PARTY").tags
            #expect(shown == ["Party"])
            #expect(tags.map(\.postCount) == [1])
            #expect(without.isEmpty)
        }
    }

    @Test("Changes of different properties on two devices both stay, and posts are ordered and filtered")
    func together() async throws {
        try await run { phone, tablet in
            let post = try await phone.posts.add("b", "old", written: now)
            _ = try await phone.posts.add("A", "", written: now.addingTimeInterval(60), tags: ["x"])
            try await mirror(phone, tablet)
            _ = try await phone.posts.change(post.id, title: "c")
            _ = try await tablet.posts.change(post.id, content: "new")
            try await mirror(phone, tablet, phone)
            for device in [phone, tablet] {
                let posts = try await device.posts.posts()
                let newest = try await device.posts.posts(by: .newest)
                let tagged = try await device.posts.posts(tag: "x")
                #expect(posts.map(\.title) == ["A", "c"])
                #expect(posts.map(\.content) == ["", "new"])
                #expect(newest.map(\.title) == ["A", "c"])
                #expect(tagged.map(\.title) == ["A"])
            }
        }
    }

    @Test(
        "A deleted post takes its attachments with it, and comes back with all of them, its tags and places")
    func undo() async throws {
        try await run { phone, tablet in
            let post = try await phone.posts.add("One", "text", written: now, tags: ["a", "b"])
            let whole = try await phone.posts.attach(Data("file".utf8), named: "f", to: post.id)
            _ = try await phone.add([Coordinate(latitude: 1, longitude: 2)], to: post.id)
            try await mirror(phone, tablet)
            let deleted = try await phone.delete(post.id)
            try await mirror(phone, tablet)
            let contents = try await tablet.posts.store.read { try $0.objects("FileContent").count }
            let gone = try await tablet.posts.posts()
            #expect(deleted.count == 3)
            #expect(contents == 0)
            #expect(gone.isEmpty)
            try await deleted.restore()
            try await mirror(phone, tablet)
            let back = try await tablet.posts.posts()
            let data = try await tablet.posts.data(of: whole.attachments[0].id)
            let places = try await phone.places.places(of: post.id)
            #expect(back == [whole])
            #expect(data == Data("file".utf8))
            #expect(places.count == 1)
        }
    }

    @Test("A post that is deleted before its file has arrived, and restored, keeps the file on all devices")
    func undoWithoutFile() async throws {
        try await run { phone, tablet, world in
            let data = Data((0..<800_000).map { UInt8(truncatingIfNeeded: $0 * 7) })
            let post = try await phone.posts.add("One", "", written: now)
            let whole = try await phone.posts.attach(data, named: "f", to: post.id)
            try await mirror(phone)
            let lost = try world.server.dataFolder.loseFiles(with: data)
            try await mirror(tablet)
            let missing = try await tablet.posts.data(of: whole.attachments[0].id)
            let deleted = try await tablet.delete(post.id)
            try await deleted.restore()
            for place in lost { try data.write(to: place) }
            try await mirror(tablet, phone)
            try await tablet.posts.store.sync?.waitUntilIdle()
            try await mirror(tablet)
            #expect(!lost.isEmpty)
            #expect(missing == nil)
            for device in [phone, tablet] {
                let posts = try await device.posts.posts()
                let found = try await device.posts.data(of: whole.attachments[0].id)
                #expect(posts == [whole])
                #expect(found == data)
            }
        }
    }

    @Test("Measured places become one walk, which goes to the other device; the places are gone then")
    func walk() async throws {
        try await run { phone, tablet in
            let post = try await phone.posts.add("One", "", written: now)
            try await mirror(phone, tablet)
            let places = [0.0, 1, 2].map { Coordinate(latitude: 0, longitude: $0 / 1000) }
            _ = try await phone.add(Array(places.prefix(2)), to: post.id)
            _ = try await phone.add(Array(places.suffix(1)), to: post.id)
            let waiting = try await phone.posts.store.replica.read { try $0.pendingChanges().count }
            let changed = try await phone.uploadWalk(of: post.id)
            let toSend = try await phone.posts.store.replica.read { try $0.pendingChanges().count }
            try await mirror(phone, tablet)
            let there = try await tablet.posts.post(post.id)
            let left = try await phone.places.places(of: post.id)
            #expect(waiting == 0)
            #expect(toSend == 1)
            #expect(abs((changed.walk?.centre.longitude ?? 0) - 0.001) < 1e-9)
            #expect(abs((changed.walk?.metres ?? 0) - 222.4) < 0.1)
            #expect(there == changed)
            #expect(left.isEmpty)
            await #expect(throws: PostError.noPlaces(post: post.id)) {
                try await phone.uploadWalk(of: post.id)
            }
        }
    }

    @Test("A draft that was published before the app ended is the same post when it is published again")
    func publishedTwice() async throws {
        try await run { phone, tablet in
            let draft = try await phone.drafts.add("One", "text", written: now)
            let first = try await phone.publish(draft, tags: [], at: now)
            let drafts = try await phone.drafts.drafts()
            // As if the app had ended between the two stores.
            let again = try await phone.posts.add("One", "text", written: now, tags: ["a"], key: draft.id)
            try await mirror(phone, tablet)
            let posts = try await tablet.posts.posts()
            #expect(drafts.isEmpty)
            #expect(first.id == again.id)
            #expect(posts == [again])
        }
    }

    @Test("A value beyond a limit is refused, and one at the limit is not")
    func limits() async throws {
        try await run { phone, _ in
            let (posts, drafts) = (phone.posts, phone.drafts)
            func text(_ count: Int) -> String { String(repeating: "x", count: count) }
            let hundred = (1...100).map { "tag \($0)" }
            let post = try await posts.add(text(200), "", written: now)
            _ = try await drafts.add(text(60), "x", written: now)
            _ = try await posts.tag(post.id, [text(50)])
            await #expect(throws: PostError.tooLong("a title", limit: 200, unit: "characters")) {
                try await posts.add(text(201), "", written: now)
            }
            await #expect(throws: PostError.empty("a title")) {
                try await posts.change(post.id, title: " \n")
            }
            await #expect(throws: PostError.severalLines("a title")) {
                try await posts.change(post.id, title: "a\nb")
            }
            await #expect(throws: PostError.tooLong("a text", limit: 10_000_000, unit: "bytes")) {
                try await posts.change(post.id, content: text(10_000_001))
            }
            await #expect(throws: PostError.tooLong("the name of a tag", limit: 50, unit: "characters")) {
                try await posts.tag(post.id, ["fine", text(51)])
            }
            await #expect(throws: PostError.tooLong("the title of a draft", limit: 60, unit: "characters")) {
                try await drafts.add(text(61), "x", written: now)
            }
            await #expect(throws: PostError.empty("the text of a draft")) {
                try await drafts.add("x", " ", written: now)
            }
            await #expect(throws: PostError.tooLong("the file f", limit: 20_000_000, unit: "bytes")) {
                try await posts.attach(Data(count: 20_000_001), named: "f", to: post.id)
            }
            await #expect(throws: PostError.tooMany("tags", limit: 100)) {
                try await posts.tag(post.id, hundred)
            }
            let places = [Coordinate](repeating: Coordinate(latitude: 0, longitude: 0), count: 10_001)
            await #expect(throws: PostError.tooMany("places", limit: 10_000)) {
                try await phone.add(places, to: post.id)
            }
            // A refused call changes nothing.
            let tags = try await posts.post(post.id).tags
            #expect(tags == [text(50)])
            let full = try await posts.add("full", "", written: now, tags: hundred)
            let again = try await posts.tag(full.id, ["tag 7"])
            #expect(again.tags.count == 100)
        }
    }

    @Test(
        "The next step after a missing object lists the objects of its kind",
        arguments: [
            ("post", "post list"), ("tag", "tag list"), ("draft", "draft list"),
            ("attachment", "attach list POST"),
        ])
    func remedies(kind: String, remedy: String) {
        #expect(PostError.missing(kind: kind, id: "no").shellError.remedy == remedy)
    }

    @Test("Tags, attachments and places of a post that does not exist are refused")
    func missing() async throws {
        try await run { phone, _ in
            let missing = PostError.missing(kind: "post", id: "no")
            await #expect(throws: missing) { try await phone.posts.tag("no", ["a"]) }
            await #expect(throws: missing) { try await phone.posts.attach(Data(), named: "f", to: "no") }
            await #expect(throws: missing) {
                try await phone.add([Coordinate(latitude: 0, longitude: 0)], to: "no")
            }
            await #expect(throws: missing) { try await phone.posts.change("no", title: "x") }
            let tags = try await phone.posts.tags()
            #expect(tags.isEmpty)
        }
    }
}
