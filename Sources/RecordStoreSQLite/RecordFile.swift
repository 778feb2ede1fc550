package import Foundation
import GRDB
package import RecordStore
package import Records
import SQLiteSupport

/// A database file of records, opened for reading only while a server may use it.
package struct RecordFile: Sendable {
    private let file: SQLiteFile

    /// Opens a file. Throws `RecordError` for one that is no database.
    package init(_ file: URL) throws {
        // The check asks what heads of records say.
        self.file = try SQLiteFile(file) { SQLFunctions.add(to: $0) }
    }

    package func close() throws { try file.close() }

    /// What is wrong with the file, a line each; empty for a sound one.
    package func faults(codec: any FieldCodec) throws -> [String] {
        try file.faults(Migrations.migrator) { try ConsistencyCheck(database: $0, codec: codec).faults() }
    }

    /// The checksums of the files that records refer to.
    package func ownedAssets() throws -> Set<String> {
        try file.read { try String.fetchSet($0, sql: "SELECT DISTINCT checksum FROM asset_owner") }
    }

    /// The checksums of the files that no record refers to any more, to be deleted in time.
    package func releasedAssets() throws -> Set<String> {
        try file.read { try String.fetchSet($0, sql: "SELECT checksum FROM released_asset") }
    }

    // MARK: Restoring

    /// Begins a new epoch in a restored file, which nobody uses yet, and brings its tables to the present
    /// version. Records, zones and deletions stay as they are.
    package static func begin(_ epoch: DatabaseEpoch, in file: URL) throws {
        try SQLiteFile.change(file, Migrations.migrator, prepare: { SQLFunctions.add(to: $0) }) {
            try begin(epoch, $0)
        }
    }

    /// Notifications get other numbers, since their numbers are what tokens of the collection hold.
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
