import Cloudlet
import CloudletTesting
import Foundation
import MirroredStore
import Testing

@testable import TestKit

/// A store with the settings that an app gets if it sets none.
@Suite("The default settings of a mirrored store", .timeLimit(.minutes(2)))
struct DefaultSettingsTests {
    private static func withStore(
        _ layout: StoreLayout, _ body: (MirroredStore, CKDatabase) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                let clock = world.clock
                var settings = MirroredStore.Settings(
                    now: { clock.now }, pause: { clock.advance(bySeconds: $0 / .seconds(1)) })
                settings.subscribes = false
                let container = try await world.container("iCloud.org.example.posts", as: "alice")
                let store = try MirroredStore(
                    folder: folder, layout: layout, container: container, settings: settings)
                try await body(store, container.privateCloudDatabase)
                try store.close()
            }
        }
    }

    @Test("Names of objects and their records are UUIDs unless the app names them")
    func names() async throws {
        try await Self.withStore(try Posts.layout()) { store, database in
            let ids = try await store.write { objects in
                let (post, tag) = (try objects.make("Post"), try objects.make("Tag"))
                try objects.save(post)
                try objects.save(tag)
                try objects.link(post.id, "tags", tag.id)
                return [post.id, tag.id]
            }
            for id in ids { #expect(UUID(uuidString: id.name) != nil, "\(id.name)") }
            #expect(ids[0].name != ids[1].name)
            try await store.mirror()
            let records = try await serverRecords(database)
            #expect(records.count == 3)
            #expect(Set(records.map(\.recordID.zoneID)) == [homeZone])
            for record in records {
                let name = record.recordID.recordName
                #expect(UUID(uuidString: name) != nil, "\(record.recordType) \(name)")
            }
            #expect(Set(ids.map(\.name)).isSubset(of: records.map(\.recordID.recordName)))
        }
    }

    @Test(
        "A value above 750,000 bytes is an asset, and so are the longest of a record above 1,000,000",
        arguments: [
            // The lengths of the values, and the names of those that become assets.
            (["a": 750_000], []), (["a": 750_001], ["a"]), (["a": 600_000, "b": 399_000], []),
            (["a": 600_000, "b": 400_001], ["a"]), (["a": 400_001, "b": 600_000], ["b"]),
            (["a": 700_000, "b": 600_000, "c": 500_000], ["a", "b"]),
        ] as [([String: Int], [String])])
    func longValues(_ lengths: [String: Int], assets: [String]) async throws {
        let layout = try StoreLayout([
            .init("Page", attributes: ["a", "b", "c"].map { .init($0, .string) })
        ])
        try await Self.withStore(layout) { store, database in
            try await store.write { objects in
                var page = try objects.make("Page")
                for (name, length) in lengths {
                    try page.set(name, to: String(repeating: "x", count: length))
                }
                try objects.save(page)
            }
            try await store.mirror()
            let record = try #require(try await serverRecords(database).first)
            for name in lengths.keys {
                let isAsset = assets.contains(name)
                #expect((record["CD_\(name)_ckAsset"] is CKAsset) == isAsset, "\(name) of \(lengths)")
                #expect((record["CD_\(name)"] == nil) == isAsset, "\(name) of \(lengths)")
            }
        }
    }

    @Test("Values whose JSON is too large for the server become assets, and the record is saved")
    func encodedValues() async throws {
        let layout = try StoreLayout([
            .init(
                "Page",
                attributes: [
                    .init("first", .binaryData), .init("second", .binaryData), .init("text", .string),
                    .init("secret", .binaryData, isEncrypted: true),
                ])
        ])
        // The values of each record, and the names of those that become assets.
        let cases: [(values: [String: any Sendable & Equatable], assets: Set<String>)] = [
            (["first": Data(count: 750_000)], []),
            (["first": Data(count: 600_000), "second": Data(count: 390_000)], ["first"]),
            (["text": String(repeating: "\u{1}", count: 600_000)], ["text"]),
            (["secret": Data(count: 500_000)], []), (["secret": Data(count: 700_000)], ["secret"]),
        ]
        for (values, assets) in cases {
            try await Self.withStore(layout) { store, database in
                try await store.write { objects in
                    var page = try objects.make("Page")
                    for (name, value) in values {
                        if let data = value as? Data { try page.set(name, to: data) }
                        if let text = value as? String { try page.set(name, to: text) }
                    }
                    try objects.save(page)
                }
                try await store.mirror()
                let record = try #require(try await serverRecords(database).first)
                for name in values.keys {
                    let isAsset = record["CD_\(name)_ckAsset"] is CKAsset
                    #expect(isAsset == assets.contains(name), "\(name) of \(values.keys)")
                }
            }
        }
    }
}
