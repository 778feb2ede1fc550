package import Records

/// Limits for the unread notifications of one person in one database, and for the read ones.
package struct NotificationLimits: Hashable, Sendable {
    package var count: Int
    package var bytes: Int

    package init(count: Int = Limits().notificationsPerPerson, bytes: Int = Limits().notificationBytes) {
        self.count = count
        self.bytes = bytes
    }

    package init(_ limits: Limits) {
        self.init(count: limits.notificationsPerPerson, bytes: limits.notificationBytes)
    }

    /// Whether this number of notifications, or their bytes together, exceed a limit.
    package func areExceeded(byCount count: Int, bytes: Int) -> Bool {
        count > self.count || bytes > self.bytes
    }

    /// Returns how many of a person's newest unread notifications, or of the read ones, to keep.
    ///
    /// When a limit is exceeded, a tenth of it is freed, so that the next notifications do not need another
    /// count. The newest notification is kept whatever its size.
    ///
    /// - Parameter sizes: the notifications' sizes in bytes, the newest first.
    package func kept(of sizes: [Int]) -> Int {
        let total = sizes.reduce(0, +)
        let maximumCount = sizes.count > count ? count - count / 10 : count
        let maximumBytes = total > bytes ? bytes - bytes / 10 : bytes
        var (kept, sum) = (0, 0)
        for size in sizes {
            sum += size
            if kept > 0, kept >= maximumCount || sum > maximumBytes { break }
            kept += 1
        }
        return kept
    }
}
