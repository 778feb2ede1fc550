import DirectorySQLite
import Foundation
import GRDB
import RecordStore
import RecordStoreSQLite
import Records
import RecordsWire
import SQLiteSupport
import Testing

enum FileKind: String, CaseIterable, Sendable {
    case database
    case directory

    /// Opens the file as a server does, which creates or migrates it, and closes it.
    func open(_ file: URL) async throws {
        switch self {
        case .database:
            try await SQLiteStore(file: file, durability: .none, newIdentity: 7, codec: FieldJSON()).close()
        case .directory: try await SQLiteDirectory(file: file, durability: .none).close()
        }
    }
}

/// A dump of a released schema in `Data/Schemas`, named `<kind>-<number>.sql`.
struct ReleasedSchema: Sendable, CustomTestStringConvertible {
    let kind: FileKind
    let number: Int
    let sql: String

    var testDescription: String { "\(kind.rawValue)-\(number)" }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Data/Schemas")

    func write(to file: URL) throws {
        let queue = try DatabaseQueue(path: file.path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    static func all() throws -> [ReleasedSchema] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().compactMap { name in
            guard let match = name.wholeMatch(of: /([a-z]+)-(\d+)\.sql/),
                let kind = FileKind(rawValue: String(match.1)), let number = Int(match.2)
            else { return nil }
            let sql = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            return ReleasedSchema(kind: kind, number: number, sql: sql)
        }
    }
}

@Suite("Files of released versions")
struct ReleasedSchemaTests {
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
                    ORDER BY name = 'grdb_migrations' DESC, type = 'table' DESC, name
                    """
            )
            let done = try String.fetchAll(
                database, sql: "SELECT quote(identifier) FROM grdb_migrations ORDER BY rowid")
            let rows = done.map { "INSERT INTO grdb_migrations (identifier) VALUES (\($0))" }
            return (schema + rows).map { $0 + ";\n" }.joined(separator: "\n")
        }
    }

    private static func fresh(_ kind: FileKind) async throws -> String {
        var text = ""
        try await withFolder { folder in
            let file = folder.appendingPathComponent("fresh.sqlite")
            try await kind.open(file)
            text = try dump(file)
        }
        return text
    }

    @Test("Each is migrated to the present schema", arguments: try ReleasedSchema.all())
    func migrated(schema: ReleasedSchema) async throws {
        try await withFolder { folder in
            let file = folder.appendingPathComponent("old.sqlite")
            try schema.write(to: file)
            try await schema.kind.open(file)
            #expect(try Self.dump(file) == (try await Self.fresh(schema.kind)))
        }
    }

    /// Set `CLOUDLET_DUMP_SCHEMAS` to write the current schema with the next number.
    @Test("The present schema is the last of those that are kept", arguments: FileKind.allCases)
    func present(kind: FileKind) async throws {
        let fresh = try await Self.fresh(kind)
        let last = try ReleasedSchema.all().filter { $0.kind == kind }.max { $0.number < $1.number }
        if ProcessInfo.processInfo.environment["CLOUDLET_DUMP_SCHEMAS"] != nil, last?.sql != fresh {
            let name = "\(kind.rawValue)-\((last?.number ?? 0) + 1).sql"
            try fresh.write(
                to: ReleasedSchema.folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
            return
        }
        #expect(last?.sql == fresh, "run with CLOUDLET_DUMP_SCHEMAS=1 to keep the present \(kind.rawValue)")
    }

    @Test(
        "A file that a newer version has written is refused and left as it is", arguments: FileKind.allCases)
    func newer(kind: FileKind) async throws {
        try await withFolder { folder in
            let file = folder.appendingPathComponent("new.sqlite")
            try await kind.open(file)
            let queue = try DatabaseQueue(path: file.path)
            try await queue.write { database in
                try database.execute(
                    sql: "INSERT INTO grdb_migrations (identifier) VALUES ('99: of the future')")
            }
            try queue.close()
            let before = try Self.dump(file)
            let error = await #expect(throws: Records.RecordError.self) { try await kind.open(file) }
            #expect(error?.reason == "the database was written by a newer version of the server")
            #expect(error?.culprit == "new.sqlite")
            #expect(error?.nextStep?.isEmpty == false)
            #expect(try Self.dump(file) == before)
        }
    }
}
