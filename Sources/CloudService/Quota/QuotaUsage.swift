import RecordStore
import Records

/// Caches the sizes of databases for checking quotas.
struct QuotaUsage: Sendable {
    /// The sizes of each account's private databases in bytes, as of their last use.
    private var people: [String: [DatabaseKey: Int64]] = [:]
    /// The accounts that have a quota of their own, in bytes.
    private var quotas: [String: Int64] = [:]
    /// The account that owns each database.
    private var owners: [DatabaseKey: String] = [:]
    /// The highest of `steps` that each database had reached when it was last checked.
    private var reached: [DatabaseKey: Double] = [:]

    /// The number of users of each container, and when it was counted.
    private var users: [String: (count: Int64, at: Timestamp)] = [:]

    /// Incremented by `forget()`. A size that was read before that call is not stored after it.
    private(set) var generation = 0
    private static let capacity = 50_000

    /// The account that owns the database, if the sizes of all its databases are cached.
    func account(of key: DatabaseKey) -> String? { owners[key] }

    /// Stores the quota of a person and the sizes of the person's databases, which were read in the given
    /// generation.
    mutating func store(
        _ account: Account, _ databases: [DatabaseKey: Int64], readIn generation: Int
    ) {
        guard generation == self.generation else { return }
        if owners.count >= Self.capacity { forget() }
        people[account.id] = databases
        quotas[account.id] = account.quotaBytes
        for key in databases.keys { owners[key] = account.id }
    }

    /// Stores the size of a database.
    mutating func store(_ bytes: Int64, of key: DatabaseKey) {
        guard let account = owners[key] else { return }
        people[account]?[key] = bytes
    }

    /// The owner's own quota in bytes; nil if the quota for everybody applies.
    func ownQuota(of key: DatabaseKey) -> Int64? { owners[key].flatMap { quotas[$0] } }

    /// The total size of the other private databases of the same account.
    func bytes(beside key: DatabaseKey) -> Int64 {
        guard let account = owners[key] else { return 0 }
        return (people[account] ?? [:]).lazy.filter { $0.key != key }.map(\.value).saturatedSum
    }

    /// The number of users of a container, if it was counted in the last minute.
    func users(of container: String, at now: Timestamp) -> Int64? {
        guard let (count, at) = users[container], now < at.advanced(bySeconds: 60) else { return nil }
        return count
    }

    mutating func store(users count: Int64, of container: String, at now: Timestamp) {
        users[container] = (count, now)
    }

    /// Empties the cache, after databases or people were added, changed or removed.
    mutating func forget() {
        generation += 1
        quotas.removeAll()
        people.removeAll()
        owners.removeAll()
        reached.removeAll()
        users.removeAll()
    }

    // MARK: Warnings

    /// Fractions of the quota at which the client and the operator are warned.
    static let steps = [0.8, 0.9, 0.95, 1]

    /// Records the step that a database has reached. Returns whether it is higher than at the last check.
    mutating func reachesNewStep(_ fullness: Double, _ key: DatabaseKey) -> Bool {
        let step = Self.steps.last { fullness >= $0 } ?? 0
        let before = reached[key] ?? 0
        reached[key] = step
        return step > before
    }
}
