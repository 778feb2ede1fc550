/// What is known of the databases of a server: a value that decides and performs nothing.
///
/// A database is opened by whoever asks first; others wait for it. While somebody uses it, it stays open.
/// When more than `limit` are open, those that nobody uses are closed, the longest unused first.
struct PoolPlan<Key: Hashable, Database, Waiter> {
    /// The answer to whoever wants a database.
    enum Taking {
        /// It is open, and now in use by the caller as well.
        case use(Database)
        /// The caller must open it and then say `opened` or `failed`.
        case open
        /// Somebody opens or closes it: wait, then ask again.
        case wait
        /// No more databases are given out.
        case refuse
    }

    enum Place {
        case opening(waiters: [Waiter])
        case open(Database, users: Int, lastUse: Int)
        case closing(waiters: [Waiter])
    }

    private let limit: Int
    var places: [Key: Place] = [:]
    /// Counts uses, so that the longest unused can be told.
    private var clock = 0
    var openCount = 0
    /// Databases in use or being opened.
    private var busyCount = 0
    private var isEnding = false
    private var waitersForEnd: [Waiter] = []
    /// Those who remove databases, and must look again when one is no longer in use.
    var waitersForIdle: [Waiter] = []

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    // MARK: Taking

    mutating func take(_ key: Key) -> Taking {
        if isEnding { return .refuse }
        switch places[key] {
        case .open(let database, let users, _):
            if users == 0 { busyCount += 1 }
            clock += 1
            places[key] = .open(database, users: users + 1, lastUse: clock)
            return .use(database)
        case .opening, .closing: return .wait
        case nil:
            busyCount += 1
            places[key] = .opening(waiters: [])
            return .open
        }
    }

    /// Keeps a waiter until the database is open or gone; false when there is nothing to wait for any more.
    mutating func wait(for key: Key, _ waiter: Waiter) -> Bool {
        switch places[key] {
        case .opening(let waiters): places[key] = .opening(waiters: waiters + [waiter])
        case .closing(let waiters): places[key] = .closing(waiters: waiters + [waiter])
        case .open, nil: return false
        }
        return true
    }

    /// The database is open, and in use by whoever opened it. Returns who must be told.
    mutating func opened(_ key: Key, _ database: Database) -> [Waiter] {
        guard case .opening(let waiters) = places[key] else { return [] }
        openCount += 1
        clock += 1
        places[key] = .open(database, users: 1, lastUse: clock)
        return waiters
    }

    /// The database could not be opened. Returns who must be told, to try for themselves.
    mutating func failed(_ key: Key) -> [Waiter] {
        guard case .opening(let waiters) = places[key] else { return [] }
        places[key] = nil
        return waiters + endOfUse() + idleWaiters()
    }

    /// Ends one use. Returns who must be told.
    mutating func giveBack(_ key: Key) -> [Waiter] {
        guard case .open(let database, let users, let lastUse) = places[key], users > 0 else { return [] }
        places[key] = .open(database, users: users - 1, lastUse: lastUse)
        return users == 1 ? endOfUse() + idleWaiters() : []
    }

    private mutating func endOfUse() -> [Waiter] {
        busyCount -= 1
        guard isEnding, busyCount == 0 else { return [] }
        defer { waitersForEnd = [] }
        return waitersForEnd
    }

    // MARK: Closing

    /// A database that must be closed now, if there is one; whoever closes it says `closed` then.
    mutating func surplus() -> (key: Key, database: Database)? {
        guard openCount > (isEnding ? 0 : limit) else { return nil }
        var oldest: (key: Key, database: Database, lastUse: Int)?
        for case (let key, .open(let database, 0, let lastUse)) in places
        where lastUse < oldest?.lastUse ?? .max {
            oldest = (key, database, lastUse)
        }
        guard let oldest else { return nil }
        openCount -= 1
        places[oldest.key] = .closing(waiters: [])
        return (oldest.key, oldest.database)
    }

    /// A database is closed. Returns who must be told.
    mutating func closed(_ key: Key) -> [Waiter] {
        guard case .closing(let waiters) = places[key] else { return [] }
        places[key] = nil
        return waiters + idleWaiters()
    }

    /// Gives out no more databases from now on.
    mutating func end() { isEnding = true }

    /// Keeps a waiter until no database is in use; false when none is.
    mutating func waitForEnd(_ waiter: Waiter) -> Bool {
        if busyCount == 0 { return false }
        waitersForEnd.append(waiter)
        return true
    }
}
