extension PoolPlan {
    /// The next step towards closing databases that are being removed.
    enum Eviction {
        /// The caller must close this database, call `closed`, and ask again.
        case close(Key, Database)
        /// A database is in use, being opened or being closed: the caller must wait, then ask again.
        case wait
        /// None of the databases is open.
        case done
    }

    /// Begins to close one of these databases if one is idle, and returns the next step. The caller ensures
    /// that none of them is opened again.
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

    /// Stores a waiter until one of these databases may have become idle. Returns false if none is in use,
    /// being opened or being closed.
    mutating func waitForIdle(_ isSelected: (Key) -> Bool, _ waiter: Waiter) -> Bool {
        let isBusy = states.contains { key, state in
            if case .open(_, 0, _, _) = state { false } else { isSelected(key) }
        }
        if isBusy { waitersForIdle.append(waiter) }
        return isBusy
    }

    /// Removes and returns the waiters of `waitForIdle`. Each of them must call `evict` again.
    mutating func idleWaiters() -> [Waiter] {
        defer { waitersForIdle = [] }
        return waitersForIdle
    }
}
