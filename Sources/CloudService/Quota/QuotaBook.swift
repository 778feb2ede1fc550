import RecordStore
import Records

/// The sizes of databases that count against one quota.
struct QuotaBook: Sendable {
    /// The sizes of each person's private databases when they were last used.
    private var people: [String: [DatabaseKey: Int64]] = [:]
    /// The account that each database belongs to.
    private var owners: [DatabaseKey: String] = [:]
    /// How full a database was after its last change: the highest step of `steps` that it has reached.
    private var reached: [DatabaseKey: Double] = [:]

    /// How many users containers had, and when that was counted.
    private var users: [String: (count: Int64, at: Timestamp)] = [:]

    private static let capacity = 50_000

    /// The account whose database it is, if all its databases are known.
    func account(of key: DatabaseKey) -> String? { owners[key] }

    /// Stores the sizes of a person's databases.
    mutating func learn(_ account: String, _ databases: [DatabaseKey: Int64]) {
        if owners.count >= Self.capacity { forget() }
        people[account] = databases
        for key in databases.keys { owners[key] = account }
    }

    /// Stores the size of a database.
    mutating func note(_ bytes: Int64, of key: DatabaseKey) {
        guard let account = owners[key] else { return }
        people[account]?[key] = bytes
    }

    /// The size of the person's other databases.
    func bytes(beside key: DatabaseKey) -> Int64 {
        guard let account = owners[key] else { return 0 }
        return (people[account] ?? [:]).lazy.filter { $0.key != key }.map(\.value).saturatedSum
    }

    /// How many users a container has, if that was counted in the last minute.
    func users(of container: String, at now: Timestamp) -> Int64? {
        guard let (count, at) = users[container], now < at.advanced(bySeconds: 60) else { return nil }
        return count
    }

    mutating func note(users count: Int64, of container: String, at now: Timestamp) {
        users[container] = (count, now)
    }

    /// Forgets everything, after databases or people came or went.
    mutating func forget() {
        people.removeAll()
        owners.removeAll()
        reached.removeAll()
        users.removeAll()
    }

    // MARK: Warning

    /// The client and the operator are warned when a database reaches one of these parts of its quota.
    static let steps = [0.8, 0.9, 0.95, 1]

    /// Whether a database has reached a step that it had not before.
    mutating func reaches(_ fullness: Double, _ key: DatabaseKey) -> Bool {
        let step = Self.steps.last { fullness >= $0 } ?? 0
        let before = reached[key] ?? 0
        reached[key] = step
        return step > before
    }
}
