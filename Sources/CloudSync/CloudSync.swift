public import Cloudlet
import Foundation
public import LocalReplica
import Records

/// Synchronizes a `LocalReplica` with a person's private database, or with the shared one.
///
/// ```swift
/// let sync = CloudSync(container: container, replica: replica, configuration: configuration)
/// try await sync.run()               // until the task is cancelled; or, once:
/// try await sync.waitUntilIdle()
/// ```
///
/// Records that other people share with the person are in the shared database. It has a sync and a replica of
/// its own, with the scope `.shared`: see `SyncScope`.
///
/// Two pure functions determine its behaviour: `SyncStep.next` chooses the next step, and `MergePlan.plan`
/// the result for a record that may have changed on both sides. The sync retries, waits and merges by itself.
/// `status` always contains the current activity, its reason, and when a wait ends.
///
/// - Conflicts are merged field by field, by the policy of the configuration. By default no text that was
///   typed is lost.
/// - If another person than the owner of the data is signed in, the sync reads and writes nothing, also if
///   the person changes between two requests. Open another replica for that person.
/// - If the server does not know the owner either, because the server or its data is new, `status` says so.
///   Then call `resendAllRecords()` or `deleteLocalData()`.
/// - If the person removed the app's data in a zone, the zone is emptied here. Nothing is sent to it until
///   `ReplicaWriter.resume(_:)`.
/// - If a zone was deleted elsewhere, it is removed here too, and not created again. Its pending edits are
///   set aside until `ReplicaWriter.resume(_:)`.
/// - If a zone is no longer shared with the person, its records are removed here. Its pending edits are set
///   aside, and sent when the zone is shared again.
/// - If the person may no longer write to a record, the edit is refused and stays on this device. It is sent
///   again when the share of the zone has changed.
/// - A zone whose data was removed or that was deleted is used again, without a call of `resume`, when
///   another device has created it again. Then all edits of this device are sent, including those that were
///   set aside.
/// - After a reset of the encrypted data, everything in the replica is sent again.
/// - If a token has expired, the zone is fetched from its beginning. Records that the server no longer has
///   are removed; pending edits stay.
/// - If the server was restored from a backup, all zones are fetched from their beginning. Records that the
///   server lost are removed on all devices alike; pending edits are kept and sent.
/// - Records are fetched first, then the files that this device does not have, in small groups. A file that
///   was lost in a power failure is fetched again. If the server does not have a file, only that file is
///   missing: everything else goes on, and the file is requested again later. The same holds for a record for
///   which the server has an error.
/// - If the server's answers make no progress, such as a conflict that returns after each merge, the sync
///   waits after some rounds, longer each time, and `status.stall` contains the cause.
/// - If the storage of a zone's owner is full, the edits of this owner's zones wait. Fetching goes on, and so
///   does the sending to the zones of other owners.
/// - If the connection is too slow for the files of a record, its edit stays pending and is sent again later;
///   everything else goes on.
/// - If the server refuses a zone or a subscription, it is requested again later. The edits of such a zone
///   wait; everything else goes on.
/// - If the server fails to process a record, the record is sent again a few times. After that, and when the
///   server refuses a record, the edit stays on this device until another edit of the record, or until its
///   parent is saved as a new record. `status` names the record.
/// - If the server is busy, the sync waits as long as the server asks for. It reads the server's limits
///   before it sends anything.
public actor CloudSync {
    nonisolated let container: CKContainer
    nonisolated let replica: LocalReplica
    nonisolated let scope: SyncScope
    nonisolated let configuration: SyncConfiguration
    var memory: SyncMemory
    /// The current activity, its reason, and when a wait ends.
    public private(set) var status = SyncStatus(activity: .idle, why: "not started")

    var database: CKDatabase { memory.container.database(with: scope.database) }

    /// The maximum of records in a batch: the smaller one of the app's and the server's limit.
    var largestBatch: Int {
        max(1, min(configuration.batchSize, container.connection.knownLimits.operationsPerRequest))
    }

    /// Creates a sync of a replica with a database of a container. It does nothing until one of its methods
    /// is called.
    public init(
        container: CKContainer, replica: LocalReplica, scope: SyncScope = .private,
        configuration: SyncConfiguration
    ) {
        self.container = container
        self.replica = replica
        self.scope = scope
        self.configuration = configuration
        memory = SyncMemory(container: container, batchLimit: configuration.batchSize)
    }

    /// Makes the next pass check who is signed in. Call it when the account may have changed.
    public func accountChanged() {
        memory.account = .unknown
        memory.accountChanges += 1
    }

    /// Handles a push as a hint that something has changed: the next pass fetches the zone, or the list of
    /// changed zones.
    public func receive(_ push: CKNotification) {
        if let change = PushedChange(push, in: scope) { receive([change]) }
    }

    /// Handles pushes. They are only kept in memory: a new process fetches the list of changed zones first.
    func receive(_ changes: Set<PushedChange>) {
        memory.pushedZones.formUnion(
            changes.compactMap { if case .zone(let zone) = $0 { zone } else { nil } })
        if changes.contains(.database) { memory.isDatabaseStale = true }
    }

    /// Runs one pass: performs all steps that are possible now, and returns the status. If a pass is already
    /// running, waits for it and for a further one.
    ///
    /// - Parameter asksServer: whether to ask the server for changes even if no push has announced any.
    /// - Throws: `ReplicaError`, and `CancellationError`.
    @discardableResult
    public func sync(asksServer: Bool = true) async throws -> SyncStatus {
        // The app requests a pass now, so all waits end that the server did not ask for.
        try await sync(asksServer: asksServer, endsWaits: true)
    }

    func sync(asksServer: Bool, endsWaits: Bool) async throws -> SyncStatus {
        if asksServer { memory.isDatabaseStale = true }
        if endsWaits {
            if let hold = memory.hold, !hold.isAsked { memory.hold = nil }
            memory.filesHold = nil
            memory.refusedSetup.endWaits()
            memory.slowUploads.endWait()
        }
        while memory.isPassing {
            memory.isWantedAgain = true
            await withCheckedContinuation { memory.waiting.append($0) }
            // A running pass is followed by the wanted one; `resendAllRecords` and `deleteLocalData` are not.
            if !memory.isWantedAgain { return status }
        }
        memory.isPassing = true
        defer { endExclusive() }
        repeat {
            memory.isWantedAgain = false
            try await pass()
        } while memory.isWantedAgain
        return status
    }

    /// Lets other passes begin, and resumes the callers that wait for that.
    func endExclusive() {
        memory.isPassing = false
        for waiter in memory.waiting { waiter.resume() }
        memory.waiting = []
    }

    /// Syncs until the activity is `idle`, waiting as long as necessary. Edits that the server refused, and
    /// files that it does not have, may remain.
    ///
    /// - Throws: `SyncBlocked` if the sync cannot continue by itself, for example without a sign-in;
    ///   `CancellationError`; `ReplicaError`.
    public func waitUntilIdle() async throws {
        while true {
            let status = try await sync()
            switch (status.activity, status.until) {
            case (.idle, _): return
            case (.waiting, let until?):
                try await configuration.pause(until: until)
            default: throw SyncBlocked(status: status)
            }
        }
    }

    private func pass() async throws {
        var progress = SyncProgress()
        progress.began = configuration.now()
        status.progress = progress
        memory.fetchedZones = []
        while true {
            try Task.checkCancellation()
            let facts = try facts()
            status.progress.toSend = facts.sendable
            let step = SyncStep.next(facts, at: configuration.now())
            if case .finished(let outcome) = step {
                // What this pass has stored is not repeated after a power failure.
                try await replica.flush()
                return outcome.report(to: self)
            }
            report(.working, step.title)
            try await perform(step)
        }
    }

    /// Collects the facts that determine the next step.
    func facts() throws -> SyncFacts {
        let (wanted, refused, now) = (configuration.zones, memory.refusedSetup, configuration.now())
        var facts = SyncFacts(account: memory.account, hold: memory.hold)
        let (full, late) = (memory.fullStorage.owners(at: now), memory.slowUploads.waiting(at: now))
        let known = try replica.readBlocking {
            try ReplicaFacts($0, refusedZones: refused.zones, full: full, late: late)
        }
        let made = known.zones.filter(\.isInUse)
        memory.tokens = known.tokens
        memory.forgetPushes(besides: made)
        facts.needsLimits = !memory.hasLimits
        facts.isDatabaseStale = memory.isDatabaseStale
        facts.mayLackFiles = memory.mayLackFiles
        facts.filesHold = memory.filesHold
        facts.sendable = known.sendable
        facts.storageHold = known.hasFull ? memory.fullStorage.hold(at: now) : nil
        facts.uploadHold = known.hasLate ? memory.slowUploads.hold : nil
        // A zone that cannot be fetched must not prevent the sending of edits.
        facts.zoneOfUnansweredBatch = known.unanswered.flatMap { zone in
            memory.askedZones.contains(zone) || memory.failures[.fetching(zone)] != nil ? nil : zone
        }
        let limits = container.connection.knownLimits
        let missing = scope.zonesToMake(wanted, known: known.zones)
            .filter { refused.permits(.zone($0), at: now) }
        facts.zonesToMake = Array(missing.prefix(max(1, limits.zonesPerRequest)))
        facts.zoneHold = refused.zoneHold(at: now)
        facts.staleZones = memory.zonesToFetch(of: made)
        facts.firstZone = facts.staleZones.first { memory.turn(of: $0) == .first }
        let closed = known.closed.map { $0.closure.message($0.zone, $0.edits) }
        if !closed.isEmpty { facts.closed = closed.joined(separator: "; ") }
        if !known.refused.isEmpty { facts.refused = SyncFacts.message(refused: known.refused) }
        if configuration.subscribes {
            let unknown = scope.zonesToFollow(made)
                .filter { refused.permits(.subscription(zone: $0), at: now) }
            facts.zonesToFollow = Array(unknown.prefix(max(1, limits.subscriptions - 1)))
            facts.hasToFollowDatabase =
                !known.database.isSubscribed && refused.permits(.subscription(zone: nil), at: now)
            facts.subscriptionHold = refused.subscriptionHold(at: now)
        }
        return facts
    }

    /// Updates the state of the connection for pushes.
    func report(_ pushes: SyncStatus.Pushes) {
        guard status.pushes != pushes else { return }
        status.pushes = pushes
        configuration.report(status)
    }

    func report(
        _ activity: SyncStatus.Activity, _ why: String, until: Date? = nil, _ stall: SyncStall? = nil,
        account: SyncStatus.AccountProblem? = nil
    ) {
        let before = status
        status.stall = stall
        status.accountProblem = account
        status.activity = activity
        status.why = why
        status.until = until
        if status != before { configuration.report(status) }
    }

    /// Updates the progress, and reports the status.
    func count(_ change: (inout SyncProgress) -> Void) {
        change(&status.progress)
        configuration.report(status)
    }
}

