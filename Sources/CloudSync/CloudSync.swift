public import Cloudlet
import Foundation
public import LocalReplica
import Records

/// Keeps a `LocalReplica` in step with a person's private database.
///
/// ```swift
/// let sync = CloudSync(container: container, replica: replica, configuration: configuration)
/// try await sync.run()               // until the task is cancelled; or, once:
/// try await sync.waitUntilIdle()
/// ```
///
/// What it does is decided by two tables that can be read in a minute: `SyncStep.next` says what comes next,
/// `MergePlan` what becomes of a record that both sides changed. It retries, waits and merges on the app's
/// behalf, and `status` always says what it does, why, and until when.
///
/// - A conflict is merged field by field; what was typed is never lost.
/// - Another person than the one whose data this is: nothing is read or written. Open another replica.
/// - A zone whose data the person removed is emptied here; nothing is sent to it before
///   `ReplicaWriter.resume(_:)`.
/// - A zone that was deleted elsewhere goes here, too, and is not made again: what was edited in it is kept
///   aside until `ReplicaWriter.resume(_:)`.
/// - Either is in use again, without that, when another device has made the zone anew: everything that was
///   typed here goes up then, what was kept aside as well as what was typed since.
/// - After a reset of encrypted data everything that is here goes up again.
/// - A token that is too old: the zone is fetched from its beginning, what is gone goes, edits stay.
/// - A server that was restored from a backup: every zone is fetched from its beginning. What the server lost
///   goes here, too, on all devices alike; edits that were not sent are kept and sent.
/// - A file that a loss of power took is fetched again. One that the server does not have any more is missing
///   in its record only: everything else goes on, and the file is asked for again later.
/// - Answers that lead nowhere, such as a conflict that is met again however often it is merged: after some
///   rounds the sync waits, longer each time, and `status.stall` says what happened.
/// - Full storage: fetching goes on, sending pauses.
/// - A busy server is left alone for as long as it says; what it allows is asked before anything is sent.
public actor CloudSync {
    /// What is known while the process lives; everything else is in the replica.
    struct Memory {
        var account = SyncFacts.Account.unknown
        var isDatabaseStale = true
        var hold: Hold?
        var sendHold: Hold?
        /// Files that the server did not give are not asked for meanwhile; everything else goes on.
        var filesHold: Hold?
        /// What is being done.
        var present = SyncStep.Kind.account
        /// How often each kind of step failed, one time after the other.
        var failures: [SyncStep.Kind: Int] = [:]
        var watch = StallWatch()
        /// Whether files of records may be missing here: after a loss of power, or when they did not come.
        var mayLackFiles = true
        /// Whether it is known what the server allows.
        var hasLimits = false
        /// Records in the next batch at most, after batches that were too large.
        var batchLimit: Int
        /// Zones in which the server was asked what arrived, since something was sent.
        var askedZones: Set<String> = []
        var isPassing = false
        /// Whether somebody wanted a pass while one was under way.
        var isWantedAgain = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    nonisolated let container: CKContainer
    nonisolated let replica: LocalReplica
    nonisolated let configuration: SyncConfiguration
    var memory: Memory
    /// What it does at the moment, why, and until when.
    public private(set) var status = SyncStatus(activity: .idle, why: "not begun")

    var database: CKDatabase { container.privateCloudDatabase }

    /// Records in a batch at most, by what the app and the server say.
    var largestBatch: Int {
        max(1, min(configuration.batchSize, container.connection.knownLimits.operationsPerRequest))
    }

    /// A sync of a replica with the private database of a container; it does nothing before it is told to.
    public init(container: CKContainer, replica: LocalReplica, configuration: SyncConfiguration) {
        self.container = container
        self.replica = replica
        self.configuration = configuration
        memory = Memory(batchLimit: configuration.batchSize)
    }

    /// Asks who is signed in before anything else, since that may have changed.
    public func accountChanged() {
        memory.account = .unknown
    }

    /// Takes a push for what it is, a hint: the next pass fetches the zone, or asks for all that changed.
    ///
    /// - Throws: `ReplicaError`.
    public func take(_ push: CKNotification) async throws {
        try await take([PushedNews(push)])
    }

    /// A zone that is not in use here is none that a push can bring: the feed of the database says what there
    /// is.
    func take(_ news: Set<PushedNews>) async throws {
        let zones = news.compactMap { if case .zone(let zone) = $0 { zone } else { nil } }
        let unknown = try await replica.write { writer in
            let used = Set(try writer.reader.zones().filter(\.isInUse).map(\.name))
            for zone in zones where used.contains(zone) { try writer.noteStale(zone) }
            return Set(zones).subtracting(used)
        }
        if news.contains(.database) || !unknown.isEmpty { memory.isDatabaseStale = true }
    }

    /// Does everything that can be done now, and says what is left: one pass. A pass that is under way is
    /// joined, and followed by another.
    ///
    /// - Parameter looks: Whether to ask the server for changes that nobody told of.
    /// - Throws: `ReplicaError`, and `CancellationError`.
    @discardableResult
    public func sync(looks: Bool = true) async throws -> SyncStatus {
        // Somebody wants it now: waits that nobody asked for are over.
        try await sync(looks: looks, isHurried: true)
    }

    func sync(looks: Bool, isHurried: Bool) async throws -> SyncStatus {
        if looks { memory.isDatabaseStale = true }
        if isHurried {
            if let hold = memory.hold, !hold.isAsked { memory.hold = nil }
            memory.filesHold = nil
        }
        if memory.isPassing {
            memory.isWantedAgain = true
            await withCheckedContinuation { memory.waiting.append($0) }
            return status
        }
        memory.isPassing = true
        defer {
            memory.isPassing = false
            for waiter in memory.waiting { waiter.resume() }
            memory.waiting = []
        }
        repeat {
            memory.isWantedAgain = false
            try await pass()
        } while memory.isWantedAgain
        return status
    }

    /// Syncs until everything is in step, waiting as long as the server asks for.
    ///
    /// - Throws: `SyncBlocked` when that needs something else first, such as somebody who signs in;
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
        while true {
            try Task.checkCancellation()
            let facts = try await facts()
            status.progress.toSend = facts.sendable
            let step = SyncStep.next(facts, at: configuration.now())
            if case .rest(let rest) = step { return say(rest) }
            say(.working, step.words)
            try await perform(step)
        }
    }

    /// What the plan has to know.
    private func facts() async throws -> SyncFacts {
        let wanted = configuration.zones
        var facts = SyncFacts(account: memory.account, hold: memory.hold, sendHold: memory.sendHold)
        let known = try await replica.read { reader in
            let sendable = try reader.sendableCount()
            return (
                zones: try reader.zones(), sendable: sendable, database: try reader.databaseState(),
                doubt: try reader.doubt()?.zone,
                // Looked for when nothing else is to be sent: then there are few.
                closed: sendable == 0 ? try reader.closedEdits() : []
            )
        }
        let zones = Dictionary(known.zones.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        facts.needsLimits = !memory.hasLimits
        facts.isDatabaseStale = memory.isDatabaseStale
        facts.mayLackFiles = memory.mayLackFiles
        facts.filesHold = memory.filesHold
        facts.sendable = known.sendable
        // A zone that cannot be fetched does not keep what was typed from going up.
        facts.zoneInDoubt = known.doubt.flatMap { zone in
            memory.askedZones.contains(zone) || memory.failures[.fetching(zone)] != nil ? nil : zone
        }
        let mine = wanted + known.zones.map(\.name).filter { !wanted.contains($0) }
        facts.zonesToMake = mine.filter { zones[$0]?.isMade != true && zones[$0]?.closure == nil }
        let made = known.zones.filter(\.isInUse)
        facts.staleZones = made.filter(\.isStale).map(\.name)
        let closed = known.closed.map { $0.closure.words($0.zone, $0.edits) }
        if !closed.isEmpty { facts.closed = closed.joined(separator: "; ") }
        if configuration.subscribes {
            facts.zonesToFollow = made.filter { !$0.isSubscribed }.map(\.name)
            facts.hasToFollowDatabase = !known.database.isSubscribed
        }
        return facts
    }

    /// Notes how the connection on which pushes come stands.
    func say(_ pushes: SyncStatus.Pushes) {
        guard status.pushes != pushes else { return }
        status.pushes = pushes
        configuration.report(status)
    }

    func say(
        _ activity: SyncStatus.Activity, _ why: String, until: Date? = nil, _ stall: SyncStall? = nil
    ) {
        let before = status
        status.stall = stall
        status.activity = activity
        status.why = why
        status.until = until
        if status != before { configuration.report(status) }
    }

    private func say(_ rest: SyncStep.Rest) {
        switch rest {
        case .idle: say(.idle, "everything is in step")
        case .lacking(let hold): say(.idle, hold.why, until: hold.until)
        case .held(let hold):
            let isBlocked = hold.until == nil || hold.stall != nil
            say(isBlocked ? .blocked : .waiting, hold.why, until: hold.until, hold.stall)
        case .nobody: say(.blocked, "nobody is signed in; what is edited is kept and sent later")
        case .otherPerson:
            say(.blocked, "somebody else is signed in than the person whose data is on this device")
        case .closed(let words): say(.blocked, words)
        }
    }

    /// Counts what was done, for whoever watches.
    func count(_ change: (inout SyncProgress) -> Void) {
        change(&status.progress)
        configuration.report(status)
    }
}

extension ReplicaZone.Closure {
    /// What waits for a zone that is not used any more, and what to do.
    fileprivate func words(_ zone: String, _ edits: Int) -> String {
        let what = edits == 1 ? "1 edit waits" : "\(edits) edits wait"
        switch self {
        case .purged: return "\(what): the data of \(zone) was removed; resume the zone to send again"
        case .deleted: return "\(what): the zone \(zone) was deleted elsewhere; resume it to make it again"
        }
    }
}

extension SyncStep {
    var words: String {
        switch self {
        case .identify: "asking who is signed in"
        case .readLimits: "asking how much the server allows"
        case .fetchDatabase: "asking which zones changed"
        case .makeZones(let zones): "making \(zones.joined(separator: ", "))"
        case .follow: "asking to be told of changes"
        case .send: "sending"
        case .fetch(let zone): "fetching \(zone)"
        case .fetchFiles: "fetching missing files"
        case .rest: "resting"
        }
    }
}
