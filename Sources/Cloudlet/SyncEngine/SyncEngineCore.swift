import Foundation
internal import Records

/// Performs the steps of a `SyncEngineMachine`: sends requests, calls the delegate, and waits.
///
/// Fetches, sends and the delivery of state updates take turns, so that there is one event at a time.
actor SyncEngineCore {
    /// The objects that the app may release at any time.
    struct Parties {
        weak var engine: CKSyncEngine?
        weak var delegate: (any CKSyncEngineDelegate)?
    }

    /// Nil until the engine exists.
    nonisolated let parties = Locked<Parties?>(nil)
    nonisolated let state: CKSyncEngine.State
    nonisolated let database: CKDatabase
    nonisolated let isAutomatic: Bool
    private nonisolated let subscriptionID: CKSubscription.ID?
    /// The hash of the task in which a callback of the delegate runs; nil while none does.
    private nonisolated let callback = Locked<Int?>(nil)
    /// Sent when the account may have changed.
    nonisolated let accountSignal = WakeSignal(none: ())

    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var cancelRequest: (@Sendable () -> Void)?
    /// The number of calls of `cancel()`.
    private var cancellations = 0
    /// The database, bound to the person of the last account check; nil before it.
    private var bound: (database: CKDatabase, sender: String)?
    /// Whether the person's subscription was looked for since this engine started.
    private var isSubscribed = false

    init(_ configuration: CKSyncEngine.Configuration) {
        database = configuration.database
        isAutomatic =
            configuration.automaticallySync && configuration.database.databaseScope != .public
        subscriptionID = configuration.subscriptionID
        let memory = configuration.stateSerialization?.memory ?? SyncEngineMemory()
        let limits = configuration.database.core.connection.knownLimits
        state = CKSyncEngine.State(SyncEngineMachine(memory, isAutomatic: isAutomatic, limits: limits))
    }

    nonisolated var connection: CloudConnection { database.core.connection }

    /// Runs a fetch that the app has called for.
    func fetch(_ context: CKSyncEngine.FetchChangesContext) async throws {
        try await runManually { $0.beginFetch(context) }
    }

    /// Runs a send that the app has called for.
    func send(_ context: CKSyncEngine.SendChangesContext) async throws {
        try await runManually { $0.beginSend(context) }
    }

    /// Cancels the current cycle and the calls that wait for their turn.
    func cancel() {
        cancellations += 1
        state.withMachine { $0.cancel() }
        cancelRequest?()
    }

    private func runManually(_ begin: @Sendable (inout SyncEngineMachine) -> Void) async throws {
        try checkCall()
        let before = cancellations
        await takeTurn()
        defer {
            endTurn()
            state.signal.send()
        }
        guard before == cancellations, !Task.isCancelled else { throw CKError.engineCancelled }
        let sender = connection.senderName
        defer { rescheduleIfAccountChanged(since: sender) }
        do {
            try await drain()
            try await checkAccount()
            guard before == cancellations else { throw CKError.engineCancelled }
            state.withMachine { begin(&$0) }
            if let error = try await play() { throw error }
        } catch {
            throw CKError(failure: error)
        }
    }

    /// Throws for calls that could never end or succeed.
    private nonisolated func checkCall() throws {
        if database.databaseScope == .public {
            throw CKError.invalidArguments(
                "A sync engine cannot sync the public database - use a private or a shared one")
        }
        if let callback = callback.current, callback == Self.presentTask {
            throw CKError.invalidArguments(
                "A callback of the sync engine's delegate cannot wait for the engine - call fetchChanges or "
                    + "sendChanges in another task")
        }
    }

    private static var presentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}

// MARK: - Steps

extension SyncEngineCore {
    /// Delivers waiting events if no cycle is running.
    private func drain() async throws {
        while case .deliver(let event) = state.withMachine({ $0.cycle == nil ? $0.next() : .rest }) {
            try await deliver(event)
        }
    }

