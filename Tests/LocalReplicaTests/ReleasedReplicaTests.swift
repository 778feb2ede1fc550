import Foundation
import GRDB
import Testing

@testable import LocalReplica

/// A dump of a released schema in `Data/Schemas`, named `replica-<number>.sql`, with one unsent record.
struct ReleasedReplica: Sendable, CustomTestStringConvertible {
    let number: Int
    let sql: String

    var testDescription: String { "replica-\(number)" }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Data/Schemas")

    static func all() throws -> [ReleasedReplica] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().compactMap { name in
            guard let match = name.wholeMatch(of: /replica-(\d+)\.sql/), let number = Int(match.1) else {
                return nil
            }
            let sql = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            return ReleasedReplica(number: number, sql: sql)
        }
    }
}

@Suite("Replicas of released versions")
struct ReleasedReplicaTests {
    /// The SQL statements that create a file of the same schema, including its list of migrations.
    private static func dump(_ file: URL) throws -> String {
        let queue = try DatabaseQueue(path: file.path)
        defer { try? queue.close() }
        return try queue.read { database in
            let schema = try String.fetchAll(
                database,
                sql: """
                    SELECT sql
                    FROM sqlite_master
                    WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
                    ORDER BY name = 'grdb_migrations' DESC, name
                    """)
            let done = try String.fetchAll(
                database, sql: "SELECT quote(identifier) FROM grdb_migrations ORDER BY rowid")
            let rows = done.map { "INSERT INTO grdb_migrations (identifier) VALUES (\($0))" }
            let start = ["INSERT INTO replica VALUES (1, NULL, NULL, 0)"]
            return (schema + rows + start).map { $0 + ";\n" }.joined(separator: "\n")
        }
    }

    private static func inFolder<T>(_ body: (URL) async throws -> T) async throws -> T {
        let folder = LocalReplicaTests.folder()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    private static func fresh() async throws -> String {
        try await inFolder { folder in
            try LocalReplica(folder: folder).close()
            return try dump(folder.appendingPathComponent("replica.sqlite"))
        }
    }

    @Test(
        "Each is migrated to the present schema, and keeps what waits", arguments: try ReleasedReplica.all())
    func migrated(old: ReleasedReplica) async throws {
        try await Self.inFolder { folder in
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
    @Test("The present schema is the last of those that are kept")
    func present() async throws {
        let fresh = try await Self.fresh()
        let last = try ReleasedReplica.all().max { $0.number < $1.number }
        if ProcessInfo.processInfo.environment["CLOUDLET_DUMP_SCHEMAS"] != nil, last?.sql != fresh {
            let name = "replica-\((last?.number ?? 0) + 1).sql"
            try fresh.write(
                to: ReleasedReplica.folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
            return
        }
        #expect(last?.sql == fresh, "run with CLOUDLET_DUMP_SCHEMAS=1 to keep the present replica")
    }

    @Test("A file that a newer version has written is refused and left as it is")
    func newer() async throws {
        try await Self.inFolder { folder in
            try LocalReplica(folder: folder).close()
            let file = folder.appendingPathComponent("replica.sqlite")
            let queue = try DatabaseQueue(path: file.path)
            try await queue.write { database in
                try database.execute(
                    sql: "INSERT INTO grdb_migrations (identifier) VALUES ('99: of the future')")
            }
            try queue.close()
            let before = try Self.dump(file)
            let error = #expect(throws: ReplicaError.self) { try LocalReplica(folder: folder) }
            #expect(error?.code == .newerVersion)
            #expect(error?.nextStep.isEmpty == false)
            #expect(try Self.dump(file) == before)
        }
    }
}
