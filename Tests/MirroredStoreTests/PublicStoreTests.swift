import CloudSync
import Cloudlet
import CloudletTesting
import Foundation
import MirroredStore
import Records
import Testing

@testable import TestKit

@Suite("A store of the public database")
struct PublicStoreTests {
    @Test("What one person publishes comes to others, who may change their own objects only")
    func mirrors() async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                let alice = try await MirroredDevice(
                    "phone", of: "alice", in: world, folder: folder, scope: .public)
                let bob = try await MirroredDevice(
                    "laptop", of: "bob", in: world, folder: folder, scope: .public)
                let post = try await alice.insert("Post") { object in
                    try object.set("title", to: "Balloons")
                    try object.set("content", to: String(repeating: "x", count: 1_500))
                }
                let tag = try await alice.insert("Tag")
                try await alice.store.write { try $0.link(post, "tags", tag) }
                #expect(try await alice.store.mirror()?.activity == .idle)
                #expect(try await bob.store.mirror()?.activity == .idle)
                #expect(try await bob.graph() == (try await alice.graph()))
                let found = try await bob.store.read { try $0.related(tag, "posts").map(\.id) }
                #expect(found == [post])
                let may = [
                    try await alice.store.canUpdateRecord(forManagedObjectWith: post),
                    try await bob.store.canUpdateRecord(forManagedObjectWith: post),
                ]
                #expect(may == [true, false])
                try await alice.store.write { objects in
                    var object = try #require(try objects.reader.object(post))
                    try object.set("title", to: "Noses")
                    try objects.save(object)
                }
                alice.link.isCut = true
                let status = try await alice.store.mirror()
                #expect(status?.activity == .waiting)
                alice.link.isCut = false
                let own = try await bob.insert("Attachment") { try $0.relate("post", to: post) }
                for device in [alice, bob, alice] { try await device.store.mirror() }
                #expect(try await bob.graph() == (try await alice.graph()))
                let found2 = try await alice.store.read { try $0.related(post, "attachments").map(\.id) }
                #expect(found2 == [own])
                let kinds = try await alice.store.events().map { "\($0.kind) \($0.succeeded)" }
                #expect(kinds.prefix(2) == ["setup true", "export true"])
                #expect(kinds.contains("export false"))
                let error = await #expect(throws: MirroredStoreError.self) {
                    try await alice.store.share([post], to: nil)
                }
                #expect(error?.code == .notShareable)
            }
        }
    }
}
