/// A transaction on one database of the engine. `$1` is the number of the database in the texts of all
/// statements, and their arguments begin with `$2`.
struct Session {
    let connection: PostgresConnection
    let database: Int64

    /// Runs a statement and returns its rows.
    func rows(_ sql: String, _ arguments: PostgresValue...) throws -> PostgresRows {
        try connection.run(sql, [.integer(database)] + arguments)
    }

    /// Runs a statement. Returns the number of rows that it inserted, updated or deleted.
    @discardableResult
    func run(_ sql: String, _ arguments: PostgresValue...) throws -> Int {
        try connection.run(sql, [.integer(database)] + arguments).affected
    }
}

extension PostgresConnection {
    enum Mode: String {
        /// Sees the state of its first statement only.
        case reading = "ISOLATION LEVEL REPEATABLE READ READ ONLY"
        /// Each statement sees what was committed before it. A writer locks its database's row first, so
        /// nothing of the database changes after that.
        case writing = "ISOLATION LEVEL READ COMMITTED"
    }

    /// Runs a transaction on one database. The policies of row level security compare each row with the
    /// setting `cloudlet.database`, so that no statement reads or writes rows of other databases.
    ///
    /// - Parameters:
    ///   - interruption: when it is stopped, the transaction is rolled back. A commit that was already sent
    ///     is awaited, because only the server knows whether it took effect.
    ///   - body: `stands` is false to undo the transaction; its result is returned all the same.
    func transaction<T>(
        _ mode: Mode, on database: Int64, interruptedBy interruption: WriteInterruption? = nil,
        _ body: (Session) throws -> (stands: Bool, result: T)
    ) throws -> T {
        try interruption?.check()
        try execute("BEGIN \(mode.rawValue); SET LOCAL cloudlet.database = '\(database)'")
        do {
            let (stands, result) = try interrupted(by: interruption) {
                try body(Session(connection: self, database: database))
            }
            try execute(stands ? "COMMIT" : "ROLLBACK")
            return result
        } catch {
            if isOpen, isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Runs the statements of a body until it ends or is interrupted; then it throws `tryAgainLater`.
    private func interrupted<T>(by interruption: WriteInterruption?, _ body: () throws -> T) throws -> T {
        self.interruption = interruption
        defer { self.interruption = nil }
        do {
            let result = try body()
            try interruption?.check()
            return result
        } catch {
            try interruption?.check()
            throw error
        }
    }
}
