import Cloudlet
import CloudletTesting
import Foundation
import MirroredStore
import Records
import Synchronization
import Testing

@testable import ClownCentral
@testable import TestKit

@Suite("Posts")
struct PostStoreTests {
    private final class Names: Sendable {
        private let count = Mutex(0)
        let prefix: String

        init(_ prefix: String) { self.prefix = prefix }

        func next() -> String {
            count.withLock { count in
                count += 1
                return "\(prefix)-\(count)"
            }
        }
    }

    private func store(_ device: String, in world: CloudletWorld, _ folder: URL) async throws -> PostStore {
        var connection = try await world.connection(of: "alice", on: device)
        connection.account = CloudAccount(webAuthToken: connection.webAuthToken)
        let container = CKContainer(identifier: "iCloud.org.example.posts", connection: connection)
        let names = Names(device)
        let clock = WorldClock(WorldClock.beginning)
        var settings = MirroredStore.Settings(
            now: { clock.now }, newName: { names.next() },
            pause: { clock.advance(bySeconds: $0 / .seconds(1)) })
        settings.subscribes = false
        return try PostStore(
            folder: folder.appendingPathComponent(device), container: container, settings: settings)
    }

    @Test("A post comes to the author's other device with tags, long content and attachments, not its place")
    func mirrors() async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                let phone = try await store("phone", in: world, folder)
                let tablet = try await store("tablet", in: world, folder)
                let long = String(repeating: "clown ", count: 150_000)
                let post = try await phone.post(title: "Balloons", content: long)
                let other = try await phone.post(title: "Noses", content: "red")
                try await phone.tag(post, "party")
                try await phone.tag(post, "party")
                try await phone.tag(post, "animals")
                try await phone.tag(other, "party")
                try await phone.attach(Data([1, 2, 3]), named: "dog.png", to: post)
                let place = Coordinate(latitude: 52.5, longitude: 13.4)
                try await phone.place(post, at: place)

                try await phone.posts.mirror()
                try await tablet.posts.mirror()

                let expected = [
                    PostStore.Post(
                        id: post, title: "Balloons", content: long, tags: ["animals", "party"],
                        attachments: ["dog.png"]),
                    PostStore.Post(
                        id: other, title: "Noses", content: "red", tags: ["party"], attachments: []),
                ]
                let here = try await phone.all()
                let there = try await tablet.all()
                #expect(here == expected)
                #expect(there == expected)
                let tags = try await tablet.posts.read { try $0.objects("Tag").count }
                #expect(tags == 2)
                let known = try await phone.place(of: post)
                let unknown = try await tablet.place(of: post)
                #expect(known == place)
                #expect(unknown == nil)
            }
        }
    }
}
