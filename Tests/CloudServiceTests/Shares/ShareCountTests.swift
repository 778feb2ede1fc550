import CloudletServer
import CloudletTesting
import Records
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("The number of accepted shares", .timeLimit(.minutes(30)))
struct ShareCountTests {
    /// Carol shares a note of her own zone with everybody who has the URL. Returns the short GUID.
    private func shareOfCarol(_ name: String, _ story: SharingStory) async throws -> String {
        let share = operation(
            "create", "share of \(name)", type: "cloudkit.share", ["cloudkit.title": text(name)],
            ["forRecord": ["recordName": .string(name)], "publicPermission": "READ_ONLY"])
        let saved = try await story.world.modify(
            "private", [create(name, type: "Note"), share], zone: "Letters", as: story.carol)
        return try #require(saved.json["records"][1]["shortGUID"].text)
    }

    @Test("The number of a person's accepted shares, of all owners and zones together, is limited")
    func limited() async throws {
        #expect(Limits().sharesPerPerson == 1000)
        try await withServer(.loopback, { $0.limits.sharesPerPerson = 3 }) { world in
            let story = try await SharingStory.begin(world)
            try await world.call("private/zones/modify", zones(create: ["Letters"]), as: story.carol)
            let first = try await shareOfCarol("first", story)
            let second = try await shareOfCarol("second", story)
            let third = try await shareOfCarol("third", story)
            func accept(_ guid: String) async throws -> JSON {
                try await story.link("accept", as: story.bob, guid)
            }
            for guid in [story.guid, first, second] {
                #expect(try await accept(guid)["participantStatus"] == "ACCEPTED")
            }
            let refused = try await accept(third)
            #expect(refused["serverErrorCode"] == "BAD_REQUEST")
            #expect(refused["reason"] == "a person takes part in at most 3 shares of others")
            // A share that is accepted already does not count again.
            #expect(try await accept(first)["participantStatus"] == "ACCEPTED")
            _ = try await story.save([forceDelete("s")], as: story.bob)
            #expect(try await accept(third)["participantStatus"] == "ACCEPTED")
        }
    }

    @Test("The shares of a person are counted once, and again a minute after the count reached the limit")
    func counted() {
        var limits = Limits()
        limits.sharesPerPerson = 3
        let counts = ShareCounts(limits)
        func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1000) }
        let person = DatabaseKey(container: "iCloud.test", environment: .development, owner: "_bob")
        #expect(counts.admit(person, at: time(0)) == .unknown)
        counts.note(2, of: person, at: time(0))
        #expect(counts.admit(person, at: time(0)) == .admitted)
        #expect(counts.admit(person, at: time(59)) == .refused)
        #expect(counts.admit(person, at: time(60)) == .unknown)
        counts.note(2, of: person, at: time(60))
        #expect(counts.admit(person, at: time(60)) == .admitted)
        #expect(counts.admit(person, at: time(60)) == .refused)
        counts.forget(person)
        #expect(counts.admit(person, at: time(60)) == .unknown)
    }

    @Test("An acceptance that is refused does not count")
    func refused() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            let carol = DatabaseKey(
                container: "iCloud.test", environment: .development, owner: story.carol.recordName)
            let (counts, now) = (world.service.databases.shareCounts, world.service.runtime.now())
            counts.note(999, of: carol, at: now)
            for _ in 1...2 {
                let entry = try await story.link("accept", as: story.carol)
                #expect(entry["serverErrorCode"] == "ACCESS_DENIED")
            }
            #expect(counts.admit(carol, at: now) == .admitted)
        }
    }

    @Test("An acceptance uses the stored count, and counts again a minute later")
    func used() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            let bob = DatabaseKey(
                container: "iCloud.test", environment: .development, owner: story.bob.recordName)
            let counts = world.service.databases.shareCounts
            counts.note(1000, of: bob, at: world.service.runtime.now())
            #expect(try await story.link("accept", as: story.bob)["serverErrorCode"] == "BAD_REQUEST")
            world.clock.advance(bySeconds: 60)
            #expect(try await story.link("accept", as: story.bob)["participantStatus"] == "ACCEPTED")
            #expect(counts.admit(bob, at: world.service.runtime.now()) == .admitted)
        }
    }
}
