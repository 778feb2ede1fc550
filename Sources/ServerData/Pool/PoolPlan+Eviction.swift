extension PoolPlan {
    /// The next step of whoever removes databases.
    enum Eviction {
        /// Close this one, say `closed`, and ask again.
        case close(Key, Database)
        /// One is in use: wait, then ask again.
        case wait
        /// None is open.
        case done
    }

    /// The next step towards having none of these databases open. Whoever asks sees to it that no more of
    /// them are taken.
    mutating func evict(_ isMeant: (Key) -> Bool) -> Eviction {
        var isBusy = false
        for (key, place) in places where isMeant(key) {
            guard case .open(let database, 0, _) = place else {
                isBusy = true
                continue
            }
            openCount -= 1
            places[key] = .closing(waiters: [])
            return .close(key, database)
        }
        return isBusy ? .wait : .done
    }

    /// Keeps a waiter until one of these databases may have been given back; false when none is in use.
    mutating func waitForIdle(_ isMeant: (Key) -> Bool, _ waiter: Waiter) -> Bool {
        let isBusy = places.contains { key, place in
            if case .open(_, 0, _) = place { false } else { isMeant(key) }
        }
        if isBusy { waitersForIdle.append(waiter) }
        return isBusy
    }

    /// Those who wait for idle databases; each looks for itself.
    mutating func idleWaiters() -> [Waiter] {
        defer { waitersForIdle = [] }
        return waitersForIdle
    }
}
