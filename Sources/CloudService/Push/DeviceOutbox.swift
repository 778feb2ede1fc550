package import Records

/// A push on its way to one device.
package struct QueuedPush: Hashable, Sendable {
    package let body: PushBody
    /// When it was put into the outbox. It expires `Limits.pushSeconds` later.
    package var since: Timestamp
    /// The outbox does not hand it out before this time; a fault may have delayed it.
    package var notBefore: Timestamp

    package init(_ body: PushBody, since: Timestamp) {
        self.body = body
        self.since = since
        notBefore = since
    }

    package var message: PushMessage { body.message }

    /// The same push, delayed.
    package func delayed(by seconds: Int) -> QueuedPush {
        var push = self
        push.notBefore = notBefore.advanced(bySeconds: Int64(seconds))
        return push
    }

    /// The key for coalescing: a push replaces a waiting push with the same key. nil if it replaces none.
    ///
    /// Pushes that a person sees replace each other only if their subscription sets a collapse key. A silent
    /// push only says that something changed, so the latest one of a subscription is enough.
    fileprivate var key: Key? {
        let notification = message.notification
        if let collapse = notification.presentation.collapseID { return Key(message, "collapse", collapse) }
        if notification.cause == .read { return Key(message, "read", notification.id) }
        return message.isVisible ? nil : Key(message, "silent", notification.subscriptionID)
    }

    fileprivate struct Key: Hashable {
        var container: String
        var user: String
        var database: DatabaseKind
        var kind: String
        var text: String

        init(_ message: PushMessage, _ kind: String, _ text: String) {
            container = message.container
            user = message.user
            database = message.database
            self.kind = kind
            self.text = text
        }
    }
}

/// The pushes that wait for one device.
///
/// While the device is connected, or was connected a moment ago, up to `Limits.pushQueue` pushes wait. For an
/// absent device only the latest push is kept, as in Apple's push service.
package struct DeviceOutbox: Hashable, Sendable {
    /// The reason why a push was dropped, as shown in the trace.
    package enum DropReason: String, Hashable, Sendable {
        case coalesced = "a newer push has replaced it"
        case replaced = "the device is absent: the latest push is kept"
        case overflowed = "too many pushes wait for the device"
        case expired = "it waited too long"
    }

    /// A dropped push and the reason.
    package struct DroppedPush: Hashable, Sendable {
        package var push: QueuedPush
        package var loss: DropReason
    }

    package private(set) var queue: [QueuedPush] = []
    /// The connection that may take pushes. A newer connection replaces an older one.
    package private(set) var connection: Int?
    /// Until when a device without a connection still counts as present.
    private var graceEnd: Timestamp?
    /// A push that a fault holds back until the next push is queued.
    private var overtaken: QueuedPush?

    package init() {}

    /// Whether the device is connected, or was connected a moment ago and is expected back.
    package func isPresent(at now: Timestamp) -> Bool {
        if connection != nil { return true }
        return graceEnd.map { now < $0 } ?? false
    }

    // MARK: Connections

    /// Sets the connection that takes pushes.
    package mutating func connect(_ id: Int, at now: Timestamp, limits: Limits) -> [DroppedPush] {
        let lost = dropExcess(at: now, limits: limits)
        connection = id
        graceEnd = nil
        return lost
    }

    /// Ends a connection. With a grace period, the device is expected back within that many seconds.
    package mutating func disconnect(
        _ id: Int, at now: Timestamp, grace seconds: Int, limits: Limits
    ) -> [DroppedPush] {
        guard connection == id else { return [] }
        connection = nil
        graceEnd = seconds > 0 ? now.advanced(bySeconds: Int64(seconds)) : nil
        return dropExcess(at: now, limits: limits)
    }

    /// Ends the connection of a device that lost its network; it is not expected back.
    package mutating func cutOff(at now: Timestamp, limits: Limits) -> [DroppedPush] {
        connection = nil
        graceEnd = nil
        return dropExcess(at: now, limits: limits)
    }

    // MARK: Pushes

    /// Puts a push at the end of the queue, and drops a waiting push with the same key.
    ///
    /// - Parameter isOvertaken: Whether to deliver the next push before this one.
    /// - Returns: The pushes that were dropped.
    package mutating func receive(
        _ push: QueuedPush, at now: Timestamp, isOvertaken: Bool = false, limits: Limits
    ) -> [DroppedPush] {
        var lost = dropExcess(at: now, limits: limits)
        if isOvertaken, overtaken == nil {
            overtaken = push
            return lost
        }
        lost += enqueue(push)
        if let late = overtaken {
            overtaken = nil
            lost += enqueue(late)
        }
        return lost + dropExcess(at: now, limits: limits)
    }

    private mutating func enqueue(_ push: QueuedPush) -> [DroppedPush] {
        var lost: [DroppedPush] = []
        if !queue.isEmpty, let key = push.key, let twin = queue.firstIndex(where: { $0.key == key }) {
            lost.append(DroppedPush(push: queue.remove(at: twin), loss: .coalesced))
        }
        queue.append(push)
        return lost
    }

    /// Removes and returns the pushes that are due, at most `count`.
    package mutating func take(
        _ count: Int, at now: Timestamp, limits: Limits
    ) -> (
        pushes: [QueuedPush], lost: [DroppedPush]
    ) {
        let lost = dropExcess(at: now, limits: limits)
        var taken: [QueuedPush] = []
        if queue.count <= count, queue.allSatisfy({ $0.notBefore <= now }) {
            swap(&taken, &queue)
            return (taken, lost)
        }
        queue.removeAll { push in
            guard taken.count < count, push.notBefore <= now else { return false }
            taken.append(push)
            return true
        }
        return (taken, lost)
    }

    /// Puts pushes that were not delivered back to the front of the queue.
    package mutating func takeBack(_ pushes: [QueuedPush], at now: Timestamp, limits: Limits) -> [DroppedPush]
    {
        queue.insert(contentsOf: pushes, at: 0)
        return dropExcess(at: now, limits: limits)
    }

    /// Whether no push is due now.
    func hasNothingDue(at now: Timestamp) -> Bool { queue.isEmpty || nextDue(after: now) != nil }

    /// When the first delayed push is due; nil if a push is due now or the queue is empty.
    package func nextDue(after now: Timestamp) -> Timestamp? {
        if queue.contains(where: { $0.notBefore <= now }) { return nil }
        return queue.map(\.notBefore).min()
    }

    /// Drops expired pushes, and the oldest ones if the queue exceeds its capacity.
    private mutating func dropExcess(at now: Timestamp, limits: Limits) -> [DroppedPush] {
        var lost: [DroppedPush] = []
        if queue.isEmpty { return lost }
        let oldest = now.advanced(bySeconds: -Int64(limits.pushSeconds))
        queue.removeAll { push in
            guard push.since < oldest else { return false }
            lost.append(DroppedPush(push: push, loss: .expired))
            return true
        }
        let isPresent = isPresent(at: now)
        let room = isPresent ? limits.pushQueue : 1
        while queue.count > room {
            lost.append(DroppedPush(push: queue.removeFirst(), loss: isPresent ? .overflowed : .replaced))
        }
        return lost
    }
}
