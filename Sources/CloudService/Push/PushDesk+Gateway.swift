// Owns the outboxes of devices that a push service reaches: emptied by the gateway, not by the device.

import Records
import Synchronization

/// What the gateway is told when it asks for the next push of a device.
enum GatewayTurn: Sendable {
    case push(QueuedPush)
    /// The next one is due in so many seconds.
    case wait(Int)
    /// The bell will ring again.
    case nothing
}

extension PushDesk {
    /// The connection that the gateway has to every device, in the place of one that the device makes.
    static let gatewayConnection = 0

    /// Has a bell rung for each device of a push service that has something to be sent.
    func route(_ ring: @escaping @Sendable (PushToken) -> Void) {
        state.withLock { $0.ring = ring }
    }

    /// The next push for a device that is being served; after `nothing`, it is no more.
    func nextForGateway(_ device: PushToken) -> GatewayTurn {
        let now = seams.now()
        return state.withLock { state in
            guard var outbox = state.outboxes[device.text] else {
                state.served.remove(device.text)
                return .nothing
            }
            let (pushes, lost) = outbox.take(1, at: now, limits: limits)
            let due = outbox.nextDue(after: now)
            state.outboxes[device.text] = outbox
            state.tell(lost, device.displayName, now)
            if let push = pushes.first { return .push(push) }
            if let due { return .wait(Int((due.milliseconds - now.milliseconds + 999) / 1000)) }
            state.served.remove(device.text)
            return .nothing
        }
    }

    /// Notes that a push will not arrive.
    func noteDropped(_ push: QueuedPush, for device: PushToken, because reason: String) {
        let now = seams.now()
        state.withLock {
            $0.trace.add(.dropped, push.body, to: device.displayName, at: now, because: reason)
        }
    }

    /// Notes that a push waits for another attempt.
    func noteWaiting(_ push: QueuedPush, for device: PushToken, because reason: String) {
        let now = seams.now()
        state.withLock {
            $0.trace.add(.queued, push.body, to: device.displayName, at: now, because: reason)
        }
    }

    /// Gives up all that waits for a device that is gone.
    func forget(_ device: PushToken, because reason: String) {
        let now = seams.now()
        let waiting = state.withLock { state in
            state.served.remove(device.text)
            for push in state.outboxes.removeValue(forKey: device.text)?.queue ?? [] {
                state.trace.add(.dropped, push.body, to: device.displayName, at: now, because: reason)
            }
            state.lines[device.text] = nil
            return state.wake(device)
        }
        waiting?.resume(returning: false)
    }
}

extension PushDesk.State {
    /// Readies the outbox of a device that the gateway serves, which counts as there.
    func isReachedByGateway(_ device: PushToken) -> Bool { ring != nil && device.deviceToken != nil }

    /// Whom to ring for a device that has something to be sent and is not being served.
    mutating func bell(for device: PushToken) -> (@Sendable (PushToken) -> Void)? {
        guard isReachedByGateway(device), outboxes[device.text]?.queue.isEmpty == false,
            served.insert(device.text).inserted
        else { return nil }
        return ring
    }
}
