import Directory
import RecordStore
import Records
import Synchronization

/// The number of the last notification of an open database that was posted.
final class DeliveryMark: Sendable {
    private struct State {
        var reached: Int64
        var isBusy = false
    }

    private let state: Mutex<State>

    init(_ reached: Int64) {
        state = Mutex(State(reached: reached))
    }

    /// The number after which to continue; nil when nothing is new, or another request is posting.
    func begin(upTo last: Int64) -> Int64? {
        state.withLock { state in
            if state.isBusy || state.reached >= last { return nil }
            state.isBusy = true
            return state.reached
        }
    }

    /// Sets the number of the last posted notification.
    func end(at number: Int64) {
        state.withLock { state in
            state.reached = max(state.reached, number)
            state.isBusy = false
        }
    }
}

extension DeviceService {
    /// Posts the notifications of a database's last commits to the devices of their owners. Costs one
    /// comparison when there are none.
    ///
    /// An error fails no request: the notifications are stored, and an app that misses a push finds them by
    /// fetching its notifications.
    func deliver(from database: OpenDatabase) async {
        var limit = 1000
        while let reached = database.delivery.begin(upTo: database.records.lastNotification) {
            var number = reached
            do {
                let made = try await database.records.notifications(
                    after: reached, limit: limit, bytes: context.limits.notificationPageBytes)
                number = made.last?.number ?? database.records.lastNotification
                await post(made, from: database.key)
            } catch  where limit > 1 {
                // One notification cannot be read. Read one at a time, so that the others are posted.
                limit = 1
            } catch {
                number = reached + 1
                context.runtime.report(
                    "notification \(number) of \(database.key.text) was not pushed: \(error)")
            }
            database.delivery.end(at: number)
        }
    }

    private func post(_ made: [NumberedNotification], from key: DatabaseKey) async {
        var badges: [String: Int] = [:]
        do {
            badges = try await self.badges(after: made, in: key)
        } catch {
            context.runtime.report("badges of \(key.text) were not counted: \(error)")
        }
        for start in stride(from: 0, to: made.count, by: Self.pushesAtOnce) {
            await post(made[start..<min(start + Self.pushesAtOnce, made.count)], badges, from: key)
        }
    }

    /// Number of notifications posted together. The first group is sent while the next is looked up.
    private static let pushesAtOnce = 16
    /// Number of copies of notifications, one for each device, after which other work gets a turn.
    private static let copiesAtOnce = 100

    private func post(
        _ made: ArraySlice<NumberedNotification>, _ badges: [String: Int], from key: DatabaseKey
    ) async {
        do {
            let devices = try await registry.devices(
                of: made.map(\.owner), in: key.container, key.environment)
            var waiting: [OutgoingPush] = []
            var copies = 0
            for (entry, devices) in zip(made, devices) {
                waiting.append(push(entry, to: devices, from: key, badge: badges[entry.owner]))
                copies += devices.count
                if copies < Self.copiesAtOnce { continue }
                hub.post(waiting)
                (waiting, copies) = ([], 0)
                // One commit may cause tens of thousands of copies. Requests are served in between.
                await Task.yield()
            }
            if !waiting.isEmpty { hub.post(waiting) }
        } catch  where made.count > 1 {
            // One notification may have failed the whole group.
            for number in made.indices { await post(made[number...number], badges, from: key) }
        } catch {
            for entry in made {
                context.runtime.report("notification \(entry.number) of \(key.text) was not pushed: \(error)")
            }
        }
    }

    private func push(
        _ entry: NumberedNotification, to devices: [PushToken], from key: DatabaseKey, badge: Int?
    ) -> OutgoingPush {
        let notification = entry.notification
        let raises = notification.look.raisesBadge
        let body = PushBody(message(entry, from: key, badge: raises ? badge : nil))
        return OutgoingPush(
            body: body, devices: devices.filter { !Self.isOrigin($0, of: notification) }, isMatch: true,
            remark: devices.isEmpty ? "no device is registered" : nil)
    }

    func message(
        _ entry: NumberedNotification, from key: DatabaseKey, badge: Int? = nil
    ) -> PushMessage {
        // In the database of another person stand the notifications of that person's guests.
        let database: DatabaseKind =
            key.owner == nil ? .public : key.owner == entry.owner ? .private : .shared
        return PushMessage(
            container: key.container, environment: key.environment, user: entry.owner, database: database,
            notification: entry.notification, badge: badge)
    }

    /// Whether the device made the change itself; it is not notified then.
    static func isOrigin(_ device: PushToken, of notification: PushNotification) -> Bool {
        guard let client = device.client else { return false }
        return client == notification.origin.device && device.user == notification.origin.by
    }

    /// The new badge numbers of people: one more for each notification that raises the badge, one less for
    /// each that was marked as read.
    private func badges(
        after made: [NumberedNotification], in key: DatabaseKey
    ) async throws -> [String: Int] {
        var changes: [String: Int] = [:]
        var seen: Set<[String]> = []
        for entry in made where entry.notification.look.raisesBadge {
            let isRead = entry.notification.cause == .read
            if !isRead, !seen.insert([entry.owner, entry.notification.id]).inserted { continue }
            changes[entry.owner, default: 0] += isRead ? -1 : 1
        }
        if changes.isEmpty { return [:] }
        return try await context.directory.changeBadges(
            changes, of: key.container, in: key.environment, atMost: context.limits.badge)
    }
}
