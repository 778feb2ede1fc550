import Records
import Synchronization

/// The answer to `PushDispatch` when it asks for the next push of a device.
enum GatewayTurn: Sendable {
    case push(QueuedPush)
    /// The next push is due in this many seconds.
    case wait(Int)
    /// The outbox is empty. The device is signalled when it has a push again.
    case nothing
}

extension PushHub {
    /// The connection number under which the gateway takes pushes from outboxes.
    static let gatewayConnection = 0

    /// From now on, pushes for devices of an external push service go through a gateway. Calls `signal` for a
    /// device when it has pushes to send, and not again until `nextForGateway` has returned `nothing`.
    func useGateway(signal: @escaping GatewaySignal) {
        state.withLock { $0.signalGateway = signal }
    }

    /// The next push for a signalled device.
    func nextForGateway(_ device: PushToken) -> GatewayTurn {
        let now = runtime.now()
        return state.withLock { state in
            guard let slot = state.devices.slot(of: device) else { return .nothing }
            if let push = state.take(1, for: device, at: slot, now, limits).first { return .push(push) }
            if let due = state.devices.slots[slot].outbox.nextDue(after: now) {
                return .wait(Int((due.milliseconds - now.milliseconds + 999) / 1000))
            }
            state.devices.slots[slot].isSending = false
            return .nothing
        }
    }

    /// Signals a device that was registered again while its pushes were being sent.
    func signalAgain(_ device: PushToken) {
        let signal = state.withLock { state -> GatewaySignal? in
            guard state.isReachedByGateway(device), let slot = state.devices.slot(of: device) else {
                return nil
            }
            state.devices.slots[slot].isSending = false
            return state.gatewaySignal(at: slot)
        }
        signal?(device)
    }

    /// Adds to the trace that a push will not be delivered.
    func traceDropped(_ push: QueuedPush, for device: PushToken, because reason: String) {
        let now = runtime.now()
        state.withLock {
            $0.trace.add(.dropped, push.body, to: device.displayName, at: now, because: reason)
        }
    }

    /// Adds to the trace that a push waits for another attempt.
    func traceWaiting(_ push: QueuedPush, for device: PushToken, because reason: String) {
        let now = runtime.now()
        state.withLock {
            $0.trace.add(.queued, push.body, to: device.displayName, at: now, because: reason)
        }
    }

    /// Drops the waiting pushes of a device, and ends its connection.
    func forget(_ device: PushToken, because reason: String) {
        let now = runtime.now()
        let waiting = state.withLock { state in
            state.connections.remove(device)
            var slot = state.devices.remove(device)
            for push in slot?.outbox.queue ?? [] {
                state.trace.add(.dropped, push.body, to: device.displayName, at: now, because: reason)
            }
            return slot?.stopWaiting()
        }
        waiting?.resume(returning: false)
    }
}

extension PushHub.State {
    /// Whether the pushes of a device go through the gateway.
    func isReachedByGateway(_ device: PushToken) -> Bool { signalGateway != nil && device.deviceToken != nil }

    /// Marks the outbox of a device that the gateway serves as connected.
    mutating func connectGateway(
        to device: PushToken, at slot: Int, _ now: Timestamp, _ limits: Limits
    ) {
        if devices.slots[slot].outbox.connection != nil { return }
        let lost = devices.slots[slot].outbox.connect(PushHub.gatewayConnection, at: now, limits: limits)
        traceDropped(lost, device, now)
    }

    /// The signal to call for a device with pushes to send; nil if they are being sent already.
    mutating func gatewaySignal(at slot: Int) -> PushHub.GatewaySignal? {
        if devices.slots[slot].outbox.queue.isEmpty || devices.slots[slot].isSending { return nil }
        devices.slots[slot].isSending = true
        return signalGateway
    }
}
