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
/// Two tables determine its behaviour: `SyncStep.next` the next step, and `MergePlan` the result for a record
/// that both sides changed. The sync retries, waits and merges by itself. `status` always contains what it
/// does, why, and until when.
///
/// - Conflicts are merged field by field, by the policy of the configuration. By default no text that was
///   typed is lost.
/// - If another person than the owner of the data is signed in, the sync reads and writes nothing, also if
///   the person changes between two requests. Open another replica for that person.
/// - If the server does not know the owner either, because the server or its data is new, `status` says so.
///   `sendAllAgain()` and `forgetAll()` are the ways on.
/// - If the person removed the app's data in a zone, the zone is emptied here. Nothing is sent to it until
///   `ReplicaWriter.resume(_:)`.
/// - If a zone was deleted elsewhere, it is removed here too, and not created again. Its pending edits are
///   set aside until `ReplicaWriter.resume(_:)`.
/// - If a zone is no longer shared with the person, its records are removed here. Its pending edits are set
///   aside, and sent when the zone is shared again.
/// - If the person may no longer write to a record, the edit is refused and stays on this device. It is sent
///   again when the share of the zone has changed.
/// - Both kinds of zone are used again without a call of `resume` when another device has created the zone
///   again. Then all edits that were made here are sent, those that were set aside as well as later ones.
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
    /// What the sync does, why, and until when.
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
    ///
    /// - Throws: `ReplicaError`.
    public func take(_ push: CKNotification) async throws {
        if let change = PushedChange(push, in: scope) { take([change]) }
    }

    /// Nothing is stored: a new process fetches the list of changed zones first.
    func take(_ news: Set<PushedChange>) {
        memory.pushedZones.formUnion(news.compactMap { if case .zone(let zone) = $0 { zone } else { nil } })
        if news.contains(.database) { memory.isDatabaseStale = true }
    }

    /// Runs one pass: does everything that can be done now, and returns what remains. If a pass is running
    /// already, waits for it and a further one.
    ///
    /// - Parameter looks: whether to ask the server for changes that no push has announced.
    /// - Throws: `ReplicaError`, and `CancellationError`.
    @discardableResult
    public func sync(looks: Bool = true) async throws -> SyncStatus {
        // The app requests a pass now, so end all waits that the server did not ask for.
        try await sync(looks: looks, endsWaits: true)
    }

    func sync(looks: Bool, endsWaits: Bool) async throws -> SyncStatus {
        if looks { memory.isDatabaseStale = true }
        if endsWaits {
            if let hold = memory.hold, !hold.isAsked { memory.hold = nil }
            memory.filesHold = nil
            memory.refusedSetup.endWaits()
            memory.lateUploads.endWait()
        }
        while memory.isPassing {
            memory.isWantedAgain = true
            await withCheckedContinuation { memory.waiting.append($0) }
            // A running pass is followed by the wanted one, but `sendAllAgain` and `forgetAll` are not.
            if !memory.isWantedAgain { return status }
        }
        memory.isPassing = true
        defer { endAlone() }
        repeat {
            memory.isWantedAgain = false
            try await pass()
        } while memory.isWantedAgain
        return status
    }

    /// Lets other passes begin, and wakes those who wait for that.
    func endAlone() {
        memory.isPassing = false
        for waiter in memory.waiting { waiter.resume() }
        memory.waiting = []
    }

    /// Syncs until nothing remains to be done, waiting as long as necessary.
    ///
    /// - Throws: `SyncBlocked` if that requires something else first, such as a sign-in; `CancellationError`;
    ///   `ReplicaError`.
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
        while true {
            try Task.checkCancellation()
            let facts = try await facts()
            status.progress.toSend = facts.sendable
            let step = SyncStep.next(facts, at: configuration.now())
            if case .rest(let rest) = step {
                // What this pass has stored is not repeated after a power failure.
                try await replica.flush()
                return say(rest)
            }
            say(.working, step.title)
            try await perform(step)
        }
    }

    /// Collects the facts that determine the next step.
    func facts() async throws -> SyncFacts {
        let (wanted, refused, now) = (configuration.zones, memory.refusedSetup, configuration.now())
        var facts = SyncFacts(account: memory.account, hold: memory.hold)
        let waiting = memory.lateUploads.waiting(at: now)
        let full = memory.fullStorage.owners(at: now)
        let known = try await replica.read { reader in
            let sendable = try reader.sendableCount(
                besides: refused.zones, ofOthersThan: full, except: waiting)
            let withLate =
                waiting.isEmpty
                ? sendable : try reader.sendableCount(besides: refused.zones, ofOthersThan: full)
            let withFull = full.isEmpty ? withLate : try reader.sendableCount(besides: refused.zones)
            return (
                zones: try reader.zones(), sendable: sendable, database: try reader.databaseState(),
                hasLate: withLate > sendable, hasFull: withFull > withLate,
                doubt: try reader.doubt(ofOthersThan: full)?.zone,
                // Only counted if nothing else can be sent, since there are few such edits then.
                closed: sendable == 0 ? try reader.closedEdits() : [],
                refused: sendable == 0 ? try reader.refusedNames() : []
            )
        }
        let made = known.zones.filter(\.isInUse)
        // A push cannot add a zone that is not in use here, so the list of zones is fetched.
        let unknown = memory.pushedZones.subtracting(made.map(\.id))
        memory.pushedZones.subtract(unknown)
        if !unknown.isEmpty { memory.isDatabaseStale = true }
        facts.needsLimits = !memory.hasLimits
        facts.isDatabaseStale = memory.isDatabaseStale
        facts.mayLackFiles = memory.mayLackFiles
        facts.filesHold = memory.filesHold
        facts.sendable = known.sendable
        facts.storageHold = known.hasFull ? memory.fullStorage.hold(at: now) : nil
        facts.uploadHold = known.hasLate ? memory.lateUploads.hold : nil
        // If fetching a zone fails, that must not prevent the sending of edits.
        facts.zoneInDoubt = known.doubt.flatMap { zone in
            memory.askedZones.contains(zone) || memory.failures[.fetching(zone)] != nil ? nil : zone
        }
        let limits = container.connection.knownLimits
        let missing = scope.zonesToMake(wanted, known: known.zones)
            .filter { refused.permits(.zone($0), at: now) }
        facts.zonesToMake = Array(missing.prefix(max(1, limits.zonesPerRequest)))
        facts.zoneHold = refused.zoneHold(at: now)
        facts.pushedZone = made.first { memory.pushedZones.contains($0.id) }?.id
        facts.staleZones = made.filter(\.isStale).map(\.id)
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
    func say(_ pushes: SyncStatus.Pushes) {
        guard status.pushes != pushes else { return }
        status.pushes = pushes
        configuration.report(status)
    }

    func say(
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

    private func say(_ rest: SyncStep.Rest) {
        switch rest {
        case .idle: say(.idle, "everything is in step")
        case .lacking(let hold): say(.idle, hold.why, until: hold.until)
        case .refused(let message, let until): say(.idle, message, until: until)
        case .held(let hold):
            let isBlocked = hold.until == nil || hold.stall != nil
            say(isBlocked ? .blocked : .waiting, hold.why, until: hold.until, hold.stall)
        case .account(let problem): say(.blocked, problem.message, account: problem)
        case .closed(let message): say(.blocked, message)
        }
    }

    /// Updates the progress, and reports the status.
    func count(_ change: (inout SyncProgress) -> Void) {
        change(&status.progress)
        configuration.report(status)
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
        case .deleted: return "\(what): the zone \(name) was deleted elsewhere; resume it to make it again"
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
        case .rest: "resting"
        }
    }
}
