import Cloudlet
import CloudletTesting
import Foundation
import LocalReplica
import MirroredStore
import Records
import Testing

@testable import TestKit

@Suite("Devices with different versions of the model")
struct ModelUpdateTests {
    private func withPair(
        _ body: (_ phone: MirroredDevice, _ tablet: MirroredDevice) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                let phone = try await MirroredDevice("phone", of: "alice", in: world, folder: folder)
                let tablet = try await MirroredDevice("tablet", of: "alice", in: world, folder: folder)
                try await body(phone, tablet)
            }
        }
    }

    @Test("An object of an older version of the app has the default values of new mandatory attributes")
    func mandatory() async throws {
        try await withPair { phone, tablet in
            let first = try await phone.insert("Post")
            try await phone.store.mirror()
            try await tablet.store.mirror()
            let rank = StoreLayout.Attribute(
                "rank", .integer64, isOptional: false, defaultValue: .int64(7))
            try tablet.kill(layout: try Posts.layout([rank]))
            try await tablet.store.mirror()
            let second = try await phone.insert("Post")
            try await change(phone, first, "title", "new")
            try await phone.store.mirror()
            try await tablet.store.mirror()
            #expect(try await tablet.store.importFailures() == [])
            #expect(try await title(first, on: tablet) == "new")
            for post in [first, second] {
                let found = try await tablet.store.read { try $0.object(post)?.get("rank", as: Int64.self) }
                #expect(found == 7)
            }
            // The default value alone makes no record pending.
            let unsent = try await tablet.store.replica.read { try $0.pendingChanges().count }
            #expect(unsent == 0)
        }
    }

    @Test("Records that an older model refused are imported after an update, also without a new column")
    func refused() async throws {
        try await withPair { phone, tablet in
            let tag = try await phone.insert("Tag")
            let cover = try await phone.insert("Cover")
            try await phone.store.mirror()
            try await tablet.store.mirror()
            var entities = try Posts.layout().declared
            for index in entities.indices {
                switch entities[index].name {
                case "Tag":
                    entities[index].relationships.append(
                        .init("covers", to: "Cover", inverse: "tags", isToMany: true))
                case "Cover":
                    entities[index].relationships.append(
                        .init("tags", to: "Tag", inverse: "covers", isToMany: true))
                default: break
                }
            }
            let next = try StoreLayout(entities + [.init("Idea", parent: "Post")])
            try phone.kill(layout: next)
            let idea = try await phone.insert("Idea")
            try await phone.store.write { try $0.link(tag, "covers", cover) }
            try await phone.store.mirror()
            try await tablet.store.mirror()
            #expect(try await tablet.store.importFailures().count == 2)
            // Opening the store with the same model does not import the refused records again.
            let events = try await tablet.store.events().count
            try tablet.kill()
            try await tablet.store.mirror()
            #expect(try await tablet.store.events().count == events)

            try tablet.kill(layout: next)
            try await tablet.store.mirror()
            #expect(try await tablet.store.importFailures() == [])
            let (entity, covers) = try await tablet.store.read { reader in
                (try reader.object(idea)?.entity, try reader.related(tag, "covers").map(\.id))
            }
            #expect(entity == "Idea")
            #expect(covers == [cover])
        }
    }
}
