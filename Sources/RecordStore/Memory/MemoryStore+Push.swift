package import Records
import Synchronization

extension MemoryStore {
    package var hasSubscriptions: Bool { state.withLock { !$0.subscriptions.isEmpty } }

    package func subscriptions(
        of owner: String, in scope: SubscriptionScope
    ) async throws -> [Subscription] {
        state.withLock { $0.subscriptions(of: owner, in: scope) }
    }

    package func setSharedSubscriptions(_ all: [Subscription], of person: String) async throws {
        state.withLock { state in
            if state.subscriptions(of: person, in: .shared) == all { return }
            state.subscriptions.removeAll { $0.entry.owner == person && $0.entry.scope == .shared }
            for subscription in all { _ = state.add(subscription, of: person, in: .shared) }
        }
    }

    package func modifySubscriptions(
        _ operations: [SubscriptionOperation], of owner: String, in scope: SubscriptionScope, limits: Limits
    ) async throws -> [SubscriptionResult] {
        try state.withLock { state in
            let known = state.subscriptions.map(\.entry).filter { $0.owner == owner && $0.scope == scope }
            return try SubscriptionRules(limits: limits).modify(operations, among: known) { edit in
                switch edit {
                case .add(let subscription): return state.add(subscription, of: owner, in: scope)
                case .replace(let entry): state.replace(entry)
                case .remove(let entry): state.removeSubscription(entry.number)
                }
                return nil
            }
        }
    }

    package var lastNotification: Int64 { state.withLock { $0.lastNotification } }

    package func notifications(
        after number: Int64, limit: Int, bytes: Int
    ) async throws -> [NumberedNotification] {
        state.withLock { state in
            let all = state.notifications.map(\.entry).filter { $0.number > number }
            return Array(all.prefix(PageGauge.cut(all, limit: limit, bytes: bytes)))
        }
    }

    package func notifications(
        of owner: String, after number: Int64, limit: Int, bytes: Int
    ) async throws -> NotificationsPage {
        try state.withLock { state in
            let horizon = max(state.notificationHorizon, state.notificationHorizons[owner] ?? 0)
            if number > 0, number < horizon || number > state.lastNotification {
                throw NotificationsPage.expired
            }
            let unread = state.unread(of: owner).map(\.entry).filter { $0.number > number }
            let page = Array(unread.prefix(PageGauge.cut(unread, limit: limit, bytes: bytes)))
            let isMore = unread.count > page.count
            let end = isMore ? page.last?.number ?? number : max(number, state.lastNotification)
            return NotificationsPage(notifications: page, end: end, moreComing: isMore)
        }
    }

    package func markNotificationsRead(
        _ ids: [String], of owner: String, by stamp: Stamp
    ) async throws -> [String] {
        state.withLock { state in
            let known = ids.filter { id in
                let places = state.notifications.indices.filter { index in
                    let entry = state.notifications[index].entry
                    return entry.owner == owner && entry.notification.id == id
                        && entry.notification.cause != .read
                }
                let unread = places.filter { !state.notifications[$0].isRead }
                for place in unread { state.notifications[place].isRead = true }
                let read = unread.map { state.notifications[$0].entry.notification }
                if !read.isEmpty { state.keep(.reading(of: read, id: id, by: stamp), for: owner) }
                return !places.isEmpty
            }
            state.forgetSurplusRead(of: owner)
            return known
        }
    }

    package func latestNotification(of owner: String) async throws -> NumberedNotification? {
        state.withLock { $0.unread(of: owner).last?.entry }
    }

    package func forgetPushes(of owner: String) async throws {
        state.withLock { state in
            state.subscriptions.removeAll { $0.entry.owner == owner }
            state.notifications.removeAll { $0.entry.owner == owner }
            state.notificationHorizons[owner] = nil
        }
    }

    package func forgetNotifications(before time: Timestamp) async throws {
        state.withLock { state in
            let old = state.notifications.filter { $0.entry.notification.origin.at < time }.map(
                \.entry.number)
            guard let last = old.max() else { return }
            state.notificationHorizon = max(state.notificationHorizon, last)
            let gone = Set(old)
            state.notifications.removeAll { gone.contains($0.entry.number) }
        }
    }
}

extension MemoryState {
    func subscriptions(of owner: String, in scope: SubscriptionScope) -> [Subscription] {
        subscriptions.map(\.entry).filter { $0.owner == owner && $0.scope == scope }.map(\.subscription)
    }

    mutating func add(
        _ subscription: Subscription, of owner: String, in scope: SubscriptionScope
    ) -> SubscriptionEntry {
        lastSubscription += 1
        let entry = SubscriptionEntry(
            number: lastSubscription, owner: owner, scope: scope, subscription: subscription)
        subscriptions.append(PreparedSubscription(entry))
        return entry
    }

    mutating func replace(_ entry: SubscriptionEntry) {
        guard let place = subscriptions.firstIndex(where: { $0.entry.number == entry.number }) else { return }
        subscriptions[place] = PreparedSubscription(entry)
    }

    mutating func removeSubscription(_ number: Int64) {
        subscriptions.removeAll { $0.entry.number == number }
    }

    /// The subscriptions to zones and databases.
    var watchers: [SubscriptionEntry] {
        subscriptions.compactMap { $0.conditions == nil ? $0.entry : nil }
    }

    /// Stores the notifications of a commit. Removes the subscriptions that fire only once and have fired
    /// now.
    mutating func keep(_ drafts: [PushDraft]) {
        for draft in drafts {
            keep(draft.notification, for: draft.owner)
            if draft.isLast { removeSubscription(draft.subscription) }
        }
    }

    mutating func keep(_ notification: PushNotification, for owner: String) {
        lastNotification += 1
        let entry = NumberedNotification(
            number: lastNotification, owner: owner, notification: notification,
            bytes: codec.encode(notification).count)
        notifications.append(MemoryNotification(entry: entry))
        let unread = unread(of: owner)
        let sizes = unread.reversed().map(\.entry.bytes)
        guard notificationLimits.areExceeded(byCount: sizes.count, bytes: sizes.reduce(0, +)) else { return }
        let kept = notificationLimits.kept(of: sizes)
        guard kept < unread.count else { return }
        let horizon = unread[unread.count - kept - 1].entry.number
        notificationHorizons[owner] = horizon
        notifications.removeAll { $0.entry.owner == owner && $0.entry.number <= horizon }
    }

    /// Forgets the oldest read notifications of a person who has too many of them.
    mutating func forgetSurplusRead(of owner: String) {
        let read = notifications.filter { $0.entry.owner == owner && $0.isRead }
        let kept = notificationLimits.kept(of: read.reversed().map(\.entry.bytes))
        guard kept < read.count else { return }
        let last = read[read.count - kept - 1].entry.number
        notifications.removeAll { $0.entry.owner == owner && $0.isRead && $0.entry.number <= last }
    }

    func unread(of owner: String) -> [MemoryNotification] {
        notifications.filter { $0.entry.owner == owner && !$0.isRead }
    }

    /// Notifies the subscribers of a zone's creation or deletion, which has the current sequence number, and
    /// the members of its shares.
    mutating func notify(ofZone name: String, members: [String] = [], _ stamp: Stamp) {
        var stamp = stamp
        stamp.at = max(stamp.at, lastTime)
        let matching = PushMatching(zone: name, identity: identity, stamp: stamp)
        keep(matching.pushes(ofZoneChange: sequence, watchers: watchers))
        let people = Dictionary(members.map { ($0, RecordTypes.any) }) { $1 }
        keep(matching.pushes(of: people, watchers: watchers, sequence: sequence))
    }
}
