import Directory
import RecordStore
import Records

extension DeviceService {
    /// Posts the notifications of a database's last commits to the devices of the people whose subscriptions
    /// caused them. Reads nothing when there are none.
    ///
    /// A request posts about `copiesInRequest` copies, which may include those of other people's commits.
    /// `runDelivery` posts the rest.
    ///
    /// An error does not fail the request: the notifications are stored, and an app that misses a push finds
    /// them by fetching its notifications. Those that the store cannot read at the moment are posted later.
    func deliver(from database: OpenDatabase) async {
        if let number = position(in: database.key) { database.delivery.resume(after: number) }
        let maximum = backlog.isOpen ? Self.copiesInRequest : .max
        _ = await deliver(from: database, upTo: maximum, asBacklog: false)
        guard backlog.isOpen, database.delivery.leaveToBacklog() else { return }
        // The database is in use, so the lease opens nothing. It fails if the database is being removed, or
        // if the server is stopping.
        if let leased = try? await context.provider.lease(database.key) {
            if backlog.add(leased) { return }
            await context.provider.giveBack(leased.key)
        }
        _ = await deliver(from: database, upTo: .max, asBacklog: true)
        _ = database.delivery.endBacklog()
    }

    /// Posts the notifications that requests have left to the backlog, for one database after the other in
    /// turns, until it is cancelled.
    package func runDelivery() async {
        await backlog.run { database in
            if !context.provider.isRemoved(database.key) {
                let isReadable = await deliver(from: database, upTo: Self.copiesInTurn, asBacklog: true)
                if !database.delivery.endBacklog() { return isReadable ? .again : .later }
            }
            await context.provider.giveBack(database.key)
            return .done
        } rest: { [runtime = context.runtime] in
            try? await runtime.pause(Self.secondsUntilRetry)
        } drop: { database in
            // This task is cancelled.
            let announcing = Task.detached { [self] in await announceRest(of: database) }
            await announcing.value
            await context.provider.giveBack(database.key)
        }
    }

    /// Counts the badges of the notifications that this node posts no more, because the server is stopping,
    /// and tells the other nodes of them.
    private func announceRest(of database: OpenDatabase) async {
        if context.provider.isRemoved(database.key) { return }
        while let rest = database.delivery.begin(
            upTo: database.records.lastNotification, asBacklog: true)
        {
            var reached = rest.after
            do {
                while reached < rest.upTo {
                    let read = try await notifications(of: database, (reached, rest.upTo))
                    _ = await announce(read.entries, in: database.key)
                    reached = read.reached
                }
            } catch {
                context.runtime.report("pushes in \(database.key.text) were not sent: \(error)")
            }
            database.delivery.end(at: rest.upTo)
        }
    }

    /// Reads the first notifications of a range. Also returns the number up to which there are no others.
    private func notifications(
        of database: OpenDatabase, _ range: DeliveryCursor.Range, limit: Int = 1000
    ) async throws -> (entries: [NumberedNotification], reached: Int64) {
        let entries = try await database.records.notifications(
            after: range.after, limit: limit, bytes: context.limits.notificationPageBytes)
        // Those after a skipped range are posted already.
        let reached = min(entries.last?.number ?? range.upTo, range.upTo)
        return (entries.filter { $0.number <= range.upTo }, reached)
    }

    /// Counts the badges of notifications, and tells the other nodes of them. Returns the new badges.
    private func announce(
        _ entries: [NumberedNotification], in key: DatabaseKey
    ) async -> [String: Int] {
        var badges: [String: Int] = [:]
        do {
            badges = try await self.badges(after: entries, in: key)
        } catch {
            context.runtime.report("badges of \(key.text) were not counted: \(error)")
        }
        await tellOtherNodes(of: entries, in: key)
        return badges
    }

    /// Posts notifications until about `maximum` copies are posted. Returns false if the store cannot read
    /// them at the moment; the next delivery begins with them.
    ///
    /// The notifications are those of all people, so a task of its own posts them: the caller's budget for
    /// reads and the caller's cancellation do not apply to it.
    private func deliver(from database: OpenDatabase, upTo maximum: Int, asBacklog: Bool) async -> Bool {
        // Most requests cause no notifications, and need no task.
        guard database.delivery.hasWaiting(upTo: database.records.lastNotification) else { return true }
        let posting = Task.detached { [self] in
            await postWaiting(of: database, upTo: maximum, asBacklog: asBacklog)
        }
        return await posting.value
    }

    private func postWaiting(of database: OpenDatabase, upTo maximum: Int, asBacklog: Bool) async -> Bool {
        var limit = asBacklog ? 1000 : 100
        var copies = 0
        var isReadable = true
        while isReadable, copies < maximum,
            let next = database.delivery.begin(
                upTo: database.records.lastNotification, asBacklog: asBacklog)
        {
            var number = next.after
            do {
                let read = try await notifications(of: database, next, limit: limit)
                number = read.reached
                copies += await post(read.entries, from: database.key)
            } catch  where limit > 1 {
                // One notification cannot be read. Read one at a time, so that the others are posted.
                limit = 1
            } catch let error as RecordError where error.code == .tryAgainLater {
                isReadable = false
                context.runtime.report(
                    "notification \(number + 1) of \(database.key.text) is not pushed yet: \(error)")
            } catch {
                number = next.after + 1
                context.runtime.report(
                    "notification \(number) of \(database.key.text) was not pushed: \(error)")
            }
            notePosition(database.delivery.end(at: number), in: database.key)
        }
        return isReadable
    }

