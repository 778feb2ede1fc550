import Records

/// A push and the devices that receive it.
struct OutgoingPush {
    var body: PushBody
    var devices: [PushToken]
    /// Whether this node has just written the notification; the trace then records it as a match.
    var isMatch = false
    /// Remark in the trace's entry for the match.
    var remark: String?
}

extension PushHub {
    /// The actions to take after pushes were posted and the lock was released.
    struct PostActions {
        /// The streams to write to, grouped by event loop.
        var batches: [[DirectStream]] = []
        /// Other waiting connections that now have a push.
        var waiters: [Waiter] = []
        /// Devices of push services that now have a push.
        var signals: [(device: PushToken, signal: GatewaySignal)] = []

        mutating func write(to stream: DirectStream) {
            if let batch = batches.firstIndex(where: { $0[0].eventLoop == stream.eventLoop }) {
                batches[batch].append(stream)
            } else {
                batches.append([stream])
            }
        }
    }
}

extension PushHub.State {
    /// Posts a push to a device, subject to the fault.
    mutating func post(
        _ push: QueuedPush, to device: PushToken, _ fault: PushFault?, because reason: String?,
        limits: Limits,
        _ actions: inout PushHub.PostActions
    ) {
        let (now, name) = (push.since, device.displayName)
        if fault?.isDropped == true {
            trace.add(.dropped, push.body, to: name, at: now, because: FaultKind.pushDrop.summary)
            return
        }
        let slot = makeSlot(for: device, now)
        let push = push.delayed(by: fault?.delaySeconds ?? 0)
        let hasGateway = isReachedByGateway(device)
        if hasGateway { connectGateway(to: device, at: slot, now, limits) }
        let wasConnected = devices.slots[slot].outbox.connection != nil
        if fault?.isDeviceOffline == true {
            traceDropped(devices.slots[slot].outbox.cutOff(at: now, limits: limits), device, now)
            devices.slots[slot].stream = nil
        }
        let isPresent = devices.slots[slot].outbox.isPresent(at: now)
        trace.add(
            .queued, push.body, to: name, at: now,
            because: reason ?? (isPresent ? nil : "the device is absent"))
        let isOvertaken = fault?.isOvertaken == true
        let lost = devices.slots[slot].outbox.receive(push, at: now, isOvertaken: isOvertaken, limits: limits)
        traceDropped(lost, device, now)
        if fault?.isDuplicated == true { takeBack([push], for: device, now, limits) }
        if hasGateway, let signal = gatewaySignal(at: slot) { actions.signals.append((device, signal)) }
        if !wasConnected || isOvertaken { return }
        // With a fault, the connection's own task takes the push, because it can wait for a delayed one.
        if fault == nil, let stream = devices.slots[slot].waitingStream {
            actions.write(to: stream)
        } else if let waiter = devices.slots[slot].stopWaiting() {
            actions.waiters.append(waiter)
        }
    }

    /// The slot of a device, created if necessary. If the device was another person's, that person's pushes
    /// are dropped, and the connection takes none of the new ones.
    mutating func makeSlot(for device: PushToken, _ now: Timestamp) -> Int {
        let place = device.containerKey
        if let slot = devices.slot(of: device), let owner = devices.slots[slot].owners[place],
            owner != device.user
        {
            for push in devices.slots[slot].outbox.queue {
                trace.add(
                    .dropped, push.body, to: device.displayName, at: now,
                    because: "the device was registered by another person")
            }
            devices.slots[slot].outbox = DeviceOutbox()
            devices.slots[slot].stream = nil
        }
        return devices.makeSlot(for: device)
    }

    /// Ends the connection of a device, which is not expected back. The caller resumes the waiter.
    mutating func cutOff(_ device: PushToken, _ now: Timestamp, _ limits: Limits) -> PushHub.Waiter? {
        connections.remove(device)
        guard let slot = devices.slot(of: device) else { return nil }
        traceDropped(devices.slots[slot].outbox.cutOff(at: now, limits: limits), device, now)
        devices.slots[slot].stream = nil
        return devices.stopWaiting(device)
    }

    /// Takes the pushes that are due out of an outbox, at most `count`.
    mutating func take(
        _ count: Int, for device: PushToken, at slot: Int, _ now: Timestamp, _ limits: Limits
    ) -> [QueuedPush] {
        let (pushes, lost) = devices.slots[slot].outbox.take(count, at: now, limits: limits)
        traceDropped(lost, device, now)
        return pushes
    }

    /// Puts pushes back into the outbox of a device, unless the device was removed or now belongs to another
    /// person.
    mutating func takeBack(
        _ pushes: [QueuedPush], for device: PushToken, _ now: Timestamp, _ limits: Limits
    ) {
        if let slot = devices.slot(of: device), devices.slots[slot].isOwned(by: device) {
            traceDropped(devices.slots[slot].outbox.takeBack(pushes, at: now, limits: limits), device, now)
            return
        }
        for push in pushes {
            trace.add(
                .dropped, push.body, to: device.displayName, at: now,
                because: "the device was removed meanwhile")
        }
    }

    /// Adds the pushes that an outbox dropped to the trace.
    mutating func traceDropped(_ lost: [DeviceOutbox.DroppedPush], _ device: PushToken, _ now: Timestamp) {
        for lost in lost {
            let outcome: PushTraceEntry.Outcome =
                switch lost.loss {
                case .coalesced: .coalesced
                case .replaced: .replaced
                case .overflowed: .dropped
                case .expired: .expired
                }
            trace.add(
                outcome, lost.push.body, to: device.displayName, at: now, because: lost.loss.rawValue)
        }
    }
}
