package import Foundation
package import GRDB
import Records

/// A database file, opened for reading only. The server can use the file at the same time; each read sees the
/// state at one moment.
package final class SQLiteFile: Sendable {
    private let queue: DatabaseQueue

    /// Opens a file. Throws `RecordError` for a file that is not a database, or that contains views or
    /// triggers.
    ///
    /// The server creates no views and triggers. In a file from an untrusted source, a view could replace a
    /// table, and its query could run without end.
    ///
    /// - Parameter prepare: adds to each connection the functions that the file's statements call.
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
    /// new file has no write-ahead log, so it can be read on a read-only disk.
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

    /// The problems of the file, one line each; empty for an intact file.
    ///
    /// - Parameters:
    ///   - migrator: the migrations to the current version of the file.
    ///   - check: returns the problems in the tables of a file of the current version.
    package func faults(
        _ migrator: DatabaseMigrator, check: (Database) throws -> [String] = { _ in [] }
    ) throws -> [String] {
        try read { database in
            if try migrator.hasBeenSuperseded(database) {
                return ["it was written by a newer version of the server"]
            }
            let faults = try database.engineProblems() + missingMigrations(database)
            // `check` needs a file that the engine can read, with tables of the current version. Older tables
            // are no problem: the server migrates them.
            guard faults.isEmpty, try migrator.hasCompletedMigrations(database) else { return faults }
            return try check(database)
        }
    }

    /// A problem if the file has tables, but no list of the migrations that created them.
    private func missingMigrations(_ database: Database) throws -> [String] {
        if try database.tableExists("grdb_migrations") { return [] }
        let tables = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master") ?? 0
        return tables == 0 ? [] : ["the table grdb_migrations is missing"]
    }

    /// Migrates a file to the current version, and then changes it. No other process may use the file.
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

    /// Undoes the transaction in which the last process ended, if there is one. Such a file cannot be opened
    /// for reading only. No other process may use the file.
    package static func undoUnfinishedTransaction(of file: URL) throws {
        guard FileManager.default.fileExists(atPath: file.path + "-journal") else { return }
        do {
            let queue = try DatabaseQueue(path: file.path)
            // SQLite undoes it before the first read.
            _ = try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM sqlite_master") }
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
    /// The problems that the engine finds: the first one, and the number of further ones.
    package func engineProblems() throws -> [String] {
        let faults = try String.fetchAll(self, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
            .flatMap { $0.split(whereSeparator: \.isNewline).map(String.init) }
        guard let first = faults.first else { return [] }
        return faults.count == 1 ? [first] : [first, "\(faults.count - 1) further problems of the file"]
    }
}