    /// Performs the current cycle to its end, and returns its error.
    ///
    /// - Throws: `CancellationError` if the engine or its delegate was released.
    private func play() async throws -> CKError? {
        let target = bound?.database ?? database
        while true {
            switch state.withMachine({ $0.next() }) {
            case .deliver(let event): try await deliver(event)
            case .askForOptions(let context):
                let options = try await call { await $0.nextFetchChangesOptions(context, syncEngine: $1) }
                state.withMachine { $0.take(options) }
            case .askForBatch(let context):
                let batch = try await call { delegate, engine in
                    await CKSyncEngine.RecordZoneChangeBatch.$limits.withValue(connection.knownLimits) {
                        await delegate.nextRecordZoneChangeBatch(context, syncEngine: engine)
                    }
                }
                state.withMachine { $0.take(batch) }
            case .fetchDatabase(let token, let group):
                let page = await request { await target.enginePage(since: token, group) }
                state.withMachine { $0.take(page) }
            case .fetchZone(let zone, let token, let group):
                let page = await request { await target.enginePage(of: zone, since: token, group) }
                state.withMachine { $0.take(page) }
            case .sendZones(let changes, let group):
                let results = await request { await target.engineSend(changes, group) }
                state.withMachine { $0.take(results) }
            case .sendRecords(let batch, let group):
                let results = await request { await target.engineSend(batch, group) }
                state.withMachine { $0.take(results) }
            case .end(let error):
                let now = connection.now()
                state.withMachine { $0.ended(with: error, at: now) }
                try await drain()
                return error
            case .rest: return nil
            }
        }
    }

    private func deliver(_ event: CKSyncEngine.Event) async throws {
        try await call { await $0.handleEvent(event, syncEngine: $1) }
    }

    /// Calls the delegate. Throws `CancellationError` if it or the engine was released.
    private func call<Value: Sendable>(
        _ body: @Sendable (any CKSyncEngineDelegate, CKSyncEngine) async -> Value
    ) async throws -> Value {
        let (engine, delegate) = parties.withLock { ($0?.engine, $0?.delegate) }
        guard let engine, let delegate else { throw CancellationError() }
        callback.withLock { $0 = Self.presentTask }
        defer { callback.withLock { $0 = nil } }
        return await body(delegate, engine)
    }

