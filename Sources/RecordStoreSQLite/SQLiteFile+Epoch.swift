package import Foundation
import GRDB
package import RecordStore
import Records

extension SQLiteFile {
    /// Begins a new epoch in a restored file, which nobody uses yet, and brings its tables to the present
    /// version.
    ///
    /// Records, zones and deletions stay as they are. The directory loses all sessions and all registrations
    /// of devices for pushes: some of them may have been ended after the backup was made.
    package static func begin(_ epoch: DatabaseEpoch, in file: URL, _ kind: Kind) throws {
        do {
            var configuration = Configuration()
            configuration.busyMode = .timeout(5)
            configuration.prepareDatabase { SQLFunctions.add(to: $0) }
            let queue = try DatabaseQueue(path: file.path, configuration: configuration)
            switch kind {
            case .directory:
                try Migrations.migrate(file, queue, by: SQLiteDirectory.migrator)
                try queue.write { try endSessions($0) }
            case .records:
                try Migrations.migrate(file, queue, by: Migrations.migrator)
                try queue.write { try begin(epoch, $0) }
            }
            try queue.close()
        } catch {
            throw RecordError(storage: error)
        }
    }

    private static func endSessions(_ database: Database) throws {
        for table in ["session", "push_token"] { try database.execute(sql: "DELETE FROM \(table)") }
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
