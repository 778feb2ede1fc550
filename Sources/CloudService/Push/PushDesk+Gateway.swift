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
            guard let place = state.places.knownNumber(of: device) else { return .nothing }
            if let push = state.take(1, for: device, at: place, now, limits).first { return .push(push) }
            if let due = state.places.all[place].outbox.nextDue(after: now) {
                return .wait(Int((due.milliseconds - now.milliseconds + 999) / 1000))
            }
            state.places.all[place].isServed = false
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
            var place = state.places.remove(device)
            for push in place?.outbox.queue ?? [] {
                state.trace.add(.dropped, push.body, to: device.displayName, at: now, because: reason)
            }
            return place?.wake()
        }
        waiting?.resume(returning: false)
    }
}

extension PushDesk.State {
    /// Whether the pushes of a device go through the gateway.
    func isReachedByGateway(_ device: PushToken) -> Bool { ring != nil && device.deviceToken != nil }

    /// Readies the outbox of a device that the gateway serves, which counts as there.
    mutating func connectGateway(
        to device: PushToken, at place: Int, _ now: Timestamp, _ limits: Limits
    ) {
        if places.all[place].outbox.connection != nil { return }
        let lost = places.all[place].outbox.connect(PushDesk.gatewayConnection, at: now, limits: limits)
        tell(lost, device, now)
    }

    /// What has the gateway look at a device that has something to be sent and is not being served.
    mutating func bell(at place: Int) -> PushDesk.Bell? {
        if places.all[place].outbox.queue.isEmpty || places.all[place].isServed { return nil }
        places.all[place].isServed = true
        return ring
    }
}