    /// Runs a request in a task that `cancel()` cancels.
    private func request<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value
    ) async -> Value {
        // The task is awaited here, and cancelled with the caller.
        let task = Task { await work() }
        cancelRequest = { task.cancel() }
        defer { cancelRequest = nil }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func takeTurn() async {
        guard isBusy else {
            isBusy = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Gives the turn to the first waiting caller.
    private func endTurn() {
        if waiting.isEmpty {
            isBusy = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}

// MARK: - The account

extension SyncEngineCore {
    /// Determines who is signed in, unless the session is the same as at the last check, and reports a change
    /// to the delegate.
    ///
    /// - Throws: `CKError.notAuthenticated` if nobody is signed in, and other `CKError`s if the server cannot
    ///   be asked.
    private func checkAccount() async throws {
        let sender = connection.senderName
        if let bound, bound.sender == sender { return }
        (bound, isSubscribed) = (nil, false)
        guard let sender, connection.isSignedIn else {
            state.withMachine { $0.found(.nobody) }
            try await drain()
            throw CKError.nobodySignedIn
        }
        let person = try CKContainer(database.core).boundToPerson()
        let found = await request { () -> Result<CKRecord.ID, any Error> in
            do { return .success(try await person.userRecordID()) } catch { return .failure(error) }
        }
        let user = try found.get()
        state.withMachine { $0.found(.person(user)) }
        bound = (person.database(with: database.databaseScope), sender)
        try await drain()
    }

    /// Uses an existing subscription to the database, or creates one: once after each start, because it may
    /// have been deleted meanwhile. If the server refuses it, the engine continues without pushes.
    private func subscribe() async throws {
        guard let target = bound?.database, !isSubscribed else { return }
        let saved = state.withMachine { $0.memory.subscriptionID }
        let result = await request { [subscriptionID] in
            await target.engineSubscription(subscriptionID, known: saved)
        }
        switch result {
        case .success(let id):
            isSubscribed = true
            state.withMachine { $0.subscribed(id) }
            try await drain()
        case .failure(let error):
            if error.isRetriedBySyncEngine || error.code == .operationCancelled { throw error }
        }
    }
}

// MARK: - Automatic mode

extension SyncEngineCore {
    /// Delivers state updates, and in automatic mode fetches and sends, until the task is cancelled.
    func run() async {
        await withTaskGroup { group in
            group.addTask { await self.work() }
            if isAutomatic {
                group.addTask { await self.listenToAccounts() }
                group.addTask { await self.listenToPushes() }
            }
        }
    }

    private nonisolated func work() async {
        while !Task.isCancelled {
            _ = state.signal.take()
            guard let due = try? await workOnce() else { return }
            let (signal, connection) = (state.signal, connection)
            guard case .wait(let until) = due else {
                try? await signal.wait()
                continue
            }
            // At most a day, because the device's clock may be changed meanwhile.
            let seconds = min(max(until.timeIntervalSince(connection.now()), 0), 86_400)
            try? await untilFirstEnds {
                try await signal.wait()
            } or: {
                try await connection.pause(.seconds(seconds))
            }
        }
    }

    /// Performs the fetches and sends that are due. Returns when the next one is due.
    ///
    /// - Throws: `CancellationError` if the engine or its delegate was released.
    private func workOnce() async throws -> SyncEngineSchedule.Due {
        while true {
            await takeTurn()
            defer { endTurn() }
            try Task.checkCancellation()
            // The engine sets `parties` after it has started this task, and then sends the signal.
            guard parties.withLock({ $0 != nil }) else { return .nothing }
            try await drain()
            let now = connection.now()
            let due = state.withMachine { $0.schedule.due(at: now, hasChanges: $0.hasChangesToSend) }
            switch due {
            case .fetch, .send: try await perform(due)
            case .wait, .nothing: return due
            }
        }
    }

    private func perform(_ due: SyncEngineSchedule.Due) async throws {
        let (sender, before) = (connection.senderName, cancellations)
        defer { rescheduleIfAccountChanged(since: sender) }
        do {
            try await checkAccount()
            try await subscribe()
            guard before == cancellations else { throw CKError.engineCancelled }
        } catch let error as CKError {
            return failToBegin(due, error)
        }
        state.withMachine {
            if due == .fetch {
                $0.beginFetch(.init(reason: .scheduled, options: .init()))
            } else {
                $0.beginSend(.init(reason: .scheduled, options: .init()))
            }
        }
        _ = try await play()
    }

    /// Ends a cycle that could not begin: schedules its retry, or waits for a sign-in if nobody is signed in.
    /// A cancelled one begins after a pause.
    private func failToBegin(_ due: SyncEngineSchedule.Due, _ error: CKError) {
        let (isSignedIn, now) = (connection.isSignedIn, connection.now())
        state.withMachine {
            if due == .fetch { $0.schedule.wantsFetch = false } else { $0.schedule.wantsSend = false }
            if !isSignedIn {
                $0.schedule.isDormant = true
            } else if error.code == .operationCancelled {
                $0.schedule.retry(after: nil, isFetch: due == .fetch)
            } else {
                $0.scheduleRetry(error, isFetch: due == .fetch)
            }
            $0.schedule.ended(isFetch: due == .fetch, isDone: false, at: now)
        }
    }

    /// Makes fetching and sending due again if the account has changed since a cycle began, because the
    /// errors of the cycle concern the previous person.
    private func rescheduleIfAccountChanged(since sender: String?) {
        if connection.senderName != sender { state.change { $0.schedule.accountChanged() } }
    }

    private nonisolated func listenToAccounts() async {
        let account = connection.account
        for await change in NotificationCenter.default.notifications(named: .CKAccountChanged) {
            // Another account in the same process may have changed.
            guard change.object as? CloudAccount === account else { continue }
            state.change { $0.schedule.accountChanged() }
            accountSignal.send()
        }
    }

    /// Listens for pushes. It starts again after each change of the account, because pushes belong to the
    /// signed-in person.
    private nonisolated func listenToPushes() async {
        while !Task.isCancelled {
            _ = accountSignal.take()
            guard connection.isSignedIn else {
                try? await accountSignal.wait()
                continue
            }
            try? await untilFirstEnds {
                await self.takePushes()
            } or: {
                try await self.accountSignal.wait()
            }
        }
    }

    private nonisolated func takePushes() async {
        let (state, scope) = (state, database.databaseScope)
        let pushes = await CKContainer(database.core).pushes { isOpen in
            // Pushes may have been lost while the connection was broken.
            if isOpen { state.change { $0.schedule.wantsFetch = true } }
        }
        for await push in pushes where push.mayConcern(scope) {
            state.change { $0.schedule.wantsFetch = true }
        }
    }
}

extension CKNotification {
    /// Whether the push may report a change in the database with this scope.
    fileprivate func mayConcern(_ scope: CKDatabase.Scope) -> Bool {
        switch self {
        case let push as CKRecordZoneNotification: push.databaseScope == scope
        case let push as CKDatabaseNotification: push.databaseScope == scope
        default: true
        }
    }
}
