package import Records

/// What the unread notifications of one person, in one database, may take up.
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

    /// Whether notifications of so many bytes together are too many.
    package func areExceeded(byCount count: Int, bytes: Int) -> Bool {
        count > self.count || bytes > self.bytes
    }

    /// How many of a person's notifications stay, given their sizes in bytes, the newest first.
    ///
    /// When there are too many, a tenth of the limit becomes free, so that not every new one costs a look at
    /// all others. The newest stays whatever its size.
    package func kept(of sizes: [Int]) -> Int {
        let total = sizes.reduce(0, +)
        let mostCount = sizes.count > count ? count - count / 10 : count
        let mostBytes = total > bytes ? bytes - bytes / 10 : bytes
        var (kept, sum) = (0, 0)
        for size in sizes {
            sum += size
            if kept > 0, kept >= mostCount || sum > mostBytes { break }
            kept += 1
        }
        return kept
    }
}
