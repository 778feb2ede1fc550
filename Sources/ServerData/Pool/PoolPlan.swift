/// The state of a server's databases: a value that makes decisions and performs no I/O.
///
/// The first caller that asks for a database opens it, and other callers wait until it is open. A database
/// stays open while it is in use. When more than `limit` are open, idle ones are closed, least recently used
/// first. Databases that were used only once are closed before those that were reused: a request that reads
/// the databases of many people must not close the databases that others use again and again. If more than
/// three quarters of `limit` were reused, the reused ones are closed first instead, so that a database that
/// was just opened has a chance to be reused.
struct PoolPlan<Key: Hashable, Database, Waiter> {
    /// The answer to a caller that needs a database.
    enum Taking {
        /// The database is open; the caller now uses it, too.
        case use(Database)
        /// The caller must open the database and then call `opened` or `failed`.
        case open
        /// Another caller opens or closes the database: wait, then ask again.
        case wait
        /// The pool is closing and hands out no more databases.
        case refuse
    }

    /// The state of a database that is not closed.
    enum State {
        case opening(waiters: [Waiter])
        case open(Database, users: Int, lastUse: Int, isReused: Bool)
        case closing(waiters: [Waiter])
    }

    private let limit: Int
    var states: [Key: State] = [:]
    /// Counts uses, to find the least recently used database.
    private var clock = 0
    var openCount = 0
    /// Number of databases in use or being opened.
    private var busyCount = 0
    private var isEnding = false
    private var waitersForEnd: [Waiter] = []
    /// The waiters of callers that remove databases. They check again when a database is no longer in use.
    var waitersForIdle: [Waiter] = []

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    // MARK: Taking

    mutating func take(_ key: Key) -> Taking {
        if isEnding { return .refuse }
        switch states[key] {
        case .open(let database, let users, _, _):
            if users == 0 { busyCount += 1 }
            clock += 1
            states[key] = .open(database, users: users + 1, lastUse: clock, isReused: true)
            return .use(database)
        case .opening, .closing: return .wait
        case nil:
            busyCount += 1
            states[key] = .opening(waiters: [])
            return .open
        }
    }

    /// Stores a waiter until the database is open or gone. Returns false when there is nothing left to wait
    /// for.
    mutating func wait(for key: Key, _ waiter: Waiter) -> Bool {
        switch states[key] {
        case .opening(let waiters): states[key] = .opening(waiters: waiters + [waiter])
        case .closing(let waiters): states[key] = .closing(waiters: waiters + [waiter])
        case .open, nil: return false
        }
        return true
    }

    /// The databases that are open.
    var openDatabases: [Database] {
        states.values.compactMap { state in
            if case .open(let database, _, _, _) = state { database } else { nil }
        }
    }

    /// Marks the database as open and used by the caller that opened it. Returns the waiters to resume.
    mutating func opened(_ key: Key, _ database: Database) -> [Waiter] {
        guard case .opening(let waiters) = states[key] else { return [] }
        openCount += 1
        clock += 1
        states[key] = .open(database, users: 1, lastUse: clock, isReused: false)
        return waiters
    }

    /// Marks the database as not open because opening it failed. Returns the waiters to resume, which try
    /// again themselves.
    mutating func failed(_ key: Key) -> [Waiter] {
        guard case .opening(let waiters) = states[key] else { return [] }
        states[key] = nil
        return waiters + endOfUse() + idleWaiters()
    }

    /// Ends one use. Returns the waiters to resume.
    mutating func giveBack(_ key: Key) -> [Waiter] {
        guard case .open(let database, let users, let lastUse, let isReused) = states[key], users > 0 else {
            return []
        }
        states[key] = .open(database, users: users - 1, lastUse: lastUse, isReused: isReused)
        return users == 1 ? endOfUse() + idleWaiters() : []
    }

    private mutating func endOfUse() -> [Waiter] {
        busyCount -= 1
        guard isEnding, busyCount == 0 else { return [] }
        defer { waitersForEnd = [] }
        return waitersForEnd
    }

    // MARK: Closing

    private typealias Candidate = (key: Key, database: Database, lastUse: Int)

    /// A database that must be closed now, if there is one. The caller closes it and then calls `closed`.
    mutating func surplus() -> (key: Key, database: Database)? {
        guard openCount > (isEnding ? 0 : limit) else { return nil }
        var usedOnce: Candidate?
        var reused: Candidate?
        var reusedCount = 0
        for case (let key, .open(let database, let users, let lastUse, let isReused)) in states {
            if isReused { reusedCount += 1 }
            guard users == 0, lastUse < (isReused ? reused : usedOnce)?.lastUse ?? .max else { continue }
            if isReused { reused = (key, database, lastUse) } else { usedOnce = (key, database, lastUse) }
        }
        let isPreferred = reusedCount <= max(1, limit * 3 / 4)
        guard let oldest = isPreferred ? usedOnce ?? reused : reused ?? usedOnce else { return nil }
        openCount -= 1
        states[oldest.key] = .closing(waiters: [])
        return (oldest.key, oldest.database)
    }

    /// Removes a closed database. Returns the waiters to resume.
    mutating func closed(_ key: Key) -> [Waiter] {
        guard case .closing(let waiters) = states[key] else { return [] }
        states[key] = nil
        return waiters + idleWaiters()
    }

    /// Stops handing out databases.
    mutating func end() { isEnding = true }

    /// Stores a waiter until no database is in use. Returns false when none is.
    mutating func waitForEnd(_ waiter: Waiter) -> Bool {
        if busyCount == 0 { return false }
        waitersForEnd.append(waiter)
        return true
    }
}
