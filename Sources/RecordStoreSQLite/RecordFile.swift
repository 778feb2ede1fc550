package import Foundation
import GRDB
package import RecordStore
package import Records
import SQLiteSupport

/// A database file of records, opened for reading only, while a server may be using it.
package struct RecordFile: Sendable {
    private let file: SQLiteFile

    /// Opens a file. Throws `RecordError` if it is not a database.
    package init(_ file: URL) throws {
        // The consistency check calls SQL functions that read the heads of records.
        self.file = try SQLiteFile(file) { SQLFunctions.add(to: $0) }
    }

    package func close() throws { try file.close() }

    /// Returns the faults of the file, one for each line; empty for a sound file.
    package func faults(codec: any FieldCodec) throws -> [String] {
        try file.faults(StoreMigrations.migrator) {
            try ConsistencyCheck(database: $0, codec: codec).faults()
        }
    }

    /// Whether the file was created, but no server has completed its opening since: the process ended, or the
    /// disk was full. Such a file has no content.
    package func isUnused() throws -> Bool {
        try file.read { database in
            guard try database.tableExists("store") else {
                let tables = "SELECT COUNT(*) FROM sqlite_master WHERE tbl_name <> 'grdb_migrations'"
                return try Int.fetchOne(database, sql: tables) == 0
            }
            let sizes = ["store", "zone", "record"].map { "(SELECT COUNT(*) FROM \($0))" }
            return try Int.fetchOne(database, sql: "SELECT " + sizes.joined(separator: " + ")) == 0
        }
    }

    /// The checksums of the files that records refer to.
    package func ownedAssets() throws -> Set<String> {
        try file.read { try String.fetchSet($0, sql: "SELECT DISTINCT checksum FROM asset_owner") }
    }

    /// The checksums of the files that no record refers to any more and that are to be deleted.
    package func releasedAssets() throws -> Set<String> {
        try file.read { try String.fetchSet($0, sql: "SELECT checksum FROM released_asset") }
    }

    // MARK: Restoring

    /// Gives a restored file a new epoch, and migrates it to the current schema. Records, zones and deletions
    /// remain. Nothing else may be using the file.
    package static func begin(_ epoch: DatabaseEpoch, in file: URL) throws {
        try SQLiteFile.change(file, StoreMigrations.migrator, prepare: { SQLFunctions.add(to: $0) }) {
            try begin(epoch, $0)
        }
    }

    /// Raises the numbers of the notifications too, because the tokens of the notification collection contain
    /// them.
    private static func begin(_ epoch: DatabaseEpoch, _ database: Database) throws {
        try database.execute(
            sql: """
                UPDATE store
                SET identity = :identity,
                    sequence = sequence + :gap,
                    last_notification = last_notification + :gap,
                    notification_horizon = notification_horizon + :gap
                """,
            arguments: ["identity": epoch.identity, "gap": epoch.gap])
        try database.execute(sql: "UPDATE notification SET id = id + ?", arguments: [epoch.gap])
        try database.execute(
            sql: "UPDATE notification_owner SET horizon = horizon + ?", arguments: [epoch.gap])
    }
}
