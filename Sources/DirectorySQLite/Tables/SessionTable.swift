import Directory
import Foundation
import GRDB
import Records

/// Reads and writes sessions, stored under the hashes of their tokens.
struct SessionTable {
    let database: Database

    func add(hash: [UInt8], _ session: Session, limit: Int) throws -> EndedSessions {
        try AccountTable(database: database).checkExistence(of: session.account, name: session.account)
        if try has(hash) { throw SessionRules.taken }
        let ended = try end(SessionRules.surplus(of: uses(session), limit: limit))
        try database.execute(
            sql: """
                INSERT INTO session
                    (hash, account, container, environment, lifetime, seen_at, created_at, is_open)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                Data(hash), session.account, session.place?.container,
                session.place?.environment.rawValue, session.lifetime, session.seen.milliseconds,
                session.seen.milliseconds, session.isOpen,
            ]
        )
        return ended
    }

    /// The uses of the person's sessions in the same container, for the limit.
    private func uses(_ session: Session) throws -> [SessionRules.Use] {
        try Row.fetchAll(
            database,
            sql: "SELECT hash, seen_at, created_at FROM session WHERE account = ? AND container IS ?",
            arguments: [session.account, session.place?.container]
        )
        .map { row in
            SessionRules.Use(
                hash: [UInt8](row[0] as Data), seen: Timestamp(milliseconds: row[1]),
                created: Timestamp(milliseconds: row[2]))
        }
    }

    func has(_ hash: [UInt8]) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM session WHERE hash = ?)", arguments: [Data(hash)]
        ) == true
    }

    /// Whether a hash lies between two, both included.
    func has(from first: [UInt8], through last: [UInt8]) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM session WHERE hash BETWEEN ? AND ?)",
            arguments: [Data(first), Data(last)]
        ) == true
    }

    func session(hash: [UInt8]) throws -> (session: Session, account: Account)? {
        try Row.fetchOne(
            database,
            sql: """
                SELECT \(AccountTable.columns), container, environment, lifetime, seen_at, is_open
                FROM session
                JOIN account ON account.id = session.account
                WHERE session.hash = ?
                """,
            arguments: [Data(hash)]
        )
        .map { (Self.session($0), AccountTable.account($0)) }
    }

    /// The session in a row that also contains its account.
    private static func session(_ row: Row) -> Session {
        var place: ContainerKey?
        if let container: String = row["container"],
            let environment = (row["environment"] as String?).flatMap({ CloudEnvironment(rawValue: $0) })
        {
            place = ContainerKey(container: container, environment: environment)
        }
        return Session(
            account: row[0], place: place, lifetime: row["lifetime"],
            seen: Timestamp(milliseconds: row["seen_at"]), isOpen: row["is_open"]
        )
    }

    func touch(hash: [UInt8], at time: Timestamp) throws {
        try database.execute(
            sql: "UPDATE session SET seen_at = max(seen_at, ?) WHERE hash = ?",
            arguments: [time.milliseconds, Data(hash)]
        )
    }

    // MARK: Ending

    /// Ends the sessions that match a condition, and removes the devices that were registered in them.
    func end(where condition: String, _ arguments: StatementArguments) throws -> EndedSessions {
        let hashes = try Data.fetchAll(
            database, sql: "SELECT hash FROM session WHERE \(condition) ORDER BY hash", arguments: arguments)
        return try end(hashes.map { [UInt8]($0) })
    }

    private func end(_ hashes: [[UInt8]]) throws -> EndedSessions {
        var ended = EndedSessions(hashes: hashes)
        for hash in hashes {
            ended.devices += try DeviceTable(database: database).remove(where: "session = ?", [Data(hash)])
            try database.execute(sql: "DELETE FROM session WHERE hash = ?", arguments: [Data(hash)])
        }
        return ended
    }

    /// Ends all sessions of a person, and removes all devices of the person.
    func endAll(of account: String) throws -> EndedSessions {
        var ended = try end(where: "account = ?", [account])
        ended.devices += try DeviceTable(database: database).remove(
            where: UserTable.isOfAccount, [account])
        return ended
    }

    /// Deletes the sessions for which `SessionRules.isForgotten` is true.
    func forget(at time: Timestamp) throws {
        try database.execute(
            sql: "DELETE FROM session WHERE lifetime IS NOT NULL AND seen_at + lifetime * ? < ?",
            arguments: [SessionRules.lifetimesKept * 1000, time.milliseconds]
        )
    }
}
