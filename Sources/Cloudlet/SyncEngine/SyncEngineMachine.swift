import Foundation
internal import Records

/// The decisions of a sync engine as a state machine, without requests, clock or tasks.
///
/// An engine begins a cycle and then repeats: it performs the step that `next()` returns, and gives the
/// result to one of the `take` methods. Changes that an app adds can arrive between any two steps.
struct SyncEngineMachine: Sendable {
    /// The next action of an engine.
    enum Step: Sendable {
        case deliver(CKSyncEngine.Event)
        case askForOptions(CKSyncEngine.FetchChangesContext)
        case askForBatch(CKSyncEngine.SendChangesContext)
        case fetchDatabase(since: CKServerChangeToken?, CKOperationGroup)
        case fetchZone(CKRecordZone.ID, since: CKServerChangeToken?, CKOperationGroup)
        case sendZones([CKSyncEngine.PendingDatabaseChange], CKOperationGroup)
        case sendRecords(CKSyncEngine.RecordZoneChangeBatch, CKOperationGroup)
        /// The cycle has ended, with this error.
        case end(CKError?)
        /// There is no cycle, and no event to deliver.
        case rest
    }

    /// A fetch or a send.
    enum Cycle: Sendable {
        case fetch(FetchCycle)
        case send(SendCycle)
    }

    /// A change of the memory that is applied when the delegate has handled the event with the data.
    enum Commit: Sendable {
        case database(EngineDatabasePage)
        case zone(CKRecordZone.ID, CKServerChangeToken, isLast: Bool)
    }

    /// The result of an account check.
    enum FoundAccount: Equatable, Sendable {
        case nobody
        case person(CKRecord.ID)
    }

    var memory: SyncEngineMemory
    var schedule: SyncEngineSchedule
    var cycle: Cycle?
    /// What is known of a cycle from its beginning to `ended(with:at:)`, when `cycle` is nil already: whether
    /// it is a fetch, and whether its scope is `.all`.
    private var begun: (isFetch: Bool, isWhole: Bool)?
    /// Events that wait to be delivered.
    var outbox: [CKSyncEngine.Event] = []
    var commit: Commit?
    /// Whether the memory has changed since the last `stateUpdate`.
    var isDirty = false
    /// How often the app has reported untracked changes.
    var untrackedReports = 0
    /// The changes of the batch that is being sent.
    var recordsInFlight: [CKRecord.ID: SyncEngineMemory.Records.Entry] = [:]
    var zonesInFlight: [CKRecordZone.ID: SyncEngineMemory.Zones.Entry] = [:]
    let limits: Limits

    init(
        _ memory: SyncEngineMemory = SyncEngineMemory(), isAutomatic: Bool = false, limits: Limits = Limits()
    ) {
        self.memory = memory
        self.limits = limits
        schedule = SyncEngineSchedule(
            isAutomatic: isAutomatic, longestPause: TimeInterval(limits.syncPauseSeconds))
    }

    /// The memory to save. Changes that are being sent count as pending, because the process may end before
    /// their results arrive.
    var memoryToSave: SyncEngineMemory {
        var memory = memory
        for (id, entry) in recordsInFlight { memory.records.putBack(entry, of: id) }
        for (id, entry) in zonesInFlight { memory.zones.putBack(entry, of: id) }
        return memory
    }

    /// Returns the next step, and advances the machine past it.
    mutating func next() -> Step {
        if !outbox.isEmpty { return .deliver(outbox.removeFirst()) }
        if let commit {
            apply(commit)
            self.commit = nil
        }
        if isDirty {
            isDirty = false
            let serialization = CKSyncEngine.State.Serialization(memory: memoryToSave)
            return .deliver(.stateUpdate(.init(stateSerialization: serialization)))
        }
        switch cycle {
        case .fetch(let fetch): return next(fetch)
        case .send(let send): return next(send)
        case nil: return .rest
        }
    }

    /// Begins a fetch. One with a scope leaves the fetch of the other zones due.
    mutating func beginFetch(_ context: CKSyncEngine.FetchChangesContext) {
        resetToSaved()
        if context.options.scope == .all { schedule.wantsFetch = false }
        begun = (true, context.options.scope == .all)
        cycle = .fetch(FetchCycle(context: context, options: context.options))
    }

    /// Begins a send. One with a scope leaves the send of the other changes due.
    mutating func beginSend(_ context: CKSyncEngine.SendChangesContext) {
        resetToSaved()
        if context.options.scope == .all { schedule.wantsSend = false }
        begun = (false, context.options.scope == .all)
        cycle = .send(SendCycle(context: context))
    }

