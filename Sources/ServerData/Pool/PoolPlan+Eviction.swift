extension PoolPlan {
    /// The next step when databases are removed.
    enum Eviction {
        /// The caller must close this database, call `closed`, and ask again.
        case close(Key, Database)
        /// A database is in use: the caller must wait, then ask again.
        case wait
        /// None of the databases is open.
        case done
    }

    /// The next step towards having none of these databases open. The caller ensures that none of them is
    /// opened again.
    mutating func evict(_ isSelected: (Key) -> Bool) -> Eviction {
        var isBusy = false
        for (key, state) in states where isSelected(key) {
            guard case .open(let database, 0, _, _) = state else {
                isBusy = true
                continue
            }
            openCount -= 1
            states[key] = .closing(waiters: [])
            return .close(key, database)
        }
        return isBusy ? .wait : .done
    }

    /// Stores a waiter until one of these databases may have been given back. Returns false when none is in
    /// use.
    mutating func waitForIdle(_ isSelected: (Key) -> Bool, _ waiter: Waiter) -> Bool {
        let isBusy = states.contains { key, state in
            if case .open(_, 0, _, _) = state { false } else { isSelected(key) }
        }
        if isBusy { waitersForIdle.append(waiter) }
        return isBusy
    }

    /// Removes and returns the waiters for idle databases. Each of them must check again.
    mutating func idleWaiters() -> [Waiter] {
        defer { waitersForIdle = [] }
        return waitersForIdle
    }
}
