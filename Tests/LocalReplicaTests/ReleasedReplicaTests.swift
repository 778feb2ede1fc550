import Foundation
import GRDB
import Testing

@testable import LocalReplica
@testable import TestKit

@Suite("Replicas of released versions")
struct ReleasedReplicaTests {
    private static func dump(_ file: URL) throws -> String {
        try ReleasedSchema.dump(
            file, tablesFirst: false, rows: ["INSERT INTO replica (id, is_subscribed) VALUES (1, 0)"])
    }

    private static func fresh() async throws -> String {
        try await withFolder { folder in
            try LocalReplica(folder: folder).close()
            return try dump(folder.appendingPathComponent("replica.sqlite"))
        }
    }

    @Test(
        "A replica of each released version is migrated and keeps its pending edits",
        arguments: try ReleasedSchema.all(["replica"]))
    func migrated(old: ReleasedSchema) async throws {
        try await withFolder { folder in
            let file = folder.appendingPathComponent("replica.sqlite")
            let queue = try DatabaseQueue(path: file.path)
            try await queue.write { database in
                try database.execute(sql: old.sql)
                try database.execute(
                    sql: """
                        INSERT INTO zone
                            (id, name, is_made, is_stale, is_purged, is_subscribed, is_sweeping)
                        VALUES (1, 'Notes', 1, 0, 0, 0, 0);
                        INSERT INTO record VALUES (1, 'n', 'Note',
                            CAST('{"text":{"value":"a","type":"STRING"}}' AS BLOB), NULL, NULL, NULL);
                        INSERT INTO outbox (zone, name, change) VALUES (1, 'n', 3);
                        """)
            }
            try queue.close()
            let replica = try LocalReplica(folder: folder)
            let pending = try await replica.read { try $0.pendingChanges() }
            #expect(pending.map(\.edits) == [3])
            let id = RecordID(name: "n", zone: "Notes")
            #expect(try await replica.read { try $0.record(id)?[field: "text"] } == "a")
            try replica.close()
            #expect(try Self.dump(file) == (try await Self.fresh()))
        }
    }

    /// Set `CLOUDLET_DUMP_SCHEMAS` to write the current schema with the next number.
    @Test("The current schema equals the newest dump in Data/Schemas")
    func present() async throws {
        try ReleasedSchema.expectKept(try await Self.fresh(), "replica")
    }

    @Test("A file of a newer version is refused and not changed")
    func newer() async throws {
        try await withFolder { folder in
            try LocalReplica(folder: folder).close()
            let file = folder.appendingPathComponent("replica.sqlite")
            try ReleasedSchema.markAsNewer(file)
            let before = try Self.dump(file)
            let error = #expect(throws: ReplicaError.self) { try LocalReplica(folder: folder) }
            #expect(error?.code == .newerVersion)
            #expect(error?.nextStep.isEmpty == false)
            #expect(try Self.dump(file) == before)
        }
    }
}
