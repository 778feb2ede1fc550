package import Records
import Synchronization

/// What a connection is told when it asks for pushes.
package enum PushTurn: Sendable {
    case pushes([QueuedPush])
    /// Nothing came in the time that a connection waits.
    case quiet
    /// Another connection of the device has taken over, or the device has lost its network.
    case over
}

/// The thin outside of `DeviceOutbox`: keeps one for each token, and the trace of all.
package final class PushHub: Sendable {
    /// What resumes a connection that waits: true when nothing came.
    typealias Answer = CheckedContinuation<Bool, Never>

    struct State {
        var places = Places()
        var streams = OpenStreams()
        /// Has the gateway look at a device; nil: there is none.
        var ring: (@Sendable (PushToken) -> Void)?
        var lastConnection = 0
        var isClosed = false
        var trace: PushTrace
    }

    let state: Mutex<State>
    let runtime: ServerRuntime
    let limits: Limits
    /// Lets pushes fail on purpose; nil on a server that takes no faults.
    private let faults: FaultInjector?

    init(runtime: ServerRuntime, limits: Limits, faults: FaultInjector?) {
        self.runtime = runtime
        self.limits = limits
        self.faults = faults
        state = Mutex(State(trace: PushTrace(limit: limits.pushTrace)))
    }

    /// The trace from a number on.
    package func trace(from number: Int = 0) -> [PushTraceEntry] {
        state.withLock { $0.trace.entries(from: number) }
    }

    /// Ends all waiting, for good.
    package func close() {
        let all = state.withLock { state in
            state.isClosed = true
            return state.places.wakeAll()
        }
        for answer in all { answer.resume(returning: false) }
    }

    // MARK: Sending

    /// Puts a push into the outboxes of devices, as far as faults let it.
    func post(_ body: PushBody, to devices: [PushToken], because reason: String? = nil) {
        post([OutgoingPush(body: body, devices: devices)], because: reason)
    }

    /// Puts pushes into the outboxes of devices, as far as faults let them.
    func post(_ letters: [OutgoingPush], because reason: String? = nil) {
        let now = runtime.now()
        let struck = faults.map { faults in letters.map { $0.devices.map(faults.fault(ofPushTo:)) } }
        let next = state.withLock { state in
            var next = Aftermath()
            for (letter, index) in zip(letters, letters.indices) {
                if letter.isMatch {
                    state.trace.add(.matched, letter.body, at: now, because: letter.remark)
                }
                let push = QueuedPush(letter.body, since: now)
                for (device, place) in zip(letter.devices, letter.devices.indices) {
                    state.post(
                        push, to: device, struck?[index][place], because: reason, limits: limits, &next)
                }
            }
            return next
        }
        for answer in next.woken { answer.resume(returning: false) }
        for (device, bell) in next.rung { bell(device) }
        for lines in next.lanes { serve(lines) }
    }

    typealias Bell = @Sendable (PushToken) -> Void

    // MARK: Taking

    /// Begins a connection of a device; one that the device has already is over, and so is the oldest of the
    /// same person when there are too many.
    ///
    /// Answers also whether nothing was known of the device. Throws `tryAgainLater` while a fault keeps the
    /// device off line, or the server stops.
    func connect(_ device: PushToken) throws(RecordError) -> (connection: Int, isNew: Bool) {
        let isOffline = faults?.isOffline(device) ?? false
        let now = runtime.now()
        let (id, isNew, older) = state.withLock { state -> (Int?, Bool, [Answer]) in
            if state.isClosed || isOffline { return (nil, false, []) }
            state.lastConnection += 1
            let id = state.lastConnection
            let isNew = state.places.knownNumber(of: device) == nil
            let number = state.places.number(of: device)
            state.places.all[number].line = nil
            let lost = state.places.all[number].outbox.connect(id, at: now, limits: limits)
            state.tell(lost, device, now)
            var older = [state.places.all[number].wake()]
            if let oldest = state.streams.add(device, id, limit: limits.streamsPerPerson) {
                older.append(state.cutOff(oldest, now, limits))
            }
            return (id, isNew, older.compactMap(\.self))
        }
        for answer in older { answer.resume(returning: false) }
        if let id { return (id, isNew) }
        throw RecordError(
            .tryAgainLater, isOffline ? FaultKind.deviceOffline.summary : "the server is stopping",
            culprit: device.displayName, nextStep: "connect again after a while", retryAfter: 1
        )
    }

    /// Ends a connection; a device that polls is expected back soon.
    package func disconnect(_ device: PushToken, _ connection: Int, isPoll: Bool) {
        let now = runtime.now()
        state.withLock { state in
            let grace = isPoll ? limits.pushPresenceSeconds : 0
            state.streams.remove(device, connection)
            guard let number = state.places.knownNumber(of: device) else { return }
            let lost = state.places.all[number].outbox
                .disconnect(connection, at: now, grace: grace, limits: limits)
            state.tell(lost, device, now)
            if state.places.all[number].line?.connection == connection { state.places.all[number].line = nil }
        }
    }

    /// Ends whatever connection a device has, which is not expected back.
    package func leave(_ device: PushToken) {
        let now = runtime.now()
        let waiting = state.withLock { $0.cutOff(device, now, limits) }
        waiting?.resume(returning: false)
    }

    /// Does the work of a connection, whose waits for pushes end now and then though nothing came.
    ///
    /// - Parameter outlet: Takes what comes while the connection waits for it, if there is one.
    package func serving<T: Sendable>(
        _ device: PushToken, _ connection: Int, outlet: (any PushOutlet)? = nil, _ work: () async throws -> T
    ) async throws -> T {
        if let outlet {
            state.withLock { state in
                guard let number = state.places.knownNumber(of: device),
                    state.places.all[number].outbox.connection == connection
                else { return }
                state.places.all[number].line = Line(
                    device: device, connection: connection, outlet: outlet, number: number)
            }
        }
        let (runtime, time) = (runtime, limits.pushPollSeconds)
        let pause: Pause = { try await runtime.idle(time) }
        return try await waking(device, connection, isQuiet: true, after: pause, work)
    }

    /// Waits for pushes, at most so many at once. Belongs into `serving`, or it may wait for ever.
    package func next(_ device: PushToken, _ connection: Int, atMost count: Int) async throws -> PushTurn {
        while true {
            let (turn, due) = look(device, connection, count)
            if let turn { return turn }
            let isQuiet: Bool
            if let due {
                let runtime = runtime
                let pause: Pause = { try await runtime.pause(due) }
                isQuiet = try await waking(device, connection, isQuiet: false, after: pause) {
                    await wait(for: device, connection)
                }
            } else {
                isQuiet = await wait(for: device, connection)
            }
            try Task.checkCancellation()
            if isQuiet { return look(device, connection, count).0 ?? .quiet }
        }
    }

    private typealias Pause = @Sendable () async throws -> Void

    /// Does some work while a task beside it wakes the connection after each pause.
    private func waking<T: Sendable>(
        _ device: PushToken, _ connection: Int, isQuiet: Bool, after pause: @escaping Pause,
        _ work: () async throws -> T
    ) async throws -> T {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                while !Task.isCancelled {
                    try await pause()
                    stopWaiting(device, connection, isQuiet: isQuiet)
                    // Where time is of no account, others get their turn all the same.
                    await Task.yield()
                }
            }
            defer { group.cancelAll() }
            return try await work()
        }
    }

    /// Takes pushes back that did not get through.
    package func takeBack(_ pushes: [QueuedPush], for device: PushToken) {
        let now = runtime.now()
        state.withLock { state in
            state.takeBack(pushes, for: device, now, limits)
        }
    }

    /// Notes that pushes got through.
    package func noteSent(_ pushes: [QueuedPush], to device: PushToken) {
        let now = runtime.now()
        state.withLock { state in
            for push in pushes { state.trace.add(.sent, push.body, to: device.displayName, at: now) }
        }
    }

    /// What a connection can be told at once, else the seconds until something is due, if that is known.
    private func look(_ device: PushToken, _ connection: Int, _ count: Int) -> (PushTurn?, Int?) {
        let now = runtime.now()
        return state.withLock { state in
            guard !state.isClosed, let number = state.places.knownNumber(of: device),
                state.places.all[number].outbox.connection == connection
            else { return (.over, nil) }
            let pushes = state.take(count, for: device, at: number, now, limits)
            if !pushes.isEmpty { return (.pushes(pushes), nil) }
            let due = state.places.all[number].outbox.nextDue(after: now)
            return (nil, due.map { Int(($0.milliseconds - now.milliseconds + 999) / 1000) })
        }
    }

    /// Waits until there is something to look at; answers whether nothing came.
    private func wait(for device: PushToken, _ connection: Int) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (answer: Answer) in
                let now = runtime.now()
                let mustWait = state.withLock { state in
                    guard !state.isClosed, !Task.isCancelled,
                        let number = state.places.knownNumber(of: device),
                        state.places.all[number].outbox.connection == connection,
                        state.places.all[number].outbox.hasNothing(at: now)
                    else { return false }
                    state.places.all[number].waiting = (connection, answer)
                    return true
                }
                if !mustWait { answer.resume(returning: false) }
            }
        } onCancel: {
            stopWaiting(device, connection, isQuiet: false)
        }
    }

    private func stopWaiting(_ device: PushToken, _ connection: Int, isQuiet: Bool) {
        let answer = state.withLock { state -> Answer? in
            guard let number = state.places.knownNumber(of: device),
                state.places.all[number].waiting?.connection == connection
            else { return nil }
            return state.places.all[number].wake()
        }
        answer?.resume(returning: isQuiet)
    }
}
