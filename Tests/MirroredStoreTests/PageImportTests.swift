import CloudSync
import Cloudlet
import CloudletServer
import CloudletTesting
import Foundation
import LocalReplica
import Records
import Testing

@testable import MirroredStore
@testable import TestKit

@Suite("The import of pages", .timeLimit(.minutes(1)))
struct PageImportTests {
    private static let posts = 25

    /// A phone with posts on the server, and a tablet that fetches them in three pages.
    private func withPosts(
        _ body: (_ phone: MirroredDevice, _ tablet: MirroredDevice) async throws -> Void
    ) async throws {
        var limits = Limits()
        limits.recordsPerResponse = 10
        try await withFolder { folder in
            try await CloudletWorld.run(limits: limits) { world in
                let phone = try await MirroredDevice("phone", of: "alice", in: world, folder: folder)
                let tablet = try await MirroredDevice("tablet", of: "alice", in: world, folder: folder)
                for _ in 0..<Self.posts { _ = try await phone.insert("Post") }
                try await phone.store.mirror()
                try await body(phone, tablet)
            }
        }
    }

    @Test("A feed of several pages is one event, and each page a transaction of the history")
    func pages() async throws {
        try await withPosts { phone, tablet in
            try await tablet.store.mirror()
            #expect(try await tablet.graph() == (try await phone.graph()))
            let events = try await tablet.store.events()
            #expect(events.map(\.kind) == [.setup, .import])
            #expect(events.filter { !$0.succeeded } == [])
            let history = try await tablet.store.history()
            #expect(history.map(\.author) == ["import", "import", "import"])
            #expect(history.map(\.changes.count).reduce(0, +) == Self.posts)
        }
    }

    @Test(
        "A record is stored together with its object, also if the process ends during the feed",
        arguments: 1...12)
    func death(after readings: Int) async throws {
        try await withPosts { phone, tablet in
            tablet.link.expect(.deathBetween, after: readings)
            _ = try? await tablet.store.mirror()
            try tablet.restart()
            let (records, objects) = try await (
                tablet.store.replica.read { try $0.count(in: ZoneID(name: homeZone.zoneName)) },
                tablet.store.read { try $0.objects("Post").count }
            )
            #expect(records == objects)
            try await tablet.store.mirror()
            #expect(try await tablet.graph() == (try await phone.graph()))
        }
    }

    @Test(
        "If a request fails, no event stays open, and the next mirroring fetches the rest", arguments: 1...12)
    func brokenFeed(after requests: Int) async throws {
        try await withPosts { phone, tablet in
            tablet.link.expect(.noConnection, after: requests)
            try await tablet.store.mirror()
            #expect(try await tablet.store.events().filter { $0.endDate == nil } == [])
            try await tablet.store.mirror()
            #expect(try await tablet.graph() == (try await phone.graph()))
        }
    }

    @Test("A page does not import a long queue, which is imported in several transactions")
    func longQueue() async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                let tablet = try await MirroredDevice("tablet", of: "alice", in: world, folder: folder)
                let (store, zone) = (tablet.store, ZoneID(name: homeZone.zoneName))
                let count = store.settings.batchSize * 3
                try await store.replica.write { writer in
                    for number in 0..<count {
                        try writer.save(
                            ReplicaRecord(type: "CD_Post", id: RecordID(name: "p\(number)", zone: zone)))
                    }
                    let page = FetchedPage(
                        zone: zone, versions: [], deletions: [], token: Data(), moreComing: false)
                    try store.pageImports.importPage(page, writer)
                }
                #expect(try await store.replica.read { try $0.hasImportable() })
                try await store.importChanges()
                #expect(try await store.replica.read { try !$0.hasImportable() })
            }
        }
    }
}
