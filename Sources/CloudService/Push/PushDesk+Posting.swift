// Owns what becomes of a push at the moment when it comes to the desk.

import Records

extension PushDesk {
    /// What is to be done for a device to which a push was posted, once the desk is free again.
    struct Posted {
        /// Where to write the push, which waits nowhere then.
        var line: Line?
        /// The connection that has something to look at.
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
        if let line = lines[device.text], line.isIdle {
            if struck.isEmpty, reason == nil {
                trace.add(.queued, push.body, to: name, at: now)
                return PushDesk.Posted(line: line)
            }
            line.isIdle = false
        }
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
        let isToLook = wasConnected && !isOvertaken
        return PushDesk.Posted(
            woken: isToLook ? wake(device) : nil, bell: bell(for: device))
    }

    /// Ends the waiting of a device's connection, if it waits; the answer is to be resumed.
    mutating func wake(_ device: PushToken) -> PushDesk.Answer? {
        lines[device.text]?.isIdle = false
        return waiting.removeValue(forKey: device.text)?.answer
    }

    /// Ends the line to a device, if there is one: nothing is written to it any more.
    mutating func endLine(to device: PushToken) {
        guard let line = lines.removeValue(forKey: device.text) else { return }
        line.isIdle = false
        line.isOpen = false
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
