import CloudSync
import Cloudlet
import CloudletTesting
import Foundation
import GRDB
import LocalReplica
import Records
import Testing

@testable import MirroredStore
@testable import TestKit

@Suite("The records of a page", .timeLimit(.minutes(1)))
struct PageRecordTests {
    private func withTablet(_ body: (MirroredDevice) async throws -> Void) async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                try await body(try await MirroredDevice("tablet", of: "alice", in: world, folder: folder))
            }
        }
    }

    /// The server's version of an object's record.
    ///
    /// - Parameter partner: the name of the object at the other end of `Post.cover`.
    private func version(
        _ name: String, tag: String = "1", entity: String = "Post", type: String = "CD_Post",
        stars: Int64 = 0, partner: String? = nil
    ) -> ServerVersion {
        let zone = ZoneID(name: homeZone.zoneName)
        var fields: Fields = ["CD_entityName": Field(.string(entity)), "CD_stars": Field(.int64(stars))]
        if let partner { fields[entity == "Cover" ? "CD_post" : "CD_cover"] = Field(.string(partner)) }
        return ServerVersion(
            id: RecordID(name: name, zone: zone), type: type, tag: tag, systemFields: Data([1]),
            fields: fields)
    }

    /// Applies a page and imports its records, in one transaction.
    ///
    /// - Parameters:
    ///   - edit: a record that is saved between the application of the page and the import.
    ///   - isPrepared: whether the import is prepared, so that new records are not queued.
    ///   - isImported: whether the records are imported at once; otherwise they stay in the queue.
    private func receive(
        _ versions: [ServerVersion], deletions: [String] = [], edit: ReplicaRecord? = nil,
        on tablet: MirroredDevice, _ isPrepared: Bool, isImported: Bool = true
    ) async throws {
        let store = tablet.store
        try await store.replica.write { writer in
            var page = FetchedPage(
                zone: ZoneID(name: homeZone.zoneName), versions: versions, deletions: deletions,
                token: Data([1]), moreComing: false)
            try page.compare(with: writer.reader)
            if isPrepared { try store.pageImports.prepare(page, writer) }
            _ = try writer.apply(page, MergePolicy(), at: WorldClock.beginning)
            if let edit { try writer.save(edit) }
            if isImported { try store.pageImports.importPage(page, writer) }
        }
    }

    /// The names of all posts with their stars.
    private func posts(_ tablet: MirroredDevice) async throws -> [String] {
        try await tablet.store.read { reader in
            try reader.objects("Post").map { "\($0.id.name) \($0.get("stars", as: Int64.self) ?? -1)" }
        }
    }

    /// The names of the records that this device has edited.
    private func unsentNames(_ tablet: MirroredDevice) async throws -> Set<String> {
        try await tablet.store.replica.read { try $0.pendingNames(in: ZoneID(name: homeZone.zoneName)) }
    }

    private func hasImportable(_ tablet: MirroredDevice) async throws -> Bool {
        try await tablet.store.replica.read { try $0.hasImportable() }
    }

    @Test(
        "All records are imported if there are more than in a batch, each batch as a transaction",
        arguments: [false, true])
    func batches(_ isPrepared: Bool) async throws {
        try await withTablet { tablet in
            let names = (100..<145).map { "p\($0)" }
            try await receive(names.map { version($0) }, on: tablet, isPrepared)
            #expect(try await posts(tablet) == names.map { "\($0) 0" })
            #expect(try await tablet.store.history().map(\.changes.count) == [20, 20, 5])
            #expect(try await !hasImportable(tablet))
        }
    }

    @Test("A record that this device has edited is imported with the edit", arguments: [false, true])
    func edited(_ isPrepared: Bool) async throws {
        try await withTablet { tablet in
            try await receive([version("p1"), version("p2")], on: tablet, isPrepared)
            let id = MirroredObject.ID(root: "Post", name: "p1")
            try await change(tablet, id, "title", "edited")
            try await receive(
                [version("p1", tag: "2", stars: 5), version("p3", stars: 3)], on: tablet, isPrepared)
            #expect(try await posts(tablet) == ["p1 5", "p2 0", "p3 3"])
            #expect(try await title(id, on: tablet) == "edited")
            #expect(try await !hasImportable(tablet))
        }
    }

    @Test("A record that is edited before its import is imported with the edit", arguments: [false, true])
    func editedAtOnce(_ isPrepared: Bool) async throws {
        try await withTablet { tablet in
            let edited = version("p1", stars: 9)
            let edit = ReplicaRecord(type: edited.type, id: edited.id, fields: edited.fields)
            try await receive([version("p1"), version("p2")], edit: edit, on: tablet, isPrepared)
            #expect(try await posts(tablet) == ["p1 9", "p2 0"])
            #expect(try await !hasImportable(tablet))
        }
    }

    @Test(
        "A record that the import of an earlier batch edits is imported with the edit",
        arguments: [false, true])
    func editedByEarlierBatch(_ isPrepared: Bool) async throws {
        try await withTablet { tablet in
            // The first batch ends with p119. Its import gives p130 the fields of p144.
            try await tablet.store.replica.write { writer in
                try writer.database.execute(
                    sql: """
                        CREATE TEMP TRIGGER edit AFTER INSERT ON "CD_Post" WHEN new.id = 'p100'
                        BEGIN
                            UPDATE record
                            SET server_fields = fields,
                                fields = (SELECT fields FROM record WHERE name = 'p144')
                            WHERE name = 'p130';
                            INSERT INTO outbox (zone, name, change)
                            SELECT zone, name, 1 FROM record WHERE name = 'p130';
                        END
                        """)
            }
            let numbers = Array(Int64(100)..<145)
            let expected = numbers.map { "p\($0) \($0 == 130 ? 144 : $0)" }
            try await receive(numbers.map { version("p\($0)", stars: $0) }, on: tablet, isPrepared)
            #expect(try await posts(tablet) == expected)
            #expect(try await tablet.store.history().map(\.changes.count) == [20, 19, 5, 1])
            #expect(try await !hasImportable(tablet))
            #expect(try await unsentNames(tablet) == ["p130"])
        }
    }

    @Test("A post whose cover an earlier batch deletes loses it, and gets the fields of its record")
    func editedByDeletion() async throws {
        try await withTablet { tablet in
            let store = tablet.store
            let names = (100..<145).map { "p\($0)" }
            /// The posts. The last one has a cover.
            func versions(tag: String, stars: Int64) -> [ServerVersion] {
                names.map { version($0, tag: tag, stars: stars, partner: $0 == "p144" ? "c1" : nil) }
            }
            let cover = version("c1", entity: "Cover", type: "CD_Cover", partner: "p144")
            try await receive([cover] + versions(tag: "1", stars: 0), on: tablet, true)
            try await receive(
                versions(tag: "2", stars: 5), deletions: ["c1"], on: tablet, false, isImported: false)
            try await store.replica.write { writer in
                // As after the fetch for which the deletion waits.
                try writer.database.execute(sql: "UPDATE mirrored_queue SET is_held = 0")
            }
            try await store.importChanges()
            let expected = names.map { "\($0) 5" }
            #expect(try await posts(tablet) == expected)
            let id = MirroredObject.ID(root: "Post", name: "p144")
            let record = RecordID(name: id.name, zone: ZoneID(name: homeZone.zoneName))
            let fields = try await store.replica.read { try $0.record(record)?.fields }
            #expect(fields?["CD_stars"]?.value == .int64(5))
            #expect(fields?["CD_cover"] == nil)
            // The batch of the deletion has changed the post before the batch of the post.
            let changes = try await store.history().flatMap(\.changes).filter { $0.id == id }
            let properties = changes.map(\.properties)
            #expect(properties == [[], ["cover"], ["stars"]])
            #expect(try await !hasImportable(tablet))
            #expect(try await unsentNames(tablet) == ["p144"])
        }
    }

    @Test("A refused record leaves the queue, and the others are imported", arguments: [false, true])
    func refused(_ isPrepared: Bool) async throws {
        try await withTablet { tablet in
            let versions = [version("p1"), version("p2", entity: "Tag"), version("p3")]
            try await receive(versions, on: tablet, isPrepared)
            #expect(try await posts(tablet) == ["p1 0", "p3 0"])
            #expect(try await tablet.store.importFailures().map(\.name) == ["p2"])
            #expect(try await !hasImportable(tablet))
            try await receive([version("p2", tag: "2", stars: 2)], on: tablet, isPrepared)
            #expect(try await posts(tablet) == ["p1 0", "p2 2", "p3 0"])
            #expect(try await tablet.store.importFailures() == [])
        }
    }

    @Test("A version that differs in its tag only is not imported", arguments: [false, true])
    func sameFields(_ isPrepared: Bool) async throws {
        try await withTablet { tablet in
            try await receive([version("p1")], on: tablet, isPrepared)
            try await receive([version("p1", tag: "2"), version("p2")], on: tablet, isPrepared)
            let history = try await tablet.store.history().map { $0.changes.map(\.id.name) }
            #expect(history == [["p1"], ["p2"]])
        }
    }

    @Test(
        "The history has an insertion of a new object, and the changed attributes of another",
        arguments: [false, true])
    func kinds(_ isPrepared: Bool) async throws {
        try await withTablet { tablet in
            try await receive([version("p1")], on: tablet, isPrepared)
            try await receive([version("p1", tag: "2", stars: 2), version("p2")], on: tablet, isPrepared)
            let last = try #require(try await tablet.store.history().last)
            #expect(last.changes.map(\.id.name) == ["p1", "p2"])
            #expect(last.changes.map(\.kind) == [.update, .insert])
            #expect(last.changes.map(\.properties) == [["stars"], []])
        }
    }

    @Test("A deletion outside of shares waits, and the other records are imported", arguments: [false, true])
    func held(_ isPrepared: Bool) async throws {
        try await withTablet { tablet in
            try await receive([version("p1"), version("p2")], on: tablet, isPrepared)
            try await receive([version("p2", tag: "2", stars: 2)], deletions: ["p1"], on: tablet, isPrepared)
            #expect(try await posts(tablet) == ["p1 0", "p2 2"])
            let queued = try await tablet.store.replica.read { reader in
                try String.fetchAll(reader.database, sql: "SELECT name FROM mirrored_queue")
            }
            #expect(queued == ["p1"])
        }
    }

    @Test(
        "If the import fails, the records stay in the queue, and the next import stores them",
        arguments: [false, true])
    func failure(_ isPrepared: Bool) async throws {
        try await withTablet { tablet in
            let store = tablet.store
            try await store.replica.write { writer in
                try writer.database.execute(
                    sql: """
                        CREATE TEMP TRIGGER failure BEFORE INSERT ON "CD_Tag"
                        BEGIN SELECT RAISE(ABORT, 'failure'); END
                        """)
            }
            try await receive(
                [version("p1"), version("t1", entity: "Tag", type: "CD_Tag")], on: tablet, isPrepared)
            #expect(try await posts(tablet) == [])
            #expect(try await store.history() == [])
            let records = try await store.replica.read { reader in
                try reader.count(in: ZoneID(name: homeZone.zoneName))
            }
            #expect(records == 2)
            #expect(try await hasImportable(tablet))
            try await store.replica.write { try $0.database.execute(sql: "DROP TRIGGER failure") }
            try await store.importChanges()
            #expect(try await posts(tablet) == ["p1 0"])
            let tags = try await store.read { try $0.objects("Tag") }
            #expect(tags.map(\.id.name) == ["t1"])
            #expect(try await !hasImportable(tablet))
        }
    }
}