    /// Ends the cycle after the current step. Its remaining will/did events are delivered. The rest of its
    /// work is due again after a pause.
    mutating func cancel() {
        switch cycle {
        case .fetch: schedule.retry(after: nil, isFetch: true)
        case .send: schedule.retry(after: nil, isFetch: false)
        case nil: break
        }
        fail(.engineCancelled)
    }

    /// Stores the error that ends the cycle, unless there already is one.
    mutating func fail(_ error: CKError) {
        switch cycle {
        case .fetch(var fetch):
            fetch.failure = fetch.failure ?? error
            cycle = .fetch(fetch)
        case .send(var send):
            send.failure = send.failure ?? error
            cycle = .send(send)
        case nil: break
        }
    }

    /// Stores who is signed in. If the person has changed, the memory is discarded, and an event reports the
    /// change.
    ///
    /// Changes that were added before the first check cannot belong to another person, so they stay pending.
    mutating func found(_ account: FoundAccount) {
        let now: SyncEngineMemory.Account
        let change: CKSyncEngine.Event.AccountChange.ChangeType
        switch (memory.account, account) {
        case (.unknown, .nobody):
            memory.account = .nobody
            isDirty = true
            return
        case (.nobody, .nobody): return
        case (.unknown, .person(let user)):
            memory.account = .person(user.recordName)
            isDirty = true
            outbox.append(.accountChange(.init(changeType: .signIn(currentUser: user))))
            return
        case (.nobody, .person(let user)):
            (now, change) = (.person(user.recordName), .signIn(currentUser: user))
        case (.person(let name), .nobody):
            (now, change) = (.nobody, .signOut(previousUser: CKRecord.ID(recordName: name)))
        case (.person(let name), .person(let user)):
            if name == user.recordName { return }
            now = .person(user.recordName)
            change = .switchAccounts(previousUser: CKRecord.ID(recordName: name), currentUser: user)
        }
        memory = SyncEngineMemory()
        memory.account = now
        isDirty = true
        outbox.append(.accountChange(.init(changeType: change)))
    }

    /// Stores the ID of the subscription that reports changes.
    mutating func subscribed(_ id: CKSubscription.ID) {
        if memory.subscriptionID != id { isDirty = true }
        memory.subscriptionID = id
    }

    /// Ends the current cycle, and plans the next one.
    ///
    /// - Parameter error: the error of the cycle; nil if it succeeded.
    mutating func ended(with error: CKError?, at now: Date) {
        guard let begun else { return }
        schedule.ended(isFetch: begun.isFetch, isDone: begun.isWhole && error == nil, at: now)
        self.begun = nil
    }

    private mutating func resetToSaved() {
        memory = memoryToSave
        (recordsInFlight, zonesInFlight, commit, cycle) = ([:], [:], nil, nil)
    }
}

extension SyncEngineMachine {
    /// Adds changes of records to the pending ones.
    mutating func add(_ changes: [CKSyncEngine.PendingRecordZoneChange]) {
        for change in changes where memory.add(change) { isDirty = true }
        if !changes.isEmpty { schedule.wantsSend = true }
    }

    /// Removes changes of records from the pending ones.
    mutating func remove(_ changes: [CKSyncEngine.PendingRecordZoneChange]) {
        for change in changes where memory.records.remove(change, of: change.recordID) { isDirty = true }
    }

    /// Adds changes of zones to the pending ones.
    mutating func add(_ changes: [CKSyncEngine.PendingDatabaseChange]) {
        for change in changes where memory.add(change) { isDirty = true }
        if !changes.isEmpty { schedule.wantsSend = true }
    }

    /// Removes changes of zones from the pending ones.
    mutating func remove(_ changes: [CKSyncEngine.PendingDatabaseChange]) {
        for change in changes where memory.zones.remove(change, of: change.zoneID) { isDirty = true }
    }

    /// Stores whether the app has changes that are not among the pending ones.
    mutating func setUntracked(_ hasChanges: Bool) {
        if memory.hasUntrackedChanges != hasChanges { isDirty = true }
        memory.hasUntrackedChanges = hasChanges
        guard hasChanges else { return }
        untrackedReports += 1
        schedule.wantsSend = true
    }

    /// Whether there are changes to send.
    var hasChangesToSend: Bool {
        !memory.records.isEmpty || !memory.zones.isEmpty || memory.hasUntrackedChanges
    }
}
