import CloudletServer
import CloudletTesting
import Foundation
import Records
import RecordsWire
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Pushes and a restart", .timeLimit(.minutes(30)))
struct RestartTests {
    /// A server with this data folder, some minutes after the start of the test's time.
    private static func serving(
        _ folder: URL, minutes: Double, _ scenario: (ServerWorld) async throws -> Void
    ) async throws {
        let now = WorldClock.beginning.addingTimeInterval(minutes * 60)
        try await withServer(
            .loopback,
            { configuration in
                configuration.storage = .folder(folder)
                configuration.clock = { now }
                configuration.idle = { _ in }
            }, scenario)
    }

    @Test("After a restart, a device gets the latest push again, silently, and then fetches the collection")
    func restarted() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        var couriers: [String] = []
        try await Self.serving(folder, minutes: 0) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            try await world.modify("public", [create("p")], as: alice)
            let info: JSON = ["alertBody": "New", "shouldBadge": true]
            try await world.subscribe(
                "public", [subscription("all").with(["notificationInfo": info])], as: bob)
            for name in ["phone", "pad"] { couriers.append(try await world.courier(of: bob, on: name)) }
            for name in ["a", "b"] {
                try await world.modify("public", [create(name)], as: alice)
            }
        }
        try await Self.serving(folder, minutes: 1) { world in
            let cue = try await world.send("GET", couriers[0])
            #expect(cue.json["aps"] == ["content-available": 1])
            #expect(cue.json["ck"]["qry"]["rid"] == "b")
            #expect(try await world.send("GET", couriers[0]).bytes == [])
            #expect(
                try await world.trace().first
                    == "all phone queued: "
                    + "pushes may have been lost, so the device must fetch its notifications"
            )
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            let all = try await world.device("notifications/changes", as: bob)
            #expect(all.json["notifications"].elements.map { $0["ck"]["qry"]["rid"] } == ["a", "b"])
            // A push since the restart has the same effect, and a new device has missed nothing.
            try await world.modify("public", [create("c")], as: alice)
            #expect(try await world.polled(couriers[1]) == "c")
            #expect(try await world.send("GET", couriers[1]).bytes == [])
            let fresh = try await world.courier(of: bob, on: "mac")
            #expect(try await world.send("GET", fresh).bytes == [])
        }
    }

    @Test("Notifications of another node from before a database was opened are posted after later ones")
    func skipped() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        try await Self.serving(folder, minutes: 0) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            try await world.modify("public", [create("p")], as: alice)
            try await world.subscribe("public", [subscription("all")], as: bob)
            _ = try await world.courier(of: bob, on: "phone")
            for name in ["a", "b"] {
                try await world.modify("public", [create(name)], as: alice)
            }
        }
        try await Self.serving(folder, minutes: 1) { world in
            let alice = try await world.signIn("alice")
            try await world.modify("public", [create("c")], as: alice)
            let before = try await world.trace().count { $0.hasPrefix("all matched") }
            #expect(before == 1)
            // Another node tells late of what it wrote before this one opened the database.
            let key = DatabaseKey(container: "iCloud.test", environment: .development, owner: nil)
            await world.service.devices.deliver((after: 0, upTo: 1), writtenIn: key)
            let after = try await world.trace().count { $0.hasPrefix("all matched") }
            #expect(after == 3)
        }
    }
}
