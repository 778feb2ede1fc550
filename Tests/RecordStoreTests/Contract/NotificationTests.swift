// Owns the contract of pushes and of the notification collection.

import RecordStore
import Records
import RecordsWire
import Testing

@Suite("Contract: notifications")
struct NotificationTests {
    @Test(
        "A push carries what its subscription asks for, short texts and nothing secret",
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
            _ = try await world.store.createZone(named: "Z", by: Stamp(at: .init(milliseconds: 5), by: "_al"))
            try await world.create("a", fields, by: "_alice", at: 77)
            let all = try await world.store.notifications(after: 0, limit: 10).map(\.notification)
            #expect(all.count == 2)
            var look = PushLook()
            look.isContentAvailable = true
            #expect(all[0].look == look)
            #expect(all[0].origin == Stamp(at: .init(milliseconds: 5), by: "_al"))
            let short = String(repeating: "é", count: 100)
            look = PushLook()
            look.alert = .init(key: "NEW", arguments: [short, "7", "", ""])
            (look.raisesBadge, look.category, look.collapseID) = (true, "party", "one")
            #expect(all[1].look == look)
            #expect(all[1].look.isVisible)
            guard case .query(let record, .create, let told) = all[1].cause else { return }
            #expect(record.name == "a")
            #expect(told == ["name": text(short), "at": time(9), "there": place(1, 2)])
            #expect(all[1].origin == Stamp(at: .init(milliseconds: 77), by: "_alice"))
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
        "The notification collection of a person is read in the order of its making, page by page",
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
        "A notification that is read goes from the collection, which then tells of that once",
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
        "Old notifications are forgotten, and whoever has not seen them is told so",
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
            // The numbers go on, even when nothing is left.
            try await world.store.forgetNotifications(before: Timestamp(milliseconds: 99_000))
            try await world.create("d")
            #expect(world.store.lastNotification == 4)
        }
    }
}
