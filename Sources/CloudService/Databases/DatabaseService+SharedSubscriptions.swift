import Directory
import RecordStore
import Records

/// The subscriptions of people to their shared databases.
///
/// The person's own private database has the list of these subscriptions. Each database of an owner who
/// shares with the person has a copy, because the notifications of a change are written in the database of
/// the change. A copy has no effect if the person is a member of no share there. A copy can differ from the
/// list if the server stopped between the two writes, or if the owner's database failed. It is corrected when
/// the person next asks for the zones or the changes of the shared database.
extension DatabaseService {
    /// The private databases of those who have shared zones with the caller.
    func sharingKeys(for caller: Caller) async throws -> [DatabaseKey] {
        try await sharingKeys(
            for: try caller.requireUserRecordName(), in: caller.container, caller.environment)
    }

    /// The private databases of those who have shared zones with a person.
    func sharingKeys(
        for person: String, in container: String, _ environment: CloudEnvironment
    ) async throws -> [DatabaseKey] {
        let zones = try await context.directory.sharedZones(of: person, in: container, environment)
        var seen: Set<String> = []
        return zones.filter { seen.insert($0.owner).inserted }
            .map { DatabaseKey(container: container, environment: environment, owner: $0.owner) }
            .filter { context.provider.exists($0) }
    }

    /// Runs `work`, which must only read, with the database of an owner who shares with the caller. If that
    /// database fails, returns the result of `failed`, so that the caller can still read what other owners
    /// share. Throws the errors that concern the caller: cancellation and `throttled`.
    func attempt<Result: Sendable>(
        _ key: DatabaseKey, for caller: Caller, _ work: (OpenDatabase) async throws -> Result,
        failed: (RecordError) -> Result
    ) async throws -> Result {
        do {
            return try await using(key) { database in
                try await slowWork.reading(for: caller.workPayer) { try await work(database) }
            }
        } catch let error as CancellationError {
            throw error
        } catch let error as RecordError where error.code == .throttled {
            throw error
        } catch {
            var known = context.itemError(error)
            // The diagnosis and the file are for the operator only.
            known.culprit = nil
            known.nextStep = "try again later; the zones of other people are not concerned"
            return failed(known)
        }
    }

    func sharedSubscriptions(of caller: Caller) async throws -> [Subscription] {
        let person = try caller.requireUserRecordName()
        // A person who has stored nothing has no private database, and this read must not create one.
        guard context.provider.exists(try key(of: .private, for: caller)) else { return [] }
        return try await reading(.private, for: caller) {
            try await $0.records.subscriptions(of: person, in: .shared)
        }
    }

    /// The caller's subscriptions to the shared database; nil if the caller's own database fails, so that the
    /// caller can still read what others share. The error is reported to the operator.
    func readableSharedSubscriptions(of caller: Caller) async throws -> [Subscription]? {
        let person = try caller.requireUserRecordName()
        let own = try key(of: .private, for: caller)
        guard context.provider.exists(own) else { return [] }
        return try await attempt(own, for: caller) {
            try await $0.records.subscriptions(of: person, in: .shared)
        } failed: { _ in
            nil
        }
    }

    /// Creates, replaces and deletes subscriptions of the caller to the shared database.
    func modifySharedSubscriptions(
        _ operations: [SubscriptionOperation], by caller: Caller
    ) async throws -> [SubscriptionResult] {
        let person = try caller.requireUserRecordName()
        let results = try await using(.private, for: caller) {
            try await $0.records.modifySubscriptions(
                operations, of: person, in: .shared, limits: context.limits)
        }
        try await copySharedSubscriptions(to: try await sharingKeys(for: caller), by: caller)
        return results
    }

    /// Copies the caller's subscriptions to the databases of owners. A failure is only reported to the
    /// operator: the list has been saved, and the copy is corrected the next time.
    func copySharedSubscriptions(to keys: [DatabaseKey], by caller: Caller) async throws {
        for key in keys {
            do {
                try await copySharedSubscriptions(to: key, by: caller)
            } catch let error as CancellationError {
                throw error
            } catch {
                _ = context.itemError(error)
            }
        }
    }

    /// Copies the caller's subscriptions to the database of an owner who shares with the caller. Copies again
    /// if the list has changed meanwhile, so that of two concurrent requests the last copy has the latest
    /// list.
    ///
    /// Only one database is in use at a time: two requests that wait for each other's could otherwise fill
    /// the pool.
    func copySharedSubscriptions(to key: DatabaseKey, by caller: Caller) async throws {
        let person = try caller.requireUserRecordName()
        var copied: [Subscription]?
        while true {
            let list = try await sharedSubscriptions(of: caller)
            if list == copied { return }
            try await using(key) { try await $0.records.setSharedSubscriptions(list, of: person) }
            copied = list
        }
    }
}
