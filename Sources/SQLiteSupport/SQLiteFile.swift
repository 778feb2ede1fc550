package import Foundation
package import GRDB
import Records

/// A database file, opened for reading only. The server that uses it goes on meanwhile: what is read is the
/// state at one moment.
package final class SQLiteFile: Sendable {
    private let queue: DatabaseQueue

    /// Opens a file. Throws `RecordError` for one that is no database, or that contains views or triggers.
    ///
    /// The server creates no views and triggers. In a file from a stranger, one could take the place of a
    /// table, and never end.
    ///
    /// - Parameter prepare: gives each connection the functions that the file's statements call.
    package init(
        _ file: URL, prepare: @escaping @Sendable (Database) throws -> Void = { _ in }
    ) throws {
        do {
            var configuration = Self.configuration(prepare)
            configuration.readonly = true
            queue = try DatabaseQueue(path: file.path, configuration: configuration)
            let programs = "SELECT type || ' ' || name FROM sqlite_master WHERE type IN ('view', 'trigger')"
            if let program = try queue.read({ try String.fetchOne($0, sql: programs) }) {
                throw RecordError(
                    .internalError, "the database contains the \(program), which no server creates",
                    culprit: file.lastPathComponent, nextStep: "remove it, or restore a backup")
            }
        } catch {
            throw RecordError(storage: error)
        }
    }

    package func close() throws {
        try queue.close()
    }

    package func read<T>(_ body: (Database) throws -> T) throws -> T {
        do { return try queue.read(body) } catch { throw RecordError(storage: error) }
    }

    /// Writes the present state into a new file, while the database is in use (SQLite's online backup). The
    /// new file has no write-ahead log, so that it can be read on a disk that cannot be written.
    package func copy(to file: URL) throws {
        do {
            let copy = try DatabaseQueue(path: file.path)
            try queue.backup(to: copy)
            try copy.close()
            let plain = try DatabaseQueue(path: file.path)
            try plain.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            try plain.close()
        } catch {
            throw RecordError(storage: error, opening: file)
        }
    }

    /// What is wrong with the file, a line each; empty for a sound one.
    ///
    /// - Parameters:
    ///   - migrator: the steps to the present version of the file.
    ///   - check: looks at the tables of a file of the present version.
    package func faults(
        _ migrator: DatabaseMigrator, check: (Database) throws -> [String] = { _ in [] }
    ) throws -> [String] {
        try read { database in
            if try migrator.hasBeenSuperseded(database) {
                return ["it was written by a newer version of the server"]
            }
            let faults = try database.engineFaults() + missingMigrations(database)
            // What the engine cannot read is no ground for further questions, and neither are tables of an
            // older version: the server brings them up to date.
            guard faults.isEmpty, try migrator.hasCompletedMigrations(database) else { return faults }
            return try check(database)
        }
    }

    /// A fault if the file has tables, but no list of the migrations that created them.
    private func missingMigrations(_ database: Database) throws -> [String] {
        if try database.tableExists("grdb_migrations") { return [] }
        let tables = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master") ?? 0
        return tables == 0 ? [] : ["the table grdb_migrations is missing"]
    }

    /// Changes a file that nobody uses, once its tables are brought to the present version.
    package static func change(
        _ file: URL, _ migrator: DatabaseMigrator,
        prepare: @escaping @Sendable (Database) throws -> Void = { _ in },
        _ body: (Database) throws -> Void
    ) throws {
        do {
            let queue = try DatabaseQueue(path: file.path, configuration: configuration(prepare))
            try migrator.migrate(file, queue)
            try queue.write(body)
            try queue.close()
        } catch {
            throw RecordError(storage: error, opening: file)
        }
    }

    private static func configuration(
        _ prepare: @escaping @Sendable (Database) throws -> Void
    ) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase(prepare)
        return configuration
    }
}

extension Database {
    /// What the engine finds wrong: the first line of it, and how many more there are.
    package func engineFaults() throws -> [String] {
        let faults = try String.fetchAll(self, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
            .flatMap { $0.split(whereSeparator: \.isNewline).map(String.init) }
        guard let first = faults.first else { return [] }
        return faults.count == 1 ? [first] : [first, "\(faults.count - 1) more of the kind"]
    }
}
