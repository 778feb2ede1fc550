import Foundation
import GRDB
import Testing

/// A dump of a released schema in `Data/Schemas`, named `<kind>-<number>.sql`.
struct ReleasedSchema: Sendable, CustomTestStringConvertible {
    let kind: String
    let number: Int
    let sql: String

    var testDescription: String { "\(kind)-\(number)" }

    private static let folder = URL.package.appending(path: "Data/Schemas")

    static func all(_ kinds: [String]) throws -> [ReleasedSchema] {
        try folder.files("sql").compactMap { file in
            guard let match = file.lastPathComponent.wholeMatch(of: /([a-z]+)-(\d+)\.sql/),
                kinds.contains(String(match.1)), let number = Int(match.2)
            else { return nil }
            let sql = try String(contentsOf: file, encoding: .utf8)
            return ReleasedSchema(kind: String(match.1), number: number, sql: sql)
        }
    }

    /// Creates a database file with this schema.
    func write(to file: URL) throws { try execute(sql, in: file) }

    /// The SQL that creates a file with the same schema and the same list of completed migrations.
    ///
    /// - Parameters:
    ///   - tablesFirst: whether tables come before indexes, or all in the order of their names.
    ///   - rows: statements that follow the others.
    static func dump(_ file: URL, tablesFirst: Bool = true, rows: [String] = []) throws -> String {
        let queue = try DatabaseQueue(path: file.path)
        defer { try? queue.close() }
        return try queue.read { database in
            let schema = try String.fetchAll(
                database,
                sql: """
                    SELECT sql
                    FROM sqlite_master
                    WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
                    ORDER BY name = 'grdb_migrations' DESC, ? AND type = 'table' DESC, name
                    """,
                arguments: [tablesFirst])
            let done = try String.fetchAll(
                database, sql: "SELECT quote(identifier) FROM grdb_migrations ORDER BY rowid")
            let migrations = done.map { "INSERT INTO grdb_migrations (identifier) VALUES (\($0))" }
            return (schema + migrations + rows).map { $0 + ";\n" }.joined(separator: "\n")
        }
    }

    /// Marks a file as migrated by a newer version.
    static func markAsNewer(_ file: URL) throws {
        try execute("INSERT INTO grdb_migrations (identifier) VALUES ('99: of the future')", in: file)
    }

    /// Expects the last stored dump to equal the dump of the current schema. With `CLOUDLET_DUMP_SCHEMAS` in
    /// the environment, stores the dump under the next number instead.
    static func expectKept(_ fresh: String, _ kind: String) throws {
        let last = try all([kind]).max { $0.number < $1.number }
        if ProcessInfo.processInfo.environment["CLOUDLET_DUMP_SCHEMAS"] != nil, last?.sql != fresh {
            let file = folder.appendingPathComponent("\(kind)-\((last?.number ?? 0) + 1).sql")
            try fresh.write(to: file, atomically: true, encoding: .utf8)
            return
        }
        #expect(last?.sql == fresh, "run with CLOUDLET_DUMP_SCHEMAS=1 to store the current schema of \(kind)")
    }
}
