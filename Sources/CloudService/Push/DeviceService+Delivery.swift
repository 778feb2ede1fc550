import Directory
import RecordStore
import Records
import Synchronization

/// How far the notifications of an open database have been posted.
final class DeliveryMark: Sendable {
    private struct State {
        var reached: Int64
        var isBusy = false
    }

    private let state: Mutex<State>

    init(_ reached: Int64) {
        state = Mutex(State(reached: reached))
    }

    /// The number to go on after; nil when nothing is new, or another request posts what is new.
    func begin(upTo last: Int64) -> Int64? {
        state.withLock { state in
            if state.isBusy || state.reached >= last { return nil }
            state.isBusy = true
            return state.reached
        }
    }

    /// Notes up to which number notifications were posted.
    func end(at number: Int64) {
        state.withLock { state in
            state.reached = max(state.reached, number)
            state.isBusy = false
        }
    }
}

extension DeviceService {
    /// Posts the notifications of the last commits of a database to the devices of their owners. Costs one
    /// comparison when there are none.
    ///
    /// It fails no request: the notifications are on disk, and an app that misses a push finds them there.
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
                // One notification cannot be read; read one by one, so that the others are.
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

    /// Notifications that are posted together. The first ones are sent while others are looked up.
    private static let pushesAtOnce = 16

    private func post(
        _ made: ArraySlice<NumberedNotification>, _ badges: [String: Int], from key: DatabaseKey
    ) async {
        do {
            let devices = try await registry.devices(
                of: made.map(\.owner), in: key.container, key.environment)
            hub.post(
                zip(made, devices).map { entry, devices in
                    push(entry, to: devices, from: key, badge: badges[entry.owner])
                })
        } catch  where made.count > 1 {
            // One may have failed for all.
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
            body: body, devices: devices.filter { !Self.isMaker($0, of: notification) }, isMatch: true,
            remark: devices.isEmpty ? "no device is registered" : nil)
    }

    func message(
        _ entry: NumberedNotification, from key: DatabaseKey, badge: Int? = nil
    ) -> PushMessage {
        PushMessage(
            container: key.container, environment: key.environment, user: entry.owner,
            database: key.owner == nil ? .public : .private, notification: entry.notification, badge: badge
        )
    }

    /// The device that made a change is not told of it.
    static func isMaker(_ device: PushToken, of notification: PushNotification) -> Bool {
        guard let client = device.client else { return false }
        return client == notification.origin.device && device.user == notification.origin.by
    }

    /// The new badges of people: one more for each notification that raises the badge, one less for each that
    /// was read.
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
