package import Records
import Synchronization

/// The answer to a connection that asks for pushes.
package enum PushBatch: Sendable {
    case pushes([QueuedPush])
    /// No push arrived in the time that a connection waits.
    case quiet
    /// The connection gets no more pushes: another one has replaced it, the device was removed or lost its
    /// network, the person has too many connections, or the server is stopping.
    case ended
}

/// Holds the pushes that wait for devices, and the trace of all pushes.
///
/// A push gets from a change to a device in four steps:
///
/// 1. The store writes a notification in the transaction of the change. After the commit,
///    `DeviceService.deliver` reads it, looks up the person's devices, and posts an `OutgoingPush`.
/// 2. `post` puts a `QueuedPush` into the `DeviceOutbox` of each device, which coalesces pushes and limits
///    their number.
/// 3. The push leaves the outbox in one of three ways. A long poll or a stream takes it with `next`, which
///    waits while the outbox is empty. While a stream waits, `post` has the push written by the stream's
///    `PushWriter`, without resuming the stream's task. For a device of a push service, `post` signals
///    `PushDispatch`, which takes the push and sends it through the `PushGateway`.
/// 4. A push that could not be written or sent goes back into the outbox.
package final class PushHub: Sendable {
    /// Resumes a waiting connection; with true when its time is up and no push arrived.
    typealias Waiter = CheckedContinuation<Bool, Never>

    /// Signals `PushDispatch` that a device has pushes to send.
    typealias GatewaySignal = @Sendable (PushToken) -> Void

    struct State {
        var devices = DeviceSlots()
        var connections = OpenConnections()
        /// The time since which every push was posted here. A device that was registered before may have
        /// missed some.
        var complete: Timestamp
        /// nil on a server without a gateway to a push service.
        var signalGateway: GatewaySignal?
        var lastConnection = 0
        var isClosed = false
        var trace: PushTrace
    }

    let state: Mutex<State>
    let runtime: ServerRuntime
    let limits: Limits
    /// Makes pushes fail on purpose; nil on a server that accepts no faults.
    private let faults: FaultInjector?

    init(runtime: ServerRuntime, limits: Limits, faults: FaultInjector?) {
        self.runtime = runtime
        self.limits = limits
        self.faults = faults
        state = Mutex(State(complete: runtime.now(), trace: PushTrace(limit: limits.pushTrace)))
    }

    /// Removes and returns the numbers of pushes since the last call.
    func takeCounts() -> [TelemetryKey: TelemetryCounts] { state.withLock { $0.trace.takeCounts() } }

    /// The entries of the trace from a number on.
    package func trace(from number: Int = 0) -> [PushTraceEntry] {
        state.withLock { $0.trace.entries(from: number) }
    }

    /// Ends all connections; no connection can begin afterwards.
    package func close() {
        let all = state.withLock { state in
            state.isClosed = true
            return state.devices.stopAllWaiting()
        }
        for waiter in all { waiter.resume(returning: false) }
    }

    /// Ends the connections of all devices that take their pushes here, and drops what waits for them,
    /// because other pushes may have been missed. They are then as after a restart of the server. What waits
    /// for the gateway stays.
    func beginAgain(because reason: String) {
        let now = runtime.now()
        let waiters = state.withLock { state -> [Waiter] in
            state.complete = now
            state.connections = OpenConnections()
            let removed = state.devices.removeAll { $0.outbox.connection != Self.gatewayConnection }
            return removed.compactMap { text, slot in
                let name = slot.stream?.device.displayName ?? String(text.prefix(6))
                for push in slot.outbox.queue {
                    state.trace.add(.dropped, push.body, to: name, at: now, because: reason)
                }
                return slot.waiting?.waiter
            }
        }
        for waiter in waiters { waiter.resume(returning: false) }
    }

    // MARK: Sending

    /// Puts one push into the outboxes of devices.
    func post(_ body: PushBody, to devices: [PushToken], because reason: String? = nil) {
        post([OutgoingPush(body: body, devices: devices)], because: reason)
    }

    /// Puts pushes into the outboxes of devices, and starts sending those that can be sent at once.
    func post(_ pushes: [OutgoingPush], because reason: String? = nil) {
        let now = runtime.now()
        let faults = faults.map { faults in pushes.map { $0.devices.map(faults.fault(ofPushTo:)) } }
        let actions = state.withLock { state in
            var actions = PostActions()
            for (index, push) in pushes.enumerated() {
                if push.isMatch { state.trace.add(.matched, push.body, at: now, because: push.remark) }
                let queued = QueuedPush(push.body, since: now)
                for (place, device) in push.devices.enumerated() {
                    let fault = faults?[index][place]
                    state.post(queued, to: device, fault, because: reason, limits: limits, &actions)
                }
            }
            return actions
        }
        for waiter in actions.waiters { waiter.resume(returning: false) }
        for (device, signal) in actions.signals { signal(device) }
        for batch in actions.batches { write(to: batch) }
    }

    // MARK: Taking

    /// Begins a connection of a device. Ends the device's earlier connection, and the person's oldest
    /// connection if there are too many.
    ///
    /// Also returns whether the device may have missed pushes: it is new to the hub, and was registered
    /// before the hub began to post all of them. Throws `tryAgainLater` while a fault keeps the device
    /// offline, or when the server is stopping.
    func connect(_ device: PushToken) throws(RecordError) -> (connection: Int, hasMissed: Bool) {
        let isOffline = faults?.isOffline(device) ?? false
        let now = runtime.now()
        let (id, hasMissed, ended) = state.withLock { state -> (Int?, Bool, [Waiter]) in
            if state.isClosed || isOffline { return (nil, false, []) }
            state.lastConnection += 1
            let id = state.lastConnection
            let hasMissed = state.devices.slot(of: device) == nil && device.created < state.complete
            let slot = state.makeSlot(for: device, now)
            state.devices.slots[slot].stream = nil
            let lost = state.devices.slots[slot].outbox.connect(id, at: now, limits: limits)
            state.traceDropped(lost, device, now)
            var ended = [state.devices.slots[slot].stopWaiting()]
            if let oldest = state.connections.add(device, id, limit: limits.streamsPerPerson) {
                ended.append(state.cutOff(oldest, now, limits))
            }
            return (id, hasMissed, ended.compactMap(\.self))
        }
        for waiter in ended { waiter.resume(returning: false) }
        if let id { return (id, hasMissed) }
        throw RecordError(
            .tryAgainLater, isOffline ? FaultKind.deviceOffline.summary : "the server is stopping",
            culprit: device.displayName, nextStep: "connect again later", retryAfter: 1
        )
    }

    /// Ends a connection. A device that polls is expected back soon.
    package func disconnect(_ device: PushToken, _ connection: Int, isPoll: Bool) {
        let now = runtime.now()
        state.withLock { state in
            let grace = isPoll ? limits.pushPresenceSeconds : 0
            state.connections.remove(device, connection)
            guard let slot = state.devices.slot(of: device) else { return }
            let lost = state.devices.slots[slot].outbox
                .disconnect(connection, at: now, grace: grace, limits: limits)
            state.traceDropped(lost, device, now)
            if state.devices.slots[slot].stream?.connection == connection {
                state.devices.slots[slot].stream = nil
            }
        }
    }

    /// Ends the connection of a device, if it has one. The device is not expected back.
    package func leave(_ device: PushToken) {
        let now = runtime.now()
        let waiting = state.withLock { $0.cutOff(device, now, limits) }
        waiting?.resume(returning: false)
    }

    /// Runs the work of a connection. Meanwhile, a timer ends its wait for a push, if it waits, each time
    /// `Limits.pushPollSeconds` have passed.
    ///
    /// - Parameter writer: Writes pushes to the connection while it waits; nil if that is not possible.
    package func serving<T: Sendable>(
        _ device: PushToken, _ connection: Int, writer: (any PushWriter)? = nil, _ work: () async throws -> T
    ) async throws -> T {
        if let writer {
            state.withLock { state in
                guard let slot = state.devices.slot(of: device),
                    state.devices.slots[slot].outbox.connection == connection
                else { return }
                state.devices.slots[slot].stream = DirectStream(
                    device: device, connection: connection, slot: slot, writer: writer)
            }
        }
        let (runtime, time) = (runtime, limits.pushPollSeconds)
        let pause: Pause = { try await runtime.idle(time) }
        return try await withWaitTimer(device, connection, isQuiet: true, after: pause, work)
    }

    /// Takes the pushes that are due, at most `count`, and waits while there are none. Must be called within
    /// `serving`; otherwise no timer ends the wait.
    package func next(_ device: PushToken, _ connection: Int, atMost count: Int) async throws -> PushBatch {
        while true {
            let (turn, due) = takeDue(device, connection, count)
            if let turn { return turn }
            let isQuiet: Bool
            if let due {
                let runtime = runtime
                let pause: Pause = { try await runtime.pause(due) }
                isQuiet = try await withWaitTimer(device, connection, isQuiet: false, after: pause) {
                    await wait(for: device, connection)
                }
            } else {
                isQuiet = await wait(for: device, connection)
            }
            try Task.checkCancellation()
            if isQuiet { return takeDue(device, connection, count).0 ?? .quiet }
        }
    }

    private typealias Pause = @Sendable () async throws -> Void

    /// Runs work. Meanwhile, a child task ends the connection's wait for a push after each pause.
    private func withWaitTimer<T: Sendable>(
        _ device: PushToken, _ connection: Int, isQuiet: Bool, after pause: @escaping Pause,
        _ work: () async throws -> T
    ) async throws -> T {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                while !Task.isCancelled {
                    try await pause()
                    stopWaiting(device, connection, isQuiet: isQuiet)
                    // Lets other tasks run even in a test whose pauses take no time.
                    await Task.yield()
                }
            }
            defer { group.cancelAll() }
            return try await work()
        }
    }

    /// Puts pushes that were not delivered back into the outbox.
    package func takeBack(_ pushes: [QueuedPush], for device: PushToken) {
        let now = runtime.now()
        state.withLock { state in
            state.takeBack(pushes, for: device, now, limits)
        }
    }

    /// Adds to the trace that pushes were delivered.
    package func traceSent(_ pushes: [QueuedPush], to device: PushToken) {
        let now = runtime.now()
        state.withLock { state in
            for push in pushes { state.trace.add(.sent, push.body, to: device.displayName, at: now) }
        }
    }

    /// Takes the pushes that are due for a connection. If there are none, returns the seconds until a delayed
    /// push is due; nil without a delayed push.
    private func takeDue(_ device: PushToken, _ connection: Int, _ count: Int) -> (PushBatch?, Int?) {
        let now = runtime.now()
        return state.withLock { state in
            guard !state.isClosed, let slot = state.devices.slot(of: device),
                state.devices.slots[slot].outbox.connection == connection
            else { return (.ended, nil) }
            let pushes = state.take(count, for: device, at: slot, now, limits)
            if !pushes.isEmpty { return (.pushes(pushes), nil) }
            let due = state.devices.slots[slot].outbox.nextDue(after: now)
            return (nil, due.map { Int(($0.milliseconds - now.milliseconds + 999) / 1000) })
        }
    }

    /// Waits for a push. Returns whether the time was up before one arrived.
    private func wait(for device: PushToken, _ connection: Int) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                let now = runtime.now()
                let mustWait = state.withLock { state in
                    guard !state.isClosed, !Task.isCancelled,
                        let slot = state.devices.slot(of: device),
                        state.devices.slots[slot].outbox.connection == connection,
                        state.devices.slots[slot].outbox.hasNothingDue(at: now)
                    else { return false }
                    state.devices.slots[slot].waiting = (connection, waiter)
                    return true
                }
                if !mustWait { waiter.resume(returning: false) }
            }
        } onCancel: {
            stopWaiting(device, connection, isQuiet: false)
        }
    }

    private func stopWaiting(_ device: PushToken, _ connection: Int, isQuiet: Bool) {
        let waiter = state.withLock { state -> Waiter? in
            guard let slot = state.devices.slot(of: device),
                state.devices.slots[slot].waiting?.connection == connection
            else { return nil }
            return state.devices.slots[slot].stopWaiting()
        }
        waiter?.resume(returning: isQuiet)
    }
}