extension SyncStep.Outcome {
    /// Reports the end of a pass.
    fileprivate func report(to sync: isolated CloudSync) {
        switch self {
        case .idle: sync.report(.idle, "everything is in sync")
        case .lacking(let hold): sync.report(.idle, hold.why, until: hold.until)
        case .refused(let message, let until): sync.report(.idle, message, until: until)
        case .held(let hold):
            let isBlocked = hold.until == nil || hold.stall != nil
            sync.report(isBlocked ? .blocked : .waiting, hold.why, until: hold.until, hold.stall)
        case .account(let problem): sync.report(.blocked, problem.message, account: problem)
        case .closed(let message): sync.report(.blocked, message)
        }
    }
}

extension ReplicaZone.Closure {
    /// Describes the edits that wait in a closed zone, and what to do.
    fileprivate func message(_ zone: ZoneID, _ edits: Int) -> String {
        let what = edits == 1 ? "1 edit waits" : "\(edits) edits wait"
        if zone.isShared {
            return "\(what): the zone \(zone.displayName) is no longer shared with this person; "
                + "they are sent when it is shared again"
        }
        let name = zone.name
        switch self {
        case .purged: return "\(what): the data of \(name) was removed; resume the zone to send again"
        case .deleted: return "\(what): the zone \(name) was deleted elsewhere; resume it to create it again"
        }
    }
}

extension SyncStep {
    var title: String {
        switch self {
        case .identify: "asking who is signed in"
        case .readLimits: "reading the limits of the server"
        case .fetchDatabase: "asking which zones changed"
        case .makeZones(let zones): "creating \(zones.map(\.displayName).joined(separator: ", "))"
        case .follow: "subscribing to changes"
        case .send: "sending"
        case .fetch(let zone): "fetching \(zone.displayName)"
        case .fetchFiles: "fetching files"
        case .finished: "resting"
        }
    }
}
