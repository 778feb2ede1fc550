import Directory
import RecordStore
package import Records
import Synchronization

/// A database that is nearly full.
package struct QuotaWarning: Hashable, Sendable {
    package var key: DatabaseKey
    package var scope: DatabaseKind
    /// How full, in hundredths.
    package var percent: Int
    /// Whether it was less full before the call that this is the warning of, by a step worth mentioning.
    package var isNews: Bool
}

extension CloudService {
    /// What a database may take up; nil where nothing is limited.
    func quota(for database: OpenDatabase) async throws -> StoreQuota? {
        guard let rules = limits.quota else { return nil }
        let key = database.key
        if key.owner == nil {
            let (assets, records) = rules.publicBytes(users: try await users(of: key.container))
            return StoreQuota(recordBytes: records, assetBytes: assets)
        }
        try await learn(key)
        let elsewhere = quotas.withLock { $0.bytes(beside: key) }
        return StoreQuota(totalBytes: max(0, rules.personBytes.subtractingSaturated(elsewhere)))
    }

    private func users(of container: String) async throws -> Int64 {
        let now = seams.now()
        if let count = quotas.withLock({ $0.users(of: container, at: now) }) { return count }
        let count = try await directory.userCount(of: container)
        quotas.withLock { $0.note(users: count, of: container, at: now) }
        return count
    }

    /// Throws `quotaExceeded` unless there is room for so many bytes of a file beside those that wait for a
    /// record of the database.
    func checkRoom(for bytes: Int64, in database: OpenDatabase, culprit: String) async throws {
        guard let quota = try await quota(for: database) else { return }
        let usage = try await database.records.usage()
        let waiting = uploads.withLock { $0.bytes(for: database.key.text) }
        let change = StoreUsage(assetBytes: max(1, bytes.addingSaturated(waiting)))
        if quota.admits(change, after: usage) { return }
        throw RecordError.quotaExceeded(culprit)
    }

    /// Notes what a database takes up after it was used.
    func note(_ database: OpenDatabase) async throws {
        guard limits.quota != nil, database.key.owner != nil else { return }
        let usage = try await database.records.usage()
        quotas.withLock { $0.note(usage.total, of: database.key) }
    }

    /// The warning that goes with the answer to a change; nil as long as there is room enough.
    package func quotaWarning(in scope: DatabaseKind, by caller: Caller) async throws -> QuotaWarning? {
        guard limits.quota != nil else { return nil }
        return try await using(scope, for: caller) { database in
            guard let quota = try await quota(for: database) else { return nil }
            let fullness = quota.fullness(at: try await database.records.usage())
            let isNews = quotas.withLock { $0.reaches(fullness, database.key) }
            guard let first = QuotaBook.steps.first, fullness >= first else { return nil }
            return QuotaWarning(
                key: database.key, scope: scope, percent: Int(min(fullness * 100, 1_000_000)), isNews: isNews)
        }
    }

    // MARK: A person's databases

    /// What a person's private databases take up in all containers, and may; nil: any amount.
    package func privateBytes(of person: Account) async throws -> (used: Int64, limit: Int64?) {
        let found = try await databases(of: person)
        return (found.values.saturatedSum, limits.quota?.personBytes)
    }

    /// The same of whoever asks; nil when nobody is signed in.
    package func privateBytes(of caller: Caller) async throws -> (used: Int64, limit: Int64?)? {
        guard case .person(let name) = caller.identity,
            let account = try await directory.account(withUserRecordName: name, in: caller.container)
        else { return nil }
        return try await privateBytes(of: account)
    }

    /// Finds the person's other private databases, once, and what they take up.
    private func learn(_ key: DatabaseKey) async throws {
        guard let owner = key.owner, quotas.withLock({ $0.account(of: key) }) == nil,
            let account = try await directory.account(withUserRecordName: owner, in: key.container)
        else { return }
        let found = try await databases(of: account)
        quotas.withLock { $0.learn(account.id, found) }
    }

    private func databases(of person: Account) async throws -> [DatabaseKey: Int64] {
        var found: [DatabaseKey: Int64] = [:]
        for (container, name) in try await directory.userRecordNames(of: person.id) {
            for environment in CloudEnvironment.allCases {
                let key = DatabaseKey(container: container, environment: environment, owner: name)
                found[key] = databases.exists(key) ? try await bytes(of: key) : 0
            }
        }
        return found
    }

    private func bytes(of key: DatabaseKey) async throws -> Int64 {
        let database = try await databases.lease(key)
        do {
            let usage = try await database.records.usage()
            await databases.giveBack(key)
            return usage.total
        } catch {
            await databases.giveBack(key)
            throw error
        }
    }
}
