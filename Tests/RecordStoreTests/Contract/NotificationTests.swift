import RecordStore
import Records
import RecordsWire
import Testing

@testable import TestKit

@Suite("Contract: notifications")
struct NotificationTests {
    @Test(
        """
        A push carries the fields that its subscription asks for, with texts cut short and without \
        encrypted fields
        """,
        arguments: StoreKind.allCases)
    func content(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            var info = NotificationInfo()
            info.alert = .init(key: "NEW", arguments: ["name", "n", "gone", "secret"])
            info.additionalFields = ["name", "at", "secret", "list", "gone", "there"]
            (info.shouldBadge, info.category, info.collapseKey) = (true, "party", "one")
            try await world.subscribe(query("q", info: info), database("silent"))
            let long = String(repeating: "é", count: 150)
            let fields: Fields = [
                "name": text(long), "n": number(7), "at": time(9),
                "secret": Field(.string("s"), isEncrypted: true), "list": texts("a"), "there": place(1, 2),
            ]
            _ = try await world.store.createZone(
                named: "Z", by: Stamp(at: .init(milliseconds: 5), by: "_al"), atMost: 1)
            try await world.create("a", fields, by: "_alice", at: 77)
            let all = try await world.store.notifications(after: 0, limit: 10).map(\.notification)
            #expect(all.count == 2)
            var presentation = PushPresentation()
            presentation.isContentAvailable = true
            #expect(all[0].presentation == presentation)
            #expect(all[0].origin == Stamp(at: .init(milliseconds: 5), by: "_al"))
            let short = String(repeating: "é", count: 100)
            presentation = PushPresentation()
            presentation.alert = .init(key: "NEW", arguments: [short, "7", "", ""])
            (presentation.raisesBadge, presentation.category, presentation.collapseID) = (
                true, "party", "one"
            )
            #expect(all[1].presentation == presentation)
            #expect(all[1].presentation.isVisible)
            guard case .query(let record, .create, let told) = all[1].cause else { return }
            #expect(record.name == "a")
            #expect(told == ["name": text(short), "at": time(9), "there": place(1, 2)])
            #expect(all[1].origin == Stamp(at: .init(milliseconds: 77), by: "_alice"))
        }
    }

    @Test(
        "A text is cut where a character ends, and inside of one that alone is too long",
        arguments: [
            (String(repeating: "👨‍👩‍👧‍👦", count: 20), String(repeating: "👨‍👩‍👧‍👦", count: 9)),
            ("e" + String(repeating: "\u{301}", count: 500), "e" + String(repeating: "\u{301}", count: 99)),
            (String(repeating: "🎈", count: 51), String(repeating: "🎈", count: 50)),
        ])
    func cut(long: String, short: String) async throws {
        // The rule is the same for all stores.
        try await withWorld(StoreKind.allCases[0]) { world in
            var info = NotificationInfo()
            info.additionalFields = ["name"]
            try await world.subscribe(query("q", info: info))
            try await world.create("a", ["name": text(long)])
            let all = try await world.store.notifications(after: 0, limit: 10).map(\.notification)
            guard case .query(_, _, let told) = try #require(all.first).cause else { return }
            #expect(told == ["name": text(short)])
        }
    }

    @Test(
        "A text whose only character is as long as a record is cut quickly", arguments: StoreKind.allCases)
    func longCharacter(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let limits = Limits()
            var info = NotificationInfo()
            info.alert = NotificationInfo.Text("", key: "K", arguments: Array(repeating: "name", count: 900))
            var subscription = query("q", on: [.create])
            subscription.info = info
            try await world.subscribe(subscription)
            let accents = String(repeating: "\u{301}", count: 400_000)
            try await world.create("a", ["name": Field(.string("a" + accents))])
            try await world.create("b", ["name": Field(.string("ab" + accents))])
            let presentations = try await world.store.notifications(after: 0, limit: 9).map(
                \.notification.presentation)
            let first = try #require(presentations.first?.alert.arguments.first)
            #expect(first.utf16.count == limits.pushTextCharacters)
            // Text is cut between whole characters.
            #expect(presentations.last?.alert.arguments.first == "a")
        }
    }

    @Test(
        "A reference with a name that no record can have is left out of a push", arguments: StoreKind.allCases
    )
    func longReference(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            var info = NotificationInfo()
            info.additionalFields = ["short", "long", "far"]
            try await world.subscribe(query("q", info: info))
            let name = String(repeating: "x", count: 400_000)
            try await world.create(
                "a", ["short": link("b"), "long": link(name), "far": link("b", zone: name)])
            let all = try await world.store.notifications(after: 0, limit: 10).map(\.notification)
            guard case .query(_, _, let told) = try #require(all.first).cause else { return }
            #expect(told == ["short": link("b")])
        }
    }

    @Test(
        "The pushes of several subscriptions about one change share its identifier",
        arguments: StoreKind.allCases)
    func identifiers(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.subscribe(query("p", on: [.create]), query("q", on: [.create, .delete]))
            try await world.subscribe(query("q"), as: "_eve")
            try await world.commit([create("a"), create("b")])
            let ids = try await world.store.notifications(after: 0, limit: 10).map(\.notification.id)
            #expect(ids.count == 6)
            #expect(Set(ids[..<3]).count == 1)
            #expect(Set(ids[3...]).count == 1)
            #expect(ids[0] != ids[3])
        }
    }

    @Test(
        "A person's notification collection is read page by page, oldest notification first",
        arguments: StoreKind.allCases)
    func pages(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.subscribe(query("q"))
            try await world.subscribe(query("q"), as: "_eve")
            for name in ["a", "b", "c"] { try await world.create(name) }
            var page = try await world.store.notifications(of: "_bob", after: 0, limit: 2)
            #expect(page.notifications.map(\.notification.brief) == ["q create a", "q create b"])
            #expect(page.moreComing)
            try await world.create("d")
            page = try await world.store.notifications(of: "_bob", after: page.end, limit: 2)
            #expect(page.notifications.map(\.notification.brief) == ["q create c", "q create d"])
            #expect(!page.moreComing)
            page = try await world.store.notifications(of: "_bob", after: page.end, limit: 2)
            #expect(page.notifications == [])
            #expect(page.end == world.store.lastNotification)
        }
    }

    @Test(
        "A notification that is marked as read leaves the collection, which then lists that marking once",
        arguments: StoreKind.allCases)
    func reading(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.subscribe(query("q"))
            try await world.subscribe(query("q"), as: "_eve")
            try await world.commit([create("a"), create("b")])
            let all = try await world.store.notifications(of: "_bob", after: 0, limit: 9)
            let first = all.notifications[0].notification.id
            let stamp = Stamp(at: Timestamp(milliseconds: 50), by: "_bob", device: "phone")
            for _ in 1...2 {
                #expect(
                    try await world.store.markNotificationsRead([first, "none"], of: "_bob", by: stamp)
                        == [first])
            }
            let later = try await world.store.notifications(of: "_bob", after: all.end, limit: 9)
            #expect(later.notifications.map(\.notification.brief) == ["read"])
            #expect(later.notifications[0].notification.id == first)
            #expect(later.notifications[0].notification.origin == stamp)
            let fresh = try await world.store.notifications(of: "_bob", after: 0, limit: 9)
            #expect(fresh.notifications.map(\.notification.brief) == ["q create b", "read"])
            let others = try await world.store.notifications(of: "_eve", after: 0, limit: 9)
            #expect(others.notifications.count == 2)
        }
    }

    @Test(
        "Old notifications are forgotten, and a reader that has not seen them gets `changeTokenExpired`",
        arguments: StoreKind.allCases)
    func forgetting(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.subscribe(query("q"))
            for name in ["a", "b", "c"] { try await world.create(name) }
            try await world.store.forgetNotifications(before: Timestamp(milliseconds: 500))
            #expect(
                try await world.store.notifications(of: "_bob", after: 0, limit: 9).notifications.count == 3)
            try await world.store.forgetNotifications(before: Timestamp(milliseconds: 2001))
            let page = try await world.store.notifications(of: "_bob", after: 0, limit: 9)
            #expect(page.notifications.map(\.notification.brief) == ["q create c"])
            let error = await #expect(throws: RecordError.self) {
                _ = try await world.store.notifications(of: "_bob", after: 1, limit: 9)
            }
            #expect(error?.code == .changeTokenExpired)
            _ = try await world.store.notifications(of: "_bob", after: 2, limit: 9)
            // The numbers continue even if no notification is left.
            try await world.store.forgetNotifications(before: Timestamp(milliseconds: 99_000))
            try await world.create("d")
            #expect(world.store.lastNotification == 4)
        }
    }

    @Test(
        """
        A person's unread notifications are limited in number; one more makes the store forget the oldest \
        tenth
        """,
        arguments: StoreKind.allCases)
    func limited(kind: StoreKind) async throws {
        try await withFolder { folder in
            let limits = NotificationLimits(count: 20)
            let world = World(store: try kind.open(in: folder, notificationLimits: limits))
            try await world.subscribe(query("q", on: [.create]))
            for number in 1...10 { try await world.create("a\(number)") }
            try await world.subscribe(query("q", on: [.create]), as: "_eve")
            let stamp = Stamp(at: Timestamp(milliseconds: 0), by: "_bob")
            let second = try await world.store.notifications(of: "_bob", after: 1, limit: 1).notifications[0]
            _ = try await world.store.markNotificationsRead([second.notification.id], of: "_bob", by: stamp)
            for number in 11...20 { try await world.create("a\(number)") }
            func unread(of owner: String) async throws -> [String] {
                try await world.store.notifications(of: owner, after: 0, limit: 99).notifications.map(
                    \.notification.brief)
            }
            #expect(try await unread(of: "_bob").count == 20)
            try await world.create("b")
            let left = try await unread(of: "_bob")
            #expect(left.count == 18)
            #expect(left.first == "q create a5")
            #expect(left.last == "q create b")
            #expect(try await unread(of: "_eve").count == 11)
            // The notification that was read was removed with the others, so it is unknown now.
            #expect(
                try await world.store.markNotificationsRead([second.notification.id], of: "_bob", by: stamp)
                    == [])
            let error = await #expect(throws: RecordError.self) {
                _ = try await world.store.notifications(of: "_bob", after: 2, limit: 9)
            }
            #expect(error?.code == .changeTokenExpired)
            _ = try await world.store.notifications(of: "_eve", after: 2, limit: 9)
            for number in 1...2 { try await world.create("c\(number)") }
            #expect(try await unread(of: "_bob").count == 20)
            try await world.finish()
        }
    }

    @Test(
        "A person's unread notifications are limited in bytes; beyond the limit the oldest are forgotten",
        arguments: StoreKind.allCases)
    func limitedBytes(kind: StoreKind) async throws {
        var sizes: [Int] = []
        try await withWorld(kind) { world in
            try await world.subscribe(query("q", on: [.create]))
            for number in 10...30 { try await world.create("a\(number)") }
            sizes = try await world.store.notifications(after: 0, limit: 99).map(\.bytes)
        }
        let limits = NotificationLimits(bytes: sizes.prefix(20).reduce(0, +))
        let kept = limits.kept(of: sizes.reversed())
        #expect((17...18).contains(kept))
        try await withFolder { folder in
            let world = World(store: try kind.open(in: folder, notificationLimits: limits))
            try await world.subscribe(query("q", on: [.create]))
            for number in 10..<25 { try await world.create("a\(number)") }
            try await world.subscribe(query("q", on: [.create]), as: "_eve")
            for number in 25..<30 { try await world.create("a\(number)") }
            func unread(of owner: String) async throws -> [String] {
                try await world.store.notifications(of: owner, after: 0, limit: 99).notifications.map(
                    \.notification.brief)
            }
            #expect(try await unread(of: "_bob").count == 20)
            try await world.create("a30")
            #expect(try await unread(of: "_bob") == (31 - kept...30).map { "q create a\($0)" })
            #expect(try await unread(of: "_eve").count == 6)
            // A notification that alone exceeds the limit is kept, so that the device fetches the changes.
            var info = NotificationInfo()
            info.alert = .init(String(repeating: "x", count: limits.bytes))
            try await world.subscribe(query("big", on: [.delete], info: info))
            try await world.commit([delete("a10")])
            #expect(try await unread(of: "_bob") == ["big delete a10"])
            try await world.finish()
        }
    }

    @Test("A page of notifications ends when it reaches its limit of bytes", arguments: StoreKind.allCases)
    func pageBytes(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.subscribe(query("q"))
            for name in ["a", "b", "c", "d"] { try await world.create(name) }
            let size = try await world.store.notifications(after: 0, limit: 1)[0].bytes
            for (bytes, count) in [(1, 1), (size, 1), (size + 1, 2), (3 * size, 3), (4 * size, 4)] {
                let page = try await world.store.notifications(of: "_bob", after: 0, limit: 9, bytes: bytes)
                #expect(page.notifications.count == count, "\(bytes)")
                #expect(page.moreComing == (count < 4))
                #expect(page.end == (count < 4 ? Int64(count) : world.store.lastNotification))
                let all = try await world.store.notifications(after: 0, limit: 9, bytes: bytes)
                #expect(all == page.notifications)
            }
        }
    }

    @Test(
        "The values in the texts of a push are no larger together than a push", arguments: StoreKind.allCases)
    func values(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            var info = NotificationInfo()
            info.alert = .init(key: "NEW", arguments: Array(repeating: "n", count: 1000))
            info.title = .init(key: "NEW", arguments: ["n", "k"])
            try await world.subscribe(query("q", info: info))
            let long = String(repeating: "x", count: 100)
            try await world.create("a", ["n": text(long), "k": number(7)])
            let presentation = try await world.store.notifications(after: 0, limit: 1)[0].notification
                .presentation
            let room = Limits().pushBytes / 100
            #expect(Set(presentation.alert.arguments.prefix(room)) == [long])
            #expect(Set(presentation.alert.arguments.dropFirst(room)) == [""])
            #expect(presentation.title.arguments == ["", "7"])
        }
    }

    @Test(
        """
        The latest unread notification of a person can be looked up, to send it in place of undelivered \
        ones
        """,
        arguments: StoreKind.allCases)
    func latest(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            #expect(try await world.store.latestNotification(of: "_bob") == nil)
            try await world.subscribe(query("q"))
            try await world.subscribe(query("q"), as: "_eve")
            for name in ["a", "b"] { try await world.create(name) }
            let latest = try #require(try await world.store.latestNotification(of: "_bob"))
            #expect(latest.notification.brief == "q create b")
            #expect(latest.owner == "_bob")
            let stamp = Stamp(at: Timestamp(milliseconds: 50), by: "_bob")
            _ = try await world.store.markNotificationsRead([latest.notification.id], of: "_bob", by: stamp)
            #expect(try await world.store.latestNotification(of: "_bob")?.notification.brief == "read")
            #expect(try await world.store.latestNotification(of: "_eve")?.notification.brief == "q create b")
        }
    }

    @Test(
        "Removing a person removes the person's subscriptions and notifications, and nothing of others",
        arguments: StoreKind.allCases)
    func forgotten(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for owner in ["_bob", "_eve"] {
                try await world.subscribe(query("q"), query("o", on: [.create]), database("d"), as: owner)
            }
            try await world.create("a")
            try await world.store.forgetPushes(of: "_bob")
            #expect(try await world.store.subscriptions(of: "_bob") == [])
            #expect(try await world.store.latestNotification(of: "_bob") == nil)
            #expect(try await world.store.subscriptions(of: "_eve").count == 3)
            #expect(try await world.told() == ["_eve q create a", "_eve o create a"])
            let later = try await world.told(of: { try await world.create("b") })
            #expect(later.allSatisfy { $0.hasPrefix("_eve") })
        }
    }
}
