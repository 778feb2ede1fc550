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

extension PushHub {
    /// The connection that the gateway has to every device, in the place of one that the device makes.
    static let gatewayConnection = 0

    /// Has a bell rung for each device of a push service that has something to be sent.
    func route(_ ring: @escaping @Sendable (PushToken) -> Void) {
        state.withLock { $0.ring = ring }
    }

    /// The next push for a device that is being served; after `nothing`, it is no more.
    func nextForGateway(_ device: PushToken) -> GatewayTurn {
        let now = runtime.now()
        return state.withLock { state in
            guard let number = state.places.knownNumber(of: device) else { return .nothing }
            if let push = state.take(1, for: device, at: number, now, limits).first { return .push(push) }
            if let due = state.places.all[number].outbox.nextDue(after: now) {
                return .wait(Int((due.milliseconds - now.milliseconds + 999) / 1000))
            }
            state.places.all[number].isServed = false
            return .nothing
        }
    }

    /// Has the gateway begin anew with a device that was registered again while it was being served.
    func serveAgain(_ device: PushToken) {
        let bell = state.withLock { state -> Bell? in
            guard state.isReachedByGateway(device), let number = state.places.knownNumber(of: device) else {
                return nil
            }
            state.places.all[number].isServed = false
            return state.bell(at: number)
        }
        bell?(device)
    }

    /// Notes that a push will not arrive.
    func noteDropped(_ push: QueuedPush, for device: PushToken, because reason: String) {
        let now = runtime.now()
        state.withLock {
            $0.trace.add(.dropped, push.body, to: device.displayName, at: now, because: reason)
        }
    }

    /// Notes that a push waits for another attempt.
    func noteWaiting(_ push: QueuedPush, for device: PushToken, because reason: String) {
        let now = runtime.now()
        state.withLock {
            $0.trace.add(.queued, push.body, to: device.displayName, at: now, because: reason)
        }
    }

    /// Gives up all that waits for a device that is gone.
    func forget(_ device: PushToken, because reason: String) {
        let now = runtime.now()
        let waiting = state.withLock { state in
            state.streams.remove(device)
            var place = state.places.remove(device)
            for push in place?.outbox.queue ?? [] {
                state.trace.add(.dropped, push.body, to: device.displayName, at: now, because: reason)
            }
            return place?.wake()
        }
        waiting?.resume(returning: false)
    }
}

extension PushHub.State {
    /// Whether the pushes of a device go through the gateway.
    func isReachedByGateway(_ device: PushToken) -> Bool { ring != nil && device.deviceToken != nil }

    /// Readies the outbox of a device that the gateway serves, which counts as there.
    mutating func connectGateway(
        to device: PushToken, at number: Int, _ now: Timestamp, _ limits: Limits
    ) {
        if places.all[number].outbox.connection != nil { return }
        let lost = places.all[number].outbox.connect(PushHub.gatewayConnection, at: now, limits: limits)
        tell(lost, device, now)
    }

    /// What has the gateway look at a device that it reaches, if there is something to be sent and it is not
    /// looking already.
    mutating func bell(at number: Int) -> PushHub.Bell? {
        if places.all[number].outbox.queue.isEmpty || places.all[number].isServed { return nil }
        places.all[number].isServed = true
        return ring
    }
}
