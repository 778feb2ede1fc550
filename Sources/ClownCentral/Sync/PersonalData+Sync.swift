import CloudSync
import Cloudlet
import LocalReplica
import MirroredStore

// One sync for notes, receipts and posts.
extension PersonalData {
    /// Runs one pass of each sync, and returns their combined status. If the account prevents the first sync,
    /// the second does not run.
    func syncOnce() async throws -> SyncStatus {
        let status = try await sync.sync()
        // A problem of the account also affects the posts.
        if status.accountProblem != nil { return status }
        return status.joined(with: try await posts.posts.store.mirror())
    }

    /// Syncs whenever there is a reason, until the task is cancelled.
    func run() async throws {
        let triggers = triggers()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [self] in try await sync.run() }
            group.addTask { [self] in try await posts.posts.store.run() }
            group.addTask { [self] in
                for await trigger in triggers {
                    switch trigger {
                    case .push(let push): try await posts.posts.store.receive(push)
                    case .connected: try await posts.posts.store.mirror()
                    }
                }
            }
            // The first sync that fails cancels the others.
            while try await group.next() != nil {}
        }
    }

    /// The changes of notes, receipts and posts that are not sent yet.
    func pendingChanges() async throws -> [PendingChange] {
        var changes: [PendingChange] = []
        for replica in [replica, posts.posts.store.replica] {
            changes += try await replica.read { try $0.pendingChanges() }
        }
        return changes
    }

    /// The conflicts of notes, receipts and posts with their results.
    func conflicts() async throws -> [ResolvedConflict] {
        var conflicts: [ResolvedConflict] = []
        for replica in [replica, posts.posts.store.replica] {
            conflicts += try await replica.read { try $0.conflicts() }
        }
        return conflicts
    }

    /// Deletes the list of conflicts.
    func forgetConflicts() async throws {
        for replica in [replica, posts.posts.store.replica] {
            try await replica.write { try $0.forgetConflicts() }
        }
    }

    /// Makes the next pass check who is signed in.
    func accountChanged() async {
        await sync.accountChanged()
        await posts.posts.store.sync?.accountChanged()
    }

    /// Keeps the data of this device, and assigns it to the signed-in person: see `CloudSync`. Throws
    /// `SyncBlocked` only if both syncs refuse. Returns the number of shares that cannot be sent.
    func resendAllRecords() async throws -> Int {
        let syncs = [sync, posts.posts.store.sync].compactMap(\.self)
        var refusals: [SyncBlocked] = []
        var shares = 0
        for sync in syncs {
            do {
                shares += try await sync.resendAllRecords()
            } catch let error as SyncBlocked {
                refusals.append(error)
            }
        }
        if refusals.count == syncs.count, let refusal = refusals.first { throw refusal }
        unknownOwner.remove()
        return shares
    }

    /// Deletes the data of this device, including unsent changes.
    func deleteLocalData() async throws {
        try await sync.deleteLocalData()
        try await posts.deleteLocalData()
        unknownOwner.remove()
    }

    /// Resumes the sync of a zone that was closed.
    func resume(_ zone: String) async throws {
        let ofPosts = posts.posts.store.replica
        let isOfPosts = try await ofPosts.read { try $0.zones().contains { $0.id.name == zone } }
        try await (isOfPosts ? ofPosts : replica).write { try $0.resume(zone) }
    }
}

extension SyncStatus {
    /// Combines the status of two syncs. The activity is that of the sync that ranks higher in the order
    /// idle, working, waiting, blocked. A waiting time ends at the earlier time. The numbers of what is
    /// sent, to be sent, fetched and merged are summed.
    func joined(with other: SyncStatus?) -> SyncStatus {
        guard let other else { return self }
        let ranks: [Activity] = [.idle, .working, .waiting, .blocked]
        let isOther =
            ranks.firstIndex(of: other.activity) ?? 0 > ranks.firstIndex(of: activity) ?? 0
        var joined = isOther ? other : self
        joined.until = [until, other.until].compactMap(\.self).min()
        joined.progress.sent = progress.sent + other.progress.sent
        joined.progress.toSend = progress.toSend + other.progress.toSend
        joined.progress.fetched = progress.fetched + other.progress.fetched
        joined.progress.merged = progress.merged + other.progress.merged
        return joined
    }
}
