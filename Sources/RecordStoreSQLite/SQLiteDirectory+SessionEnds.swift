import Foundation
import GRDB
import RecordStore
import Records

extension SQLiteDirectory {
    /// The step that notes which sessions prove nothing, and in which session a device was registered. Never
    /// changes once released.
    static func registerSessionEnds(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("sessions of open servers, devices of sessions") { database in
            try database.execute(
                sql: """
                    -- 1: made by an open server for somebody who proved nothing.
                    ALTER TABLE session ADD COLUMN is_open INTEGER NOT NULL DEFAULT 0;

                    -- Only open servers made sessions without an end: they get one of two weeks.
                    UPDATE session SET is_open = 1, lifetime = 1209600 WHERE lifetime IS NULL;

                    -- The session's hash; NULL: registered before it was noted.
                    ALTER TABLE push_token ADD COLUMN session BLOB;

                    -- To end with a session.
                    CREATE INDEX push_token_by_session ON push_token (session) WHERE session IS NOT NULL;
                    """
            )
        }
    }

    /// Ends the sessions that meet a condition, with the devices that were registered in them.
    static func endSessions(
        _ condition: String, _ arguments: StatementArguments, in database: Database
    ) throws -> EndedSessions {
        let hashes = try Data.fetchAll(
            database, sql: "SELECT hash FROM session WHERE \(condition)", arguments: arguments)
        var ended = EndedSessions(hashes: hashes.map { [UInt8]($0) })
        for hash in hashes {
            ended.devices += try removePushTokens("session = ?", [hash], in: database)
            try database.execute(sql: "DELETE FROM session WHERE hash = ?", arguments: [hash])
        }
        return ended
    }

    /// Ends all sessions of a person, with all devices.
    static func endSessions(of account: String, in database: Database) throws -> EndedSessions {
        var ended = try endSessions("account = ?", [account], in: database)
        ended.devices += try removePushTokens(isOfAccount, [account], in: database)
        return ended
    }
}
