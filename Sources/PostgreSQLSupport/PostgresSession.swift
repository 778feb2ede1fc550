import Records

/// A transaction on one database of the engine. `$1` is the number of the database in the texts of all
/// statements, and their arguments begin with `$2`.
package struct PostgresSession {
    package let connection: PostgresConnection
    package let database: Int64

    package init(connection: PostgresConnection, database: Int64) {
        self.connection = connection
        self.database = database
    }

    /// Runs a statement and returns its rows.
    package func rows(_ sql: String, _ arguments: PostgresValue...) throws -> PostgresRows {
        try connection.run(sql, [.integer(database)] + arguments)
    }

    /// Sends a statement whose rows are needed later.
    package func ask(_ sql: String, _ arguments: PostgresValue...) throws -> PostgresAnswer {
        try connection.send(sql, [.integer(database)] + arguments)
    }

    /// Sends a statement without waiting for it. An error is thrown by a later statement, at the latest
    /// before the commit.
    package func run(_ sql: String, _ arguments: PostgresValue...) throws {
        try connection.send(sql, [.integer(database)] + arguments)
    }

    /// Sends a statement without arguments, such as one about a savepoint.
    package func enqueue(_ sql: String) throws {
        try connection.send(sql, [])
    }

    /// Runs a statement. Returns the number of rows that it inserted, updated or deleted.
    package func count(_ sql: String, _ arguments: PostgresValue...) throws -> Int {
        try connection.run(sql, [.integer(database)] + arguments).affected
    }
}

extension PostgresConnection {
    package enum Mode: String {
        /// All statements see the state as of the first one.
        case reading = "ISOLATION LEVEL REPEATABLE READ READ ONLY"
        /// Each statement sees the commits before it. A writer locks its database's row first, so no other
        /// transaction changes that database afterwards.
        case writing = "ISOLATION LEVEL READ COMMITTED"
    }

    /// Begins a transaction on one database. The policies of row level security compare each row with the
    /// setting `cloudlet.database`, so that no statement reads or writes rows of other databases.
    ///
    /// - Parameter database: nil for the table of database names, which other transactions cannot see.
    package func begin(_ mode: Mode, on database: Int64?) throws -> PostgresSession {
        recover()
        try renewPlans()
        try send("BEGIN \(mode.rawValue)", [])
        return try name(database)
    }

    private func name(_ database: Int64?) throws -> PostgresSession {
        let name = database.map(String.init) ?? ""
        try send("SELECT set_config('cloudlet.database', $1, TRUE)", [.text(name)])
        return PostgresSession(connection: self, database: database ?? 0)
    }

    /// Commits, and waits until that has taken effect.
    package func commit() throws {
        // The server answers the commit of a failed transaction with a rollback.
        guard try run("COMMIT", []).command == "COMMIT" else {
            throw RecordError(postgres: "a transaction failed before its commit", state: "25P02")
        }
    }

    /// Ends the transaction without its changes, if one is open. The statements that were sent before are
    /// cancelled if they are interrupted; the rollback is not.
    package func rollback() {
        recover()
        let interruption = interruption
        self.interruption = nil
        defer { self.interruption = interruption }
        if isOpen, isInTransaction { try? execute("ROLLBACK") }
    }

    /// Runs a transaction on one database.
    ///
    /// - Parameter body: Returns a result, and whether the transaction stands. If it does not, the
    ///   transaction is undone; the result is returned nevertheless.
    package func transaction<T>(
        _ mode: Mode, on database: Int64?, _ body: (PostgresSession) throws -> (stands: Bool, result: T)
    ) throws -> T {
        let session = try begin(mode, on: database)
        do {
            let (stands, result) = try body(session)
            if stands { try commit() } else { rollback() }
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// Runs a read on a snapshot. The caller has its result before the transaction ends.
    package func read<T>(on database: Int64?, _ body: (PostgresSession) throws -> T) throws -> T {
        let session = try begin(.reading, on: database)
        do {
            let result = try body(session)
            try send("COMMIT", [])
            try flush()
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// Reads on a snapshot in one round trip, with statements that need no results of each other.
    ///
    /// The server runs all statements up to a synchronisation as one transaction, with the default level of
    /// the connection, so none is begun.
    ///
    /// - Parameter body: sends the statements. Their answers are complete afterwards.
    package func readAtOnce<T>(on database: Int64?, _ body: (PostgresSession) throws -> T) throws -> T {
        recover()
        try renewPlans()
        let answers = try body(name(database))
        try finish()
        return answers
    }

    /// Runs statements that end early if the check of `interruption` fails, with the error of that check.
    package func interrupted<T>(by interruption: any Interruption, _ body: () throws -> T) throws -> T {
        self.interruption = interruption
        defer { self.interruption = nil }
        do {
            let result = try body()
            try interruption.check()
            return result
        } catch {
            try interruption.check()
            throw error
        }
    }
}