    /// Posts notifications. Returns the number of copies: one for each device, and one for each person
    /// without a device.
    func post(_ entries: [NumberedNotification], from key: DatabaseKey) async -> Int {
        let badges = await announce(entries, in: key)
        var copies = 0
        for start in stride(from: 0, to: entries.count, by: Self.pushesAtOnce) {
            copies += await post(
                entries[start..<min(start + Self.pushesAtOnce, entries.count)], badges, from: key)
        }
        return copies
    }

    /// Number of notifications posted together. The first group is sent while the next is looked up.
    private static let pushesAtOnce = 16
    /// Number of copies of notifications, one for each device, after which other work gets a turn.
    private static let copiesAtOnce = 100
    /// Number of copies after which a request leaves the rest to the backlog.
    private static let copiesInRequest = 1000
    /// Number of copies after which the next database of the backlog gets a turn.
    private static let copiesInTurn = 10_000
    /// The seconds after which the backlog reads again what a store could not read.
    private static let secondsUntilRetry = 1

    private func post(
        _ entries: ArraySlice<NumberedNotification>, _ badges: [String: Int], from key: DatabaseKey
    ) async -> Int {
        do {
            let devices = try await registry.devices(
                of: entries.map(\.owner), in: key.container, key.environment)
            var waiting: [OutgoingPush] = []
            var (copies, all) = (0, 0)
            for (entry, devices) in zip(entries, devices) {
                waiting.append(push(entry, to: devices, from: key, badge: badges[entry.owner]))
                copies += devices.count
                all += max(devices.count, 1)
                if copies < Self.copiesAtOnce { continue }
                hub.post(waiting)
                (waiting, copies) = ([], 0)
                // One commit may cause tens of thousands of copies. Requests are served in between.
                await Task.yield()
            }
            if !waiting.isEmpty { hub.post(waiting) }
            return all
        } catch  where entries.count > 1 {
            // One notification may have failed the whole group.
            var all = 0
            for number in entries.indices { all += await post(entries[number...number], badges, from: key) }
            return all
        } catch {
            for entry in entries {
                context.runtime.report("notification \(entry.number) of \(key.text) was not pushed: \(error)")
            }
            return entries.count
        }
    }

    private func push(
        _ entry: NumberedNotification, to devices: [PushToken], from key: DatabaseKey, badge: Int?
    ) -> OutgoingPush {
        let notification = entry.notification
        let raises = notification.presentation.raisesBadge
        let body = PushBody(message(entry, from: key, badge: raises ? badge : nil))
        let isForeign = entry.isForeign
        return OutgoingPush(
            body: body,
            devices: devices.filter {
                !Self.isOrigin($0, of: notification) && !(isForeign && $0.deviceToken != nil)
            },
            isMatch: !isForeign, remark: devices.isEmpty ? "no device is registered" : nil)
    }

    func message(
        _ entry: NumberedNotification, from key: DatabaseKey, badge: Int? = nil
    ) -> PushMessage {
        // A private database also contains notifications for the guests of its owner. To them, the change was
        // in their shared database.
        let database: DatabaseKind =
            key.owner == nil ? .public : key.owner == entry.owner ? .private : .shared
        var notification = entry.notification
        if database == .shared {
            notification.id = seal.changeNumberCipher(of: key).encrypted(notification.id)
        }
        return PushMessage(
            container: key.container, environment: key.environment, user: entry.owner, database: database,
            notification: notification, badge: badge)
    }

    /// Whether the device made the change itself; it is not notified then.
    static func isOrigin(_ device: PushToken, of notification: PushNotification) -> Bool {
        guard let client = device.client else { return false }
        return client == notification.origin.device && device.user == notification.origin.by
    }

    /// The new badge numbers of people: one more for each notification that raises the badge, one less for
    /// each that was marked as read.
    private func badges(
        after entries: [NumberedNotification], in key: DatabaseKey
    ) async throws -> [String: Int] {
        var changes: [String: Int] = [:]
        var seen: Set<[String]> = []
        for entry in entries where entry.notification.presentation.raisesBadge {
            let isRead = entry.notification.cause == .read
            if entry.isForeign {
                // The node that wrote it has counted it already. Adding 0 returns the person's badge.
                changes[entry.owner, default: 0] += 0
                continue
            }
            if !isRead, !seen.insert([entry.owner, entry.notification.id]).inserted { continue }
            changes[entry.owner, default: 0] += isRead ? -1 : 1
        }
        if changes.isEmpty { return [:] }
        return try await context.directory.changeBadges(
            changes, of: key.container, in: key.environment, atMost: context.limits.badge)
    }
}
