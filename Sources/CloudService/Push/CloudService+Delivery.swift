import Directory
import RecordStore
package import Records
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
        var limit = 1000
        while let reached = database.delivery.begin(upTo: database.records.lastNotification) {
            var number = reached
            do {
                let made = try await database.records.notifications(
                    after: reached, limit: limit, bytes: limits.notificationPageBytes)
                number = made.last?.number ?? database.records.lastNotification
                await post(made, from: database.key)
            } catch  where limit > 1 {
                // One of them cannot be read: one by one, the others can.
                limit = 1
            } catch {
                number = reached + 1
                seams.report("notification \(number) of \(database.key.text) was not pushed: \(error)")
            }
            database.delivery.end(at: number)
        }
    }

    private func post(_ made: [NumberedNotification], from key: DatabaseKey) async {
        var badges: [String: Int] = [:]
        do {
            badges = try await self.badges(after: made, in: key)
        } catch {
            seams.report("badges of \(key.text) were not counted: \(error)")
        }
        for start in stride(from: 0, to: made.count, by: Self.lettersAtOnce) {
            await post(made[start..<min(start + Self.lettersAtOnce, made.count)], badges, from: key)
        }
    }

    /// So many notifications are posted at once: the first ones are on their way while others are looked at.
    private static let lettersAtOnce = 16

    private func post(
        _ made: ArraySlice<NumberedNotification>, _ badges: [String: Int], from key: DatabaseKey
    ) async {
        do {
            let devices = try await registry.devices(
                of: made.map(\.owner), in: key.container, key.environment)
            pushes.post(
                zip(made, devices).map { entry, devices in
                    letter(entry, to: devices, from: key, badge: badges[entry.owner])
                })
        } catch  where made.count > 1 {
            // What failed for all may do for some.
            for number in made.indices { await post(made[number...number], badges, from: key) }
        } catch {
            for entry in made {
                seams.report("notification \(entry.number) of \(key.text) was not pushed: \(error)")
            }
        }
    }

    private func letter(
        _ entry: NumberedNotification, to devices: [PushToken], from key: DatabaseKey, badge: Int?
    ) -> PushLetter {
        let notification = entry.notification
        let raises = notification.look.raisesBadge
        let body = PushBody(message(entry, from: key, badge: raises ? badge : nil))
        return PushLetter(
            body: body, devices: devices.filter { !Self.isMaker($0, of: notification) }, isMatch: true,
            remark: devices.isEmpty ? "no device is registered" : nil)
    }

    private func message(
        _ entry: NumberedNotification, from key: DatabaseKey, badge: Int? = nil
    ) -> PushMessage {
        PushMessage(
            container: key.container, environment: key.environment, user: entry.owner,
            database: key.owner == nil ? .public : .private, notification: entry.notification, badge: badge
        )
    }

    /// The device that made a change is not told of it.
    private static func isMaker(_ device: PushToken, of notification: PushNotification) -> Bool {
        guard let client = device.client else { return false }
        return client == notification.origin.device && device.user == notification.origin.by
    }

    /// Begins a connection of a device, which takes its pushes with it.
    ///
    /// What waited for a device is in memory only. So one that comes back after the server was restarted gets
    /// the latest notification of its collection once more, silently: the cue to look there.
    ///
    /// Counts as a request of the person whose device it is. Throws as `PushDesk.connect` does, and
    /// `throttled`.
    package func connect(_ device: PushToken) async throws -> Int {
        let person = Caller(
            container: device.container, environment: device.environment, identity: .person(device.user))
        if let refusal = charge(person)?.refusal { throw refusal }
        let (connection, isNew) = try pushes.connect(device)
        // It may have been forgotten a moment ago.
        guard try await registry.device(device.text) != nil else {
            pushes.forget(device, because: "the device was forgotten")
            throw RecordError.noDevice
        }
        if isNew, device.created < started { await remind(device) }
        return connection
    }

    private static let restartReason = "the server was restarted: a cue to look into the collection"

    private func remind(_ device: PushToken) async {
        var latest: PushMessage?
        for owner in [nil, device.user] {
            let key = DatabaseKey(
                container: device.container, environment: device.environment, owner: owner)
            if databases.empty(key) != nil { continue }
            do {
                guard
                    let entry = try await using(
                        key,
                        { database in
                            try await database.records.latestNotification(of: device.user)
                        })
                else { continue }
                let message = message(entry, from: key)
                if latest.map({ $0.notification.origin.at <= message.notification.origin.at }) ?? true {
                    latest = message
                }
            } catch {
                seams.report("the collection of a device in \(key.text) cannot be read: \(error)")
            }
        }
        let oldest = seams.now().advanced(bySeconds: -Int64(limits.pushSeconds))
        guard var message = latest, message.notification.origin.at >= oldest,
            !Self.isMaker(device, of: message.notification)
        else { return }
        message.notification.look = PushLook()
        message.notification.look.isContentAvailable = true
        pushes.post(PushBody(message), to: [device], because: Self.restartReason)
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
        return try await directory.changeBadges(
            changes, of: key.container, in: key.environment, atMost: limits.badge)
    }
}
