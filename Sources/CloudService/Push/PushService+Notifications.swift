import Directory
import RecordStore
package import Records

/// A page of a person's notifications, oldest first.
package struct NotificationCollection: Sendable {
    package var messages: [PushMessage]
    package var token: ChangeToken
    package var moreComing: Bool
    /// The size of the notifications in their stored form.
    package var bytes: Int
}

extension PushService {
    /// The notifications of a person in a container since a token, from the public and the private database
    /// and from those of people who share with the person, in the order of the changes.
    ///
    /// Throws `changeTokenExpired` when notifications after the token were already removed.
    package func notifications(
        since token: ChangeToken?, limit: Int?, by caller: Caller
    ) async throws -> NotificationCollection {
        let owner = try caller.requireUserRecordName()
        var position =
            try token.map { token throws(RecordError) in
                try CollectionPosition(token, under: seal, of: owner)
            } ?? CollectionPosition()
        let limit = min(max(limit ?? context.limits.recordsPerResponse, 1), context.limits.recordsPerResponse)
        var pages: [(source: CollectionSource, page: NotificationsPage)] = []
        for source in try await sources(of: caller) {
            let start = position[source]
            let page = try await reading(source, for: caller, failed: nil) { database in
                try await database.records.notifications(
                    of: owner, after: start, limit: limit, bytes: context.limits.notificationPageBytes)
            }
            if let page { pages.append((source, page)) }
        }
        let (chosen, moreComing) = position.merge(
            pages, limit: limit, bytes: context.limits.notificationPageBytes)
        let messages = chosen.map { source, entry in
            var notification = entry.notification
            if let cipher = changeNumberCipher(of: source) {
                notification.id = cipher.encrypted(notification.id)
            }
            return PushMessage(
                container: caller.container, environment: caller.environment, user: owner,
                database: source.kind, notification: notification
            )
        }
        return NotificationCollection(
            messages: messages, token: try position.token(under: seal, of: owner), moreComing: moreComing,
            bytes: chosen.reduce(0) { $0 + $1.1.bytes })
    }

    /// Encrypts the change numbers of another person's database; nil for the person's own databases.
    private func changeNumberCipher(of source: CollectionSource) -> ChangeNumberCipher? {
        guard case .shared(let key) = source else { return nil }
        return seal.changeNumberCipher(of: key)
    }

    /// The databases that hold notifications of a person.
    private func sources(of caller: Caller) async throws -> [CollectionSource] {
        [.own(.public), .own(.private)] + (try await databases.sharingKeys(for: caller)).map { .shared($0) }
    }

    /// Runs `work` with a database that holds notifications. If the database belongs to an owner who shares
    /// with the caller, returns `failed` in place of any error except that of an expired token.
    private func reading<Result: Sendable>(
        _ source: CollectionSource, for caller: Caller, failed: Result, delivers: Bool = false,
        _ work: (OpenDatabase) async throws -> Result
    ) async throws -> Result {
        switch source {
        case .own(let kind): return try await databases.reading(kind, for: caller, delivers: delivers, work)
        case .shared(let key):
            var isExpired = false
            let result = try await databases.attempt(key, for: caller, work) { error in
                isExpired = error.code == .changeTokenExpired
                return failed
            }
            if isExpired { throw NotificationsPage.expired }
            return result
        }
    }

    /// Marks notifications as read, and notifies the person's other devices. Returns the IDs that exist.
    package func markNotificationsRead(_ ids: [String], by caller: Caller) async throws -> [String] {
        let owner = try caller.requireUserRecordName()
        try RecordError.check(
            ids.count, atMost: context.limits.recordsPerResponse, "notificationIDs",
            next: "mark them in several requests")
        var known: Set<String> = []
        for source in try await sources(of: caller) {
            let stamp = context.stamp(of: caller)
            let cipher = changeNumberCipher(of: source)
            let names = cipher.map { cipher in ids.map { cipher.decrypted($0) } } ?? ids
            known.formUnion(
                try await reading(source, for: caller, failed: [], delivers: true) { database in
                    // Another node may have written the first notification.
                    if database.records.lastNotification == 0, !context.provider.isNode { return [String]() }
                    let read = try await database.records.markNotificationsRead(names, of: owner, by: stamp)
                    return cipher.map { cipher in read.map { cipher.encrypted($0) } } ?? read
                })
        }
        return ids.filter(known.contains)
    }

    /// Sets the badge number that the app's icon shows on a person's devices. Throws `badRequest` for a
    /// number below 0 or above `limits.badge`.
    package func setBadge(_ value: Int, by caller: Caller) async throws {
        let owner = try caller.requireUserRecordName()
        guard (0...context.limits.badge).contains(value) else {
            throw RecordError(
                .badRequest, "a badge is a number from 0 to \(context.limits.badge)", culprit: "badge",
                nextStep: "send a number in this range"
            )
        }
        try await context.directory.setBadge(value, of: owner, in: caller.container, caller.environment)
    }
}
