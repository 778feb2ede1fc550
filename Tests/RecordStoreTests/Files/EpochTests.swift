import DirectorySQLite
import Foundation
import RecordStore
import RecordStoreSQLite
import Records
import RecordsWire
import Testing

@testable import TestKit

@Suite("A new epoch of a restored file")
struct EpochTests {
    private let epoch = DatabaseEpoch(identity: 99, gap: 1 << 45)

    /// Runs `before` on a store, restores its file, and continues at the same world time.
    private func restored(
        _ before: (World) async throws -> Void, after: (World) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let first = World(store: try StoreKind.sqlite.open(in: folder))
            try await before(first)
            try await first.finish()
            try RecordFile.begin(epoch, in: folder.appendingPathComponent("test.sqlite"))
            let second = World(
                store: try StoreKind.sqlite.open(in: folder), schema: first.schema, time: 1_000_000)
            try await after(second)
            try await second.finish()
        }
    }

    private func expectExpired(_ body: () async throws -> some Sendable) async {
        let error = await #expect(throws: RecordError.self) { _ = try await body() }
        #expect(error?.code == .changeTokenExpired)
    }

    @Test("All earlier tokens expire: of zones, of the database, and of the notification collection")
    func tokens() async throws {
        var (zone, database) = (ChangeToken(bytes: []), ChangeToken(bytes: []))
        var told: Int64 = 0
        try await restored { world in
            _ = try await world.store.createZone(named: "Z")
            try await world.subscribe(RecordStoreTests.database("all"))
            for name in ["a", "b", "c"] { try await world.create(name, zone: "Z") }
            zone = try await world.store.changes(ChangesRequest(zone: "Z", limit: 1)).token
            database = try await world.store.zoneChanges(since: nil, limit: 9).token
            told = try await world.store.notifications(of: "_bob", after: 0, limit: 9).end
        } after: { world in
            await expectExpired {
                try await world.store.changes(ChangesRequest(zone: "Z", since: zone, limit: 9))
            }
            await expectExpired { try await world.store.zoneChanges(since: database, limit: 9) }
            for number in [told, 1, told + 50] {
                await expectExpired {
                    try await world.store.notifications(of: "_bob", after: number, limit: 9)
                }
            }
            // All changes can be fetched from the start, page by page, and continued from the last token.
            #expect(try await world.names(in: "Z") == ["a", "b", "c"])
            var after: Int64 = 0
            for count in [2, 1, 0] {
                let page = try await world.store.notifications(of: "_bob", after: after, limit: 2)
                #expect(page.notifications.count == count)
                after = page.end
            }
            try await world.create("d", zone: "Z")
            #expect(
                try await world.store.notifications(of: "_bob", after: after, limit: 9).notifications.count
                    == 1)
        }
    }

    @Test("New change tags continue after the gap, and unchanged records keep their tags")
    func tags() async throws {
        var old = 0 as Int64
        try await restored { world in
            for name in ["a", "b"] { try await world.create(name) }
            old = try #require(try await world.store.records(named: ["a"], in: ZoneID.defaultName)[0])
                .sequence
        } after: { world in
            let kept = try await world.store.records(named: ["a"], in: ZoneID.defaultName)
            #expect(kept[0]?.sequence == old)
            #expect(try await world.create("c").sequence == 2 + epoch.gap + 1)
            let zone = try await world.store.createZone(named: "Z")
            #expect(zone.syncToken != nil)
            #expect(try await world.create("d", zone: "Z").sequence == 2 + epoch.gap + 3)
        }
    }

    @Test("Times, orders and pages are correct across the gap, and the count of remaining changes omits it")
    func reading() async throws {
        try await restored { world in
            for name in ["a", "b", "c"] { try await world.create(name) }
        } after: { world in
            for name in ["d", "e"] { try await world.create(name) }
            try await world.save(RecordOperation(.forceUpdate, recordName: "b", recordType: "Party"))
            let (before, between, late) = (time(3000), time(500_000), time(1_001_500))
            for (key, early, all) in [
                (SystemField.createdTimestamp, ["a", "b"], ["d", "e"]),
                (.modifiedTimestamp, ["a"], ["b", "d", "e"]),
            ] {
                #expect(try await world.find(system(key, .lessThan, before)).sorted() == early)
                #expect(try await world.find(system(key, .greaterThan, between)).sorted() == all)
                #expect(
                    try await world.find(system(key, .greaterThan, late)).sorted() == all.filter { $0 != "d" }
                )
            }
            #expect(
                try await world.find(sort: [Sort(.system(.createdTimestamp))]) == ["a", "b", "c", "d", "e"])
            var request = ChangesRequest(zone: ZoneID.defaultName, limit: 1)
            var (names, remaining): ([String], [Int?]) = ([], [])
            while true {
                let page = try await world.store.changes(request)
                names += page.changes.map(\.brief)
                remaining.append(page.remaining)
                request.since = page.token
                if !page.moreComing { break }
            }
            #expect(names == ["a", "c", "d", "e", "b"])
            #expect(remaining == [nil, nil, 2, 1, nil])
        }
    }

    @Test("Each restore has another gap and another identity")
    func chance() {
        var random = SeededNumbers(seed: 1)
        let epochs = (0..<100).map { _ in
            DatabaseEpoch { count in (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } }
        }
        #expect(Set(epochs.map(\.gap)).count == 100)
        #expect(Set(epochs.map(\.identity)).count == 100)
        #expect(epochs.allSatisfy { DatabaseEpoch.gaps.contains($0.gap) })
        #expect(DatabaseEpoch { [UInt8](repeating: 0xff, count: $0) }.identity == -1)
        for (after, end, count) in [
            (Int64(0), Int64(5), 5), (5, 5, 0), (0, 1 << 40, nil), (0, 1 << 40 - 1, 1 << 40 - 1), (7, 5, nil),
            (.min, .max, nil),
        ] as [(Int64, Int64, Int?)] {
            #expect(DatabaseEpoch.changes(after: after, upTo: end) == count)
        }
    }

    @Test(
        "A file of a released version is migrated first",
        arguments: try FileKind.released())
    func released(schema: ReleasedSchema) async throws {
        try await withFolder { folder in
            let file = folder.appendingPathComponent("test.sqlite")
            try schema.write(to: file)
            let kind = try #require(FileKind(rawValue: schema.kind))
            switch kind {
            case .database: try RecordFile.begin(epoch, in: file)
            case .directory: try SQLiteDirectory.endSessions(in: file)
            }
            try await kind.open(file)
        }
    }
}
