import RecordStore
import Records
import Testing

@testable import TestKit

@Suite("Contract: read notifications")
struct ReadNotificationTests {
    /// Lets a person get five notifications about each of 20 changes, and mark them as read. Returns the
    /// identifiers and the notifications that the store has then.
    private func mark(
        _ kind: StoreKind, _ limits: NotificationLimits
    ) async throws -> (ids: [String], kept: [NumberedNotification]) {
        try await withFolder { folder in
            let world = World(store: try kind.open(in: folder, notificationLimits: limits))
            for number in 0..<5 {
                let filter = field("n", .notEquals, RecordStoreTests.number(Int64(number)))
                try await world.subscribe(query("q\(number)", filter, on: [.create]))
            }
            let stamp = Stamp(at: Timestamp(milliseconds: 50), by: "_bob")
            var ids: [String] = []
            for number in 0..<20 {
                try await world.create("a\(number)", ["n": RecordStoreTests.number(100)])
                let latest = try #require(try await world.store.latestNotification(of: "_bob"))
                let id = latest.notification.id
                ids.append(id)
                let known = try await world.store.markNotificationsRead([id], of: "_bob", by: stamp)
                #expect(known == [id])
            }
            for (id, isKnown) in [(ids[0], false), (ids[19], true)] {
                let known = try await world.store.markNotificationsRead([id], of: "_bob", by: stamp)
                #expect(known == (isKnown ? [id] : []))
            }
            let kept = try await world.store.notifications(after: 0, limit: 999)
            try await world.finish()
            return (ids, kept)
        }
    }

    @Test(
        "A person's read notifications are limited as unread ones are; beyond it the oldest are forgotten",
        arguments: StoreKind.allCases)
    func limited(kind: StoreKind) async throws {
        let (ids, kept) = try await mark(kind, NotificationLimits(count: 20))
        let read = kept.filter { $0.notification.cause != .read }
        // Five more than 20 make the store keep 18. The notices of reading are unread.
        #expect(read.count <= 20)
        #expect(read.count >= 18)
        #expect(read.last?.notification.id == ids.last)
        #expect(kept.count <= 40)
        let bytes = try #require(read.map(\.bytes).max())
        let (_, short) = try await mark(kind, NotificationLimits(bytes: 20 * bytes))
        let sum = short.filter { $0.notification.cause != .read }.reduce(0) { $0 + $1.bytes }
        #expect(sum <= 20 * bytes)
        #expect(sum > 15 * bytes)
    }
}
