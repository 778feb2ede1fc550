import Directory
package import Foundation
import GRDB
import Records
package import SQLiteSupport

/// The directory of one server in one SQLite file.
///
/// Each call is one transaction. The types in `Tables` execute the SQL, one type for each table or group of
/// related tables.
package final class SQLiteDirectory: Directory {
    private let pool: DatabasePool

    /// Opens a file, or creates it.
    package init(file: URL, durability: Durability = .full) throws {
        do {
            var configuration = Configuration()
            configuration.maximumReaderCount = 4
            configuration.busyMode = .timeout(5)
            configuration.prepareDatabase { try $0.keepLogFiles() }
            pool = try DatabasePool(path: file.path, configuration: configuration)
            try pool.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = \(durability == .full ? "FULL" : "OFF")")
            }
            try DirectoryMigrations.migrator.migrate(file, pool)
        } catch {
            throw RecordError(storage: error, opening: file)
        }
    }

    package func close() async throws {
        emptyLog()
        do { try pool.close() } catch { throw RecordError(storage: error) }
    }

    /// Copies the write-ahead log into the database file and empties it. SQLite does that when the last
    /// connection is closed, but the pool's last connection is one for reading, which cannot.
    ///
    /// If it fails, for example on a full disk, the log keeps the changes, and the next start reads them.
    /// The statement also fails if the pool is closed already, where a call of the checkpoint function would
    /// end the process.
    private func emptyLog() {
        try? pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        do { return try await pool.read(body) } catch { throw RecordError(storage: error) }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        do { return try await pool.write(body) } catch { throw RecordError(storage: error) }
    }
}

// MARK: - Files that no server uses

extension SQLiteDirectory {
    /// The faults of a directory's file, one line for each; empty for an intact file.
    package static func faults(of file: SQLiteFile) throws -> [String] {
        try file.faults(DirectoryMigrations.migrator)
    }

    /// The user record names of all people in all containers.
    package static func userRecordNames(in file: SQLiteFile) throws -> Set<String> {
        try file.read { try String.fetchSet($0, sql: "SELECT user_record_name FROM container_user") }
    }

    /// Deletes all sessions and all device registrations in a restored file, because some may have ended
    /// after the backup was made.
    package static func endSessions(in file: URL) throws {
        try SQLiteFile.change(file, DirectoryMigrations.migrator) { database in
            for table in ["session", "push_token"] { try database.execute(sql: "DELETE FROM \(table)") }
        }
    }
}
