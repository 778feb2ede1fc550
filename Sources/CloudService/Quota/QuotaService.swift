import Directory
import RecordStore
package import Records
import Synchronization

/// A database that is nearly full.
package struct QuotaWarning: Hashable, Sendable {
    package var key: DatabaseKey
    package var scope: DatabaseKind
    /// How full it is, in percent.
    package var percent: Int
    /// Whether the database has reached a higher step of `QuotaUsage.steps` since the last check.
    package var isNewStep: Bool
}

/// Determines the sizes of databases and their quotas.
package final class QuotaService: Sendable {
    private let context: ServiceContext
    private let cached = Mutex(QuotaUsage())
    private let largest = RecentValues<Int, [DatabaseKey]>()

    init(_ context: ServiceContext) {
        self.context = context
    }

    /// Empties the cache, after databases or people were added, changed or removed.
    func clearCache() { cached.withLock { $0.forget() } }

    /// The quota of a database; nil if its size is not limited.
    ///
    /// - Parameter caller: the caller who saves. In a public database, the quota also limits the size of this
    ///   person's records; nil leaves this limit out. A server-to-server key has no such limit, so that apps
    ///   can fill their public database.
    func quota(for database: OpenDatabase, by caller: Caller? = nil) async throws -> StoreQuota? {
        guard let rules = context.limits.quota else { return nil }
        let key = database.key
        if key.owner == nil {
            let (assets, records) = rules.publicBytes(users: try await users(of: key.container))
            var quota = StoreQuota(recordBytes: records, assetBytes: assets)
            guard let caller else { return quota }
            if case .serverKey = caller.identity { return quota }
            quota.personRecordBytes = rules.personShare(of: records)
            quota.personAssetBytes = rules.personShare(of: assets)
            return quota
        }
        try await cacheSizes(ofAccountOwning: key)
        let (elsewhere, own) = cached.withLock { ($0.bytes(beside: key), $0.ownQuota(of: key)) }
        return StoreQuota(totalBytes: max(0, (own ?? rules.personBytes).subtractingSaturated(elsewhere)))
    }

    private func users(of container: String) async throws -> Int64 {
        let now = context.runtime.now()
        if let count = cached.withLock({ $0.users(of: container, at: now) }) { return count }
        let count = try await context.directory.userCount(of: container)
        cached.withLock { $0.store(users: count, of: container, at: now) }
        return count
    }

    /// Throws `quotaExceeded` unless the database has room for `bytes` of files; 0 counts as 1.
    func checkRoom(for bytes: Int64, in database: OpenDatabase, culprit: String) async throws {
        guard let quota = try await quota(for: database) else { return }
        let usage = try await database.records.usage()
        let change = StoreUsage(assetBytes: max(1, bytes))
        if quota.admits(change, after: usage) { return }
        throw RecordError.quotaExceeded(culprit)
    }

    /// Caches the size of a private database after it was used.
    func recordSize(of database: OpenDatabase) async throws {
        guard context.limits.quota != nil, database.key.owner != nil else { return }
        let usage = try await database.records.usage()
        cached.withLock { $0.store(usage.total, of: database.key) }
    }

    /// The warning that a database is nearly full; nil while it is below the first of `QuotaUsage.steps`.
    func warning(for database: OpenDatabase, scope: DatabaseKind) async throws -> QuotaWarning? {
        guard let quota = try await quota(for: database) else { return nil }
        let fullness = quota.fullness(at: try await database.records.usage())
        let isNewStep = cached.withLock { $0.reachesNewStep(fullness, database.key) }
        guard let first = QuotaUsage.steps.first, fullness >= first else { return nil }
        return QuotaWarning(
            key: database.key, scope: scope, percent: Int(min(fullness * 100, 1_000_000)),
            isNewStep: isNewStep)
    }

    // MARK: A person's databases

    /// The size in bytes of a person's private databases in all containers, and its limit; nil if there is no
    /// limit.
    package func privateBytes(of person: Account) async throws -> (used: Int64, limit: Int64?) {
        let found = try await databases(of: person)
        return (found.values.saturatedSum, context.limits.quota.map { person.quotaBytes ?? $0.personBytes })
    }

    /// The same sizes for the caller; nil for an anonymous caller or a server-to-server key.
    package func privateBytes(of caller: Caller) async throws -> (used: Int64, limit: Int64?)? {
        guard case .person(let name) = caller.identity,
            let account = try await context.directory.account(withUserRecordName: name, in: caller.container)
        else { return nil }
        return try await privateBytes(of: account)
    }

    /// The owners of the `count` largest private databases, as determined at most a minute ago, each with the
    /// total size in bytes of the person's private databases, largest total first. There are fewer than
    /// `count` people if one owns several of these databases. nil while another request determines the sizes
    /// of all databases for the first time.
    package func largestPeople(_ count: Int) async throws -> [(person: Account, used: Int64)]? {
        let keys = try await largest.value(of: count, at: context.runtime.now()) {
            let containers = try await context.directory.containers().map(\.name)
            return try await context.provider.largest(count, of: containers)
        }
        guard let keys else { return nil }
        var people: [String: (person: Account, used: Int64)] = [:]
        for key in keys {
            guard let owner = key.owner,
                let person = try await context.directory.account(
                    withUserRecordName: owner, in: key.container),
                people[person.id] == nil
            else { continue }
            people[person.id] = (person, try await privateBytes(of: person).used)
        }
        return people.values.sorted {
            $0.used == $1.used ? $0.person.name.precedesInBytes($1.person.name) : $0.used > $1.used
        }
    }

    /// The number of people whose private data takes up at least `percent` of their quota, among the owners
    /// of the `checkedPeople` largest private databases. nil without a quota, and while another request
    /// determines the sizes of all databases for the first time.
    func nearlyFullPeople(percent: Int64) async throws -> Int? {
        guard let rules = context.limits.quota, let largest = try await largestPeople(Self.checkedPeople)
        else { return nil }
        return largest.count(where: { person, used in
            used >= (person.quotaBytes ?? rules.personBytes) / 100 * percent
        })
    }

    /// The maximum number of people whose fullness is checked.
    static let checkedPeople = 100

    /// Determines and caches the sizes of all private databases of the owner's account, unless they are
    /// cached.
    private func cacheSizes(ofAccountOwning key: DatabaseKey) async throws {
        let (known, generation) = cached.withLock { ($0.account(of: key), $0.generation) }
        guard let owner = key.owner, known == nil,
            let account = try await context.directory.account(withUserRecordName: owner, in: key.container)
        else { return }
        let found = try await databases(of: account)
        cached.withLock { $0.store(account, found, readIn: generation) }
    }

    private func databases(of person: Account) async throws -> [DatabaseKey: Int64] {
        var found: [DatabaseKey: Int64] = [:]
        for (container, name) in try await context.directory.userRecordNames(of: person.id) {
            for environment in CloudEnvironment.allCases {
                let key = DatabaseKey(container: container, environment: environment, owner: name)
                found[key] = context.provider.exists(key) ? try await bytesUnlessDamaged(key) : 0
            }
        }
        return found
    }

    /// The size of a database; 0 for one that cannot be read, because the error would otherwise prevent its
    /// owner's saves in all other containers.
    private func bytesUnlessDamaged(_ key: DatabaseKey) async throws -> Int64 {
        do {
            return try await bytes(of: key)
        } catch {
            let known = RecordError(unexpected: error)
            guard known.code == .internalError else { throw error }
            context.runtime.refusals.tell(.failure) {
                let reason = [known.culprit, known.reason, known.diagnosis].compactMap(\.self)
                context.runtime.report(
                    "the size of a database counts as 0: " + reason.joined(separator: ": "))
            }
            return 0
        }
    }

    private func bytes(of key: DatabaseKey) async throws -> Int64 {
        let database = try await context.provider.lease(key)
        do {
            let usage = try await database.records.usage()
            await context.provider.giveBack(key)
            return usage.total
        } catch {
            await context.provider.giveBack(key)
            throw error
        }
    }
}
