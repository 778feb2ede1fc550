import Directory
import RecordStore
package import Records

/// A page of a person's notifications, oldest first.
package struct NotificationCollection: Sendable {
    package var messages: [PushMessage]
    package var token: ChangeToken
    package var moreComing: Bool
}

extension PushService {
    /// The notifications of a person in a container since a token, from the public and the private database,
    /// in the order of the changes.
    ///
    /// Throws `changeTokenExpired` when notifications after the token were already removed.
    package func notifications(
        since token: ChangeToken?, limit: Int?, by caller: Caller
    ) async throws -> NotificationCollection {
        let owner = try caller.requireUserRecordName()
        var position =
            try token.map { token throws(RecordError) in try CollectionPosition(token, under: seal) }
            ?? CollectionPosition()
        let limit = min(max(limit ?? context.limits.recordsPerResponse, 1), context.limits.recordsPerResponse)
        var pages: [DatabaseKind: NotificationsPage] = [:]
        for kind in CollectionPosition.kinds {
            let start = position[kind]
            pages[kind] = try await databases.reading(kind, for: caller) { database in
                try await database.records.notifications(
                    of: owner, after: start, limit: limit, bytes: context.limits.notificationPageBytes)
            }
        }
        let (chosen, moreComing) = position.merge(
            pages, limit: limit, bytes: context.limits.notificationPageBytes)
        let messages = chosen.map { kind, entry in
            PushMessage(
                container: caller.container, environment: caller.environment, user: owner, database: kind,
                notification: entry.notification
            )
        }
        return NotificationCollection(
            messages: messages, token: position.token(under: seal), moreComing: moreComing)
    }

    /// Marks notifications as read, and notifies the person's other devices. Returns the IDs that exist.
    package func markNotificationsRead(_ ids: [String], by caller: Caller) async throws -> [String] {
        let owner = try caller.requireUserRecordName()
        try RecordError.check(
            ids.count, atMost: context.limits.recordsPerResponse, "notificationIDs",
            next: "mark them in several requests")
        var known: Set<String> = []
        for kind in CollectionPosition.kinds {
            let stamp = context.stamp(of: caller)
            known.formUnion(
                try await databases.reading(kind, for: caller) { database in
                    if database.records.lastNotification == 0 { return [String]() }
                    return try await database.records.markNotificationsRead(ids, of: owner, by: stamp)
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

/// A position in a person's notification collection: the number of the last notification read in each
/// database. Clients keep it as a token.
struct CollectionPosition: Hashable, Sendable {
    private var numbers: [DatabaseKind: Int64] = [:]

    static let kinds: [DatabaseKind] = [.public, .private]

    init() {}

    /// Takes the first entries of the pages of both databases, in the order of the changes, and moves the
    /// position behind them. Also returns whether there are more.
    mutating func merge(
        _ pages: [DatabaseKind: NotificationsPage], limit: Int, bytes: Int
    ) -> (chosen: [(DatabaseKind, NumberedNotification)], moreComing: Bool) {
        let all = Self.kinds.flatMap { kind in (pages[kind]?.notifications ?? []).map { (kind, $0) } }
        let ordered = all.sorted { $0.1.notification.origin.at < $1.1.notification.origin.at }
        let chosen = ordered.prefix(PageGauge.cut(ordered.map(\.1), limit: limit, bytes: bytes))
        var moreComing = ordered.count > chosen.count
        for kind in Self.kinds {
            guard let page = pages[kind] else { continue }
            let taken = chosen.filter { $0.0 == kind }
            if taken.count == page.notifications.count {
                self[kind] = page.end
                moreComing = moreComing || page.moreComing
            } else if let last = taken.last {
                self[kind] = last.1.number
            }
        }
        return (Array(chosen), moreComing)
    }

    subscript(kind: DatabaseKind) -> Int64 {
        get { numbers[kind] ?? 0 }
        set { numbers[kind] = newValue }
    }

    /// A sealed token: the mark, format version 1, and the numbers in the public and in the private database.
    func token(under seal: TokenSeal) -> ChangeToken {
        var bytes: [UInt8] = [Self.mark, 1]
        for kind in Self.kinds {
            withUnsafeBytes(of: self[kind].bigEndian) { bytes.append(contentsOf: $0) }
        }
        return ChangeToken(bytes: seal.sealed(bytes, .notifications))
    }

    /// Reads a token. Throws `badRequest` for a token of another kind, and `changeTokenExpired` for one of
    /// the right form without our seal, such as those of earlier versions.
    init(_ token: ChangeToken, under seal: TokenSeal) throws(RecordError) {
        guard let bytes = try seal.opened(token, .notifications) else {
            let inner = token.bytes.count == 18 ? token.bytes : token.bytes.dropLast(TokenSeal.codeLength)
            if Self.hasForm(inner) { throw NotificationsPage.expired }
            throw Self.unknown
        }
        guard Self.hasForm(bytes) else { throw Self.unknown }
        for (index, kind) in Self.kinds.enumerated() {
            let part = bytes[(2 + index * 8)..<(10 + index * 8)]
            self[kind] = Int64(bitPattern: part.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
    }

    private static func hasForm(_ bytes: [UInt8]) -> Bool {
        bytes.count == 18 && bytes[0] == mark && bytes[1] == 1
    }

    private static let unknown = RecordError(
        .badRequest, "Unknown sync continuation type", culprit: "syncToken",
        nextStep: "send the token of the last answer unchanged, or none to start again"
    )

    private static let mark: UInt8 = 0x4e
}
