// Owns what becomes of a push at the moment when it comes to the desk.

import Records

extension PushDesk {
    /// What is to be done for a device to which a push was posted, once the desk is free again.
    struct Posted {
        /// Where to write what waits for the device.
        var line: Line?
        /// Else the connection that has something to look at.
        var woken: Answer?
        /// Has the gateway look at the device.
        var bell: Bell?
    }
}

extension PushDesk.State {
    /// Posts a push to a device that these faults strike.
    mutating func post(
        _ push: QueuedPush, to device: PushToken, _ struck: [Fault], because reason: String?, limits: Limits
    ) -> PushDesk.Posted {
        let (now, name) = (push.since, device.displayName)
        let kinds = Set(struck.map(\.kind))
        if kinds.contains(.pushDrop) {
            trace.add(.dropped, push.body, to: name, at: now, because: FaultKind.pushDrop.summary)
            return PushDesk.Posted()
        }
        let push = push.delayed(by: struck.first { $0.kind == .pushDelay }?.seconds ?? 0)
        var outbox = outboxes[device.text] ?? DeviceOutbox()
        var lost: [DeviceOutbox.Lost] = []
        if outbox.connection == nil, isReachedByGateway(device) {
            lost += outbox.connect(PushDesk.gatewayConnection, at: now, limits: limits)
        }
        let wasConnected = outbox.connection != nil
        if kinds.contains(.deviceOffline) { lost += outbox.cutOff(at: now, limits: limits) }
        let isPresent = outbox.isPresent(at: now)
        trace.add(
            .queued, push.body, to: name, at: now,
            because: reason ?? (isPresent ? nil : "the device is away"))
        let isOvertaken = kinds.contains(.pushReorder)
        lost += outbox.receive(push, at: now, isOvertaken: isOvertaken, limits: limits)
        if kinds.contains(.pushDuplicate) { lost += outbox.takeBack([push], at: now, limits: limits) }
        outboxes[device.text] = outbox
        tell(lost, name, now)
        let bell = bell(for: device)
        if kinds.contains(.deviceOffline) { lines[device.text] = nil }
        if !wasConnected || isOvertaken { return PushDesk.Posted(bell: bell) }
        // A push that is held back is waited for by the task of the connection.
        if struck.isEmpty, let line = waitingLine(to: device) {
            return PushDesk.Posted(line: line, bell: bell)
        }
        return PushDesk.Posted(woken: wake(device), bell: bell)
    }

    /// Ends the waiting of a device's connection, if it waits; the answer is to be resumed.
    mutating func wake(_ device: PushToken) -> PushDesk.Answer? {
        waiting.removeValue(forKey: device.text)?.answer
    }

    /// Puts pushes back that did not get through.
    mutating func takeBack(_ pushes: [QueuedPush], for device: PushToken, at now: Timestamp, limits: Limits) {
        let lost = outboxes[device.text, default: DeviceOutbox()].takeBack(pushes, at: now, limits: limits)
        tell(lost, device.displayName, now)
    }

    mutating func tell(_ lost: [DeviceOutbox.Lost], _ device: String, _ now: Timestamp) {
        for lost in lost {
            let outcome: PushTraceEntry.Outcome =
                switch lost.loss {
                case .coalesced: .coalesced
                case .replaced: .replaced
                case .overflowed: .dropped
                case .expired: .expired
                }
            trace.add(outcome, lost.push.body, to: device, at: now, because: lost.loss.rawValue)
        }
    }
}
