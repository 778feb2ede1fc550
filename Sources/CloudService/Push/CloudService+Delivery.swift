// Owns the way of notifications from a database, where a commit has put them, to the outboxes of devices.

import RecordStore
import Records
import Synchronization

/// How far the notifications of an open database have been handed out.
final class DeliveryMark: Sendable {
    private struct State {
        var reached: Int64
        var isBusy = false
    }

    private let state: Mutex<State>

    init(_ reached: Int64) {
        state = Mutex(State(reached: reached))
    }

    /// Where to go on; nil when there is nothing to hand out, or somebody else is at it and will see it.
    func begin(upTo last: Int64) -> Int64? {
        state.withLock { state in
            if state.isBusy || state.reached >= last { return nil }
            state.isBusy = true
            return state.reached
        }
    }

    /// Notes how far the work got.
    func end(at number: Int64) {
        state.withLock { state in
            state.reached = max(state.reached, number)
            state.isBusy = false
        }
    }
}

extension CloudService {
    /// Hands out what the last commits of a database gave rise to. Costs one look when there is nothing.
    ///
    /// Never fails a request: the entries are on disk, and whoever misses a push finds them there.
    func deliver(from database: OpenDatabase) async {
        while let reached = database.delivery.begin(upTo: database.records.lastNotification) {
            var number = reached
            do {
                let made = try await database.records.notifications(after: reached, limit: 1000)
                number = made.last?.number ?? database.records.lastNotification
                try await post(made, from: database.key)
            } catch {
                // What could not be read is skipped; the trace ends where it happened.
                number = max(number, reached + 1)
            }
            database.delivery.end(at: number)
        }
    }

    private func post(_ made: [NumberedNotification], from key: DatabaseKey) async throws {
        let badges = try await badges(after: made, in: key)
        for entry in made {
            let notification = entry.notification
            let message = PushMessage(
                container: key.container, environment: key.environment, user: entry.owner,
                database: key.owner == nil ? .public : .private, notification: notification,
                badge: notification.look.raisesBadge ? badges[entry.owner] : nil
            )
            let devices = try await registry.devices(
                of: entry.owner, in: key.container, key.environment)
            pushes.note(message, because: devices.isEmpty ? "no device is registered" : nil)
            for device in devices where !Self.isMaker(device, of: notification) {
                pushes.post(message, to: device)
            }
        }
    }

    /// The device that made a change is not told of it.
    private static func isMaker(_ device: PushToken, of notification: PushNotification) -> Bool {
        guard let client = device.client else { return false }
        return client == notification.origin.device && device.user == notification.origin.by
    }

    /// What people's icons show from now on: one more for each change that raises them, one less for each
    /// that was read.
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
        return try await directory.changeBadges(changes, of: key.container, in: key.environment)
    }
}
