package import Foundation
import GRDB
package import Records

/// A database file, opened for reading only. The server that uses it goes on meanwhile: what is read is the
/// state at one moment.
package final class SQLiteFile: Sendable {
    /// What a file holds.
    package enum Kind: Sendable {
        /// People, tokens, schemas.
        case directory
        /// Records.
        case records
    }

    private let queue: DatabaseQueue
    private let kind: Kind

    /// Opens a file. Throws `RecordError` for one that is no database.
    package init(_ file: URL, _ kind: Kind) throws {
        self.kind = kind
        do {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            // The check asks what heads of records say.
            configuration.prepareDatabase { SQLFunctions.add(to: $0) }
            queue = try DatabaseQueue(path: file.path, configuration: configuration)
            _ = try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM sqlite_master") }
        } catch {
            throw RecordError(storage: error)
        }
    }

    package func close() throws {
        try queue.close()
    }

    /// Writes the present state into a new file, while the database is in use (SQLite's online backup).
    package func copy(to file: URL) throws {
        do {
            let copy = try DatabaseQueue(path: file.path)
            try queue.backup(to: copy)
            try copy.close()
        } catch {
            throw RecordError(storage: error)
        }
    }

    /// What is wrong with the file, a line each; empty for a sound one.
    package func faults(codec: any FieldCodec) throws -> [String] {
        do {
            return try queue.read { database in
                let migrator = kind == .directory ? SQLiteDirectory.migrator : Migrations.migrator
                if try migrator.hasBeenSuperseded(database) {
                    return ["it was written by a newer version of the server"]
                }
                // Tables of an older version are another question: the server brings them up to date.
                if kind == .records, try migrator.hasCompletedMigrations(database) {
                    return try SQLiteStore.faults(in: database, codec)
                }
                return try SQLiteStore.engineFaults(in: database)
            }
        } catch {
            throw RecordError(storage: error)
        }
    }

    /// The checksums of the files that records refer to.
    package func ownedAssets() throws -> Set<String> {
        try checksums("SELECT DISTINCT checksum FROM asset_owner")
    }

    /// The checksums of the files that no record refers to any more, to be deleted in time.
    package func releasedAssets() throws -> Set<String> {
        try checksums("SELECT checksum FROM released_asset")
    }

    private func checksums(_ sql: String) throws -> Set<String> {
        do {
            return try queue.read { try String.fetchSet($0, sql: sql) }
        } catch {
            throw RecordError(storage: error)
        }
    }
}
