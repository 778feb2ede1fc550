import Records

/// A push and whom it goes to.
struct OutgoingPush {
    var body: PushBody
    var devices: [PushToken]
    /// Whether it tells of a change that has just matched, which the trace notes.
    var isMatch = false
    /// What the note of the match adds.
    var remark: String?
}

extension PushHub {
    /// What is to be done for devices to which pushes were posted, once the desk is free again.
    struct Aftermath {
        /// Where to write what waits for the devices, together what is written on one thread.
        var lanes: [[Line]] = []
        /// The other connections that have something to look at.
        var woken: [Answer] = []
        /// Whom the gateway is to look at.
        var rung: [(device: PushToken, bell: Bell)] = []

        mutating func write(on line: Line) {
            if let lane = lanes.firstIndex(where: { $0[0].lane == line.lane }) {
                lanes[lane].append(line)
            } else {
                lanes.append([line])
            }
        }
    }
}

extension PushHub.State {
    /// Posts a push to a device, as far as a fault lets it.
    mutating func post(
        _ push: QueuedPush, to device: PushToken, _ fault: PushFault?, because reason: String?,
        limits: Limits,
        _ next: inout PushHub.Aftermath
    ) {
        let (now, name) = (push.since, device.displayName)
        if fault?.isDropped == true {
            trace.add(.dropped, push.body, to: name, at: now, because: FaultKind.pushDrop.summary)
            return
        }
        let number = places.number(of: device)
        let push = push.delayed(by: fault?.delaySeconds ?? 0)
        let hasGateway = isReachedByGateway(device)
        if hasGateway { connectGateway(to: device, at: number, now, limits) }
        let wasConnected = places.all[number].outbox.connection != nil
        if fault?.isDeviceOffline == true {
            tell(places.all[number].outbox.cutOff(at: now, limits: limits), device, now)
            places.all[number].line = nil
        }
        let isPresent = places.all[number].outbox.isPresent(at: now)
        trace.add(
            .queued, push.body, to: name, at: now,
            because: reason ?? (isPresent ? nil : "the device is away"))
        let isOvertaken = fault?.isOvertaken == true
        let lost = places.all[number].outbox.receive(push, at: now, isOvertaken: isOvertaken, limits: limits)
        tell(lost, device, now)
        if fault?.isDuplicated == true { takeBack([push], for: device, now, limits) }
        if hasGateway, let bell = bell(at: number) { next.rung.append((device, bell)) }
        if !wasConnected || isOvertaken { return }
        // A push that is held back is waited for by the task of the connection.
        if fault == nil, let line = places.all[number].waitingLine {
            next.write(on: line)
        } else if let answer = places.all[number].wake() {
            next.woken.append(answer)
        }
    }

    /// Ends whatever connection a device has, which is not expected back; the answer is to be resumed.
    mutating func cutOff(_ device: PushToken, _ now: Timestamp, _ limits: Limits) -> PushHub.Answer? {
        streams.remove(device)
        guard let number = places.knownNumber(of: device) else { return nil }
        tell(places.all[number].outbox.cutOff(at: now, limits: limits), device, now)
        places.all[number].line = nil
        return places.wake(device)
    }

    /// Hands out what is due for a device, at most so many.
    mutating func take(
        _ count: Int, for device: PushToken, at number: Int, _ now: Timestamp, _ limits: Limits
    ) -> [QueuedPush] {
        let (pushes, lost) = places.all[number].outbox.take(count, at: now, limits: limits)
        tell(lost, device, now)
        return pushes
    }

    /// Puts pushes back that did not get through, as long as the device is known, and the same person's.
    mutating func takeBack(
        _ pushes: [QueuedPush], for device: PushToken, _ now: Timestamp, _ limits: Limits
    ) {
        if let number = places.knownNumber(of: device), places.all[number].owner == device.user {
            tell(places.all[number].outbox.takeBack(pushes, at: now, limits: limits), device, now)
            return
        }
        for push in pushes {
            trace.add(
                .dropped, push.body, to: device.displayName, at: now,
                because: "the device was forgotten meanwhile")
        }
    }

    mutating func tell(_ lost: [DeviceOutbox.Lost], _ device: PushToken, _ now: Timestamp) {
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
