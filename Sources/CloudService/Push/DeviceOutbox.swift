package import Records

/// A push on its way to one device.
package struct QueuedPush: Hashable, Sendable {
    package let body: PushBody
    /// When it came into the outbox; it expires a lifetime later.
    package var since: Timestamp
    /// Before this time it is not handed out: a fault holds it back.
    package var notBefore: Timestamp

    package init(_ body: PushBody, since: Timestamp) {
        self.body = body
        self.since = since
        notBefore = since
    }

    package var message: PushMessage { body.message }

    /// The same push, held back.
    package func delayed(by seconds: Int) -> QueuedPush {
        var push = self
        push.notBefore = notBefore.advanced(bySeconds: Int64(seconds))
        return push
    }

    /// What it may be coalesced with: the push with the same key that waits gives way to it. nil: nothing.
    ///
    /// Whatever a person is to see stands for itself, unless its subscription says that it replaces others.
    /// Whatever is silent only says "look", and of those for one subscription the latest says it all.
    fileprivate var key: Key? {
        let notification = message.notification
        if let collapse = notification.look.collapseID { return Key(message, "collapse", collapse) }
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

/// The pushes that wait for a device.
///
/// While the device listens, or has listened a moment ago, they queue up, no more than a bounded number. A
/// device that is away keeps one, the latest, as the real push service does.
package struct DeviceOutbox: Hashable, Sendable {
    /// Why a push was given up.
    package enum Loss: String, Hashable, Sendable {
        case coalesced = "a newer push says the same"
        case replaced = "the device is away, and keeps the latest push only"
        case overflowed = "too many pushes wait for the device"
        case expired = "it waited too long"
    }

    /// A push that was given up, and why.
    package struct Lost: Hashable, Sendable {
        package var push: QueuedPush
        package var loss: Loss
    }

    package private(set) var queue: [QueuedPush] = []
    /// The connection that may take pushes; a newer one puts an older one off.
    package private(set) var connection: Int?
    /// Until when the device counts as there, though it has no connection.
    private var graceEnd: Timestamp?
    /// A push that a fault lets the next one overtake.
    private var overtaken: QueuedPush?

    package init() {}

    /// Whether the device listens, or has just listened and is expected back.
    package func isPresent(at now: Timestamp) -> Bool {
        if connection != nil { return true }
        return graceEnd.map { now < $0 } ?? false
    }

    // MARK: Connections

    /// A connection is ready to take pushes.
    package mutating func connect(_ id: Int, at now: Timestamp, limits: Limits) -> [Lost] {
        let lost = settle(at: now, limits: limits)
        connection = id
        graceEnd = nil
        return lost
    }

    /// A connection has ended; with a grace, the device is expected back within that many seconds.
    package mutating func disconnect(
        _ id: Int, at now: Timestamp, grace seconds: Int, limits: Limits
    ) -> [Lost] {
        guard connection == id else { return [] }
        connection = nil
        graceEnd = seconds > 0 ? now.advanced(bySeconds: Int64(seconds)) : nil
        return settle(at: now, limits: limits)
    }

    /// The device has lost its network: nobody is expected back.
    package mutating func cutOff(at now: Timestamp, limits: Limits) -> [Lost] {
        connection = nil
        graceEnd = nil
        return settle(at: now, limits: limits)
    }

    // MARK: Pushes

    /// A push has come for the device.
    ///
    /// - Parameter isOvertaken: Whether the next push is to get ahead of it.
    /// - Returns: The pushes that give way.
    package mutating func receive(
        _ push: QueuedPush, at now: Timestamp, isOvertaken: Bool = false, limits: Limits
    ) -> [Lost] {
        var lost = settle(at: now, limits: limits)
        if isOvertaken, overtaken == nil {
            overtaken = push
            return lost
        }
        lost += enqueue(push)
        if let late = overtaken {
            overtaken = nil
            lost += enqueue(late)
        }
        return lost + settle(at: now, limits: limits)
    }

    private mutating func enqueue(_ push: QueuedPush) -> [Lost] {
        var lost: [Lost] = []
        if !queue.isEmpty, let key = push.key, let twin = queue.firstIndex(where: { $0.key == key }) {
            lost.append(Lost(push: queue.remove(at: twin), loss: .coalesced))
        }
        queue.append(push)
        return lost
    }

    /// Hands out what is due, at most so many; they are out of the outbox.
    package mutating func take(
        _ count: Int, at now: Timestamp, limits: Limits
    ) -> (
        pushes: [QueuedPush], lost: [Lost]
    ) {
        let lost = settle(at: now, limits: limits)
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

    /// Takes pushes back that did not get through, in front of what came meanwhile.
    package mutating func takeBack(_ pushes: [QueuedPush], at now: Timestamp, limits: Limits) -> [Lost] {
        queue.insert(contentsOf: pushes, at: 0)
        return settle(at: now, limits: limits)
    }

    /// Whether there is nothing to be handed out now.
    func hasNothing(at now: Timestamp) -> Bool { queue.isEmpty || nextDue(after: now) != nil }

    /// When the first push is due that is held back; nil: none is, or one is due now.
    package func nextDue(after now: Timestamp) -> Timestamp? {
        if queue.contains(where: { $0.notBefore <= now }) { return nil }
        return queue.map(\.notBefore).min()
    }

    /// Gives up what has expired, and what there is no room for.
    private mutating func settle(at now: Timestamp, limits: Limits) -> [Lost] {
        var lost: [Lost] = []
        if queue.isEmpty { return lost }
        let oldest = now.advanced(bySeconds: -Int64(limits.pushSeconds))
        queue.removeAll { push in
            guard push.since < oldest else { return false }
            lost.append(Lost(push: push, loss: .expired))
            return true
        }
        let isPresent = isPresent(at: now)
        let room = isPresent ? limits.pushQueue : 1
        while queue.count > room {
            lost.append(Lost(push: queue.removeFirst(), loss: isPresent ? .overflowed : .replaced))
        }
        return lost
    }
}
