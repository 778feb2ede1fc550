import Directory
import PostgreSQLSupport
import Records

/// Reads and writes sessions, stored under the hashes of their tokens.
struct PostgresSessionTable {
    let connection: PostgresConnection

    func add(hash: [UInt8], _ session: Session, limit: Int) throws -> EndedSessions {
        try PostgresAccountTable(connection: connection).checkExistence(
            of: session.account, name: session.account)
        if try has(hash) { throw SessionRules.taken }
        let ended = try end(SessionRules.surplus(of: uses(session), limit: limit))
        try connection.send(
            """
            INSERT INTO session
                (hash, account, container, environment, lifetime, seen_at, created_at, is_open)
            VALUES ($1, $2, $3, $4, $5, $6, $6, $7)
            """,
            [
                .bytes(hash), .text(session.account), .optional(session.place?.container),
                .optional(session.place?.environment.rawValue), .optional(session.lifetime),
                .integer(session.seen.milliseconds), .count(session.isOpen ? 1 : 0),
            ])
        return ended
    }

    /// The uses of the person's sessions in the same container, for the limit.
    private func uses(_ session: Session) throws -> [SessionRules.Use] {
        try connection.run(
            """
            SELECT hash, seen_at, created_at
            FROM session
            WHERE account = $1 AND container IS NOT DISTINCT FROM $2
            """,
            [.text(session.account), .optional(session.place?.container)]
        ).map { row in
            SessionRules.Use(
                hash: row.bytes(0), seen: Timestamp(milliseconds: row.integer(1)),
                created: Timestamp(milliseconds: row.integer(2)))
        }
    }

    func has(_ hash: [UInt8]) throws -> Bool {
        try !connection.run("SELECT 1 FROM session WHERE hash = $1", [.bytes(hash)]).isEmpty
    }

    /// Whether a hash lies between two, both included.
    func has(from first: [UInt8], through last: [UInt8]) throws -> Bool {
        try !connection.run(
            "SELECT 1 FROM session WHERE hash BETWEEN $1 AND $2 LIMIT 1", [.bytes(first), .bytes(last)]
        ).isEmpty
    }

    func session(hash: [UInt8]) throws -> (session: Session, account: Account)? {
        try connection.run(
            """
            SELECT \(PostgresAccountTable.columns), container, environment, lifetime, seen_at, is_open
            FROM session
            JOIN account ON account.id = session.account
            WHERE session.hash = $1
            """,
            [.bytes(hash)]
        ).first.map { (Self.session($0), PostgresAccountTable.account($0)) }
    }

    /// The session in a row that begins with the columns of its account.
    private static func session(_ row: PostgresRow) -> Session {
        let first = PostgresAccountTable.columnCount
        var place: ContainerKey?
        if let container = row.optionalText(first),
            let environment = row.optionalText(first + 1).flatMap({ CloudEnvironment(rawValue: $0) })
        {
            place = ContainerKey(container: container, environment: environment)
        }
        return Session(
            account: row.text(0), place: place, lifetime: row.optionalInteger(first + 2),
            seen: Timestamp(milliseconds: row.integer(first + 3)), isOpen: row.integer(first + 4) == 1)
    }

    func touch(hash: [UInt8], at time: Timestamp) throws {
        try connection.send(
            "UPDATE session SET seen_at = GREATEST(seen_at, $1) WHERE hash = $2",
            [.integer(time.milliseconds), .bytes(hash)])
    }

    // MARK: Ending

    /// Ends the sessions that match a condition, and removes the devices that were registered in them.
    func end(where condition: String, _ arguments: PostgresValue...) throws -> EndedSessions {
        let rows = try connection.run(
            "SELECT hash FROM session WHERE \(condition) ORDER BY hash", arguments)
        return try end(rows.map { $0.bytes(0) })
    }

    private func end(_ hashes: [[UInt8]]) throws -> EndedSessions {
        var ended = EndedSessions(hashes: hashes)
        for hash in hashes {
            ended.devices += try PostgresDeviceTable(connection: connection).remove(
                where: "session = $1", .bytes(hash))
            try connection.send("DELETE FROM session WHERE hash = $1", [.bytes(hash)])
        }
        return ended
    }

    /// Ends all sessions of a person, and removes all devices of the person.
    func endAll(of account: String) throws -> EndedSessions {
        var ended = try end(where: "account = $1", .text(account))
        ended.devices += try PostgresDeviceTable(connection: connection).remove(
            where: PostgresUserTable.isOfAccount, .text(account))
        return ended
    }

    /// Deletes the sessions for which `SessionRules.isForgotten` is true.
    func forget(at time: Timestamp) throws {
        try connection.send(
            "DELETE FROM session WHERE lifetime IS NOT NULL AND seen_at + lifetime * $1 < $2",
            [.integer(SessionRules.lifetimesKept * 1000), .integer(time.milliseconds)])
    }
}
