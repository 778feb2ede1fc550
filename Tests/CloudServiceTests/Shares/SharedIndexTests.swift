import CloudletServer
import CloudletTesting
import Directory
import Foundation
import Records
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("The index of shared zones", .timeLimit(.minutes(30)))
struct SharedIndexTests {
    private func changes(
        _ person: Person, _ world: ServerWorld, since token: JSON = .null
    ) async throws -> Reply {
        let body: JSON = token == .null ? [:] : ["syncToken": token]
        return try await world.call("shared/changes/database", body, as: person)
    }

    /// The zones of an answer: `-` for a deleted one, `!` for a failing one.
    private func zones(_ reply: Reply) -> [String] {
        reply.json["zones"].elements.map { zone in
            let sign = zone["deleted"] == true ? "-" : zone["serverErrorCode"] == .null ? "" : "!"
            return sign + (zone["zoneID"]["zoneName"].text ?? "?")
        }
    }

    @Test(
        "Older tokens report the end of a share; when the index has forgotten it, they are expired")
    func ends() async throws {
        try await withServer(.loopback, { $0.limits.deletionSeconds = 60 }) { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            let first = try await changes(story.bob, world)
            #expect(zones(first) == ["Notes"])
            let token = first.json["syncToken"]
            #expect(try await story.save([forceDelete("s")], as: story.bob).status == 200)
            for _ in 0..<2 {
                #expect(zones(try await changes(story.bob, world, since: token)) == ["-Notes"])
            }
            world.clock.advance(bySeconds: 61)
            let late = try await changes(story.bob, world, since: token)
            #expect(late.failure.contains("client knowledge differs from server knowledge"))
            let fresh = try await changes(story.bob, world)
            #expect(zones(fresh) == [])
            let place = SharedPlace(story.bob)
            #expect(try await place.index(world) == [])
        }
    }

    @Test("A person who accepts again after leaving has the zone again, at the same position of the index")
    func again() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            let token = try await changes(story.bob, world).json["syncToken"]
            _ = try await story.save([forceDelete("s")], as: story.bob)
            let left = try await changes(story.bob, world, since: token)
            #expect(zones(left) == ["-Notes"])
            let invitation = operation(
                "forceUpdate", "s", type: "cloudkit.share", [:],
                [
                    "participants": [
                        [
                            "permission": "READ_WRITE",
                            "userIdentity": ["userRecordName": .string(story.bob.recordName)],
                        ]
                    ]
                ])
            try await world.modify("private", [invitation], zone: "Notes", as: story.alice)
            _ = try await story.link("accept", as: story.bob)
            #expect(zones(try await changes(story.bob, world, since: left.json["syncToken"])) == ["Notes"])
            #expect(zones(try await changes(story.bob, world, since: token)) == ["Notes"])
            #expect(try await SharedPlace(story.bob).index(world) == ["Notes"])
        }
    }

    /// The file of a person's private database.
    private func file(of person: String, in folder: URL) throws -> URL {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let path = paths.first {
            $0.contains("private/") && $0.contains(person.dropFirst()) && $0.hasSuffix(".sqlite")
        }
        return folder.appendingPathComponent(try #require(path))
    }

    @Test("A person's own damaged database does not hide what others share")
    func ownDamage() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        func serving(_ scenario: (ServerWorld) async throws -> Void) async throws {
            try await withServer(.loopback, { $0.storage = .folder(folder) }, scenario)
        }
        var person = ""
        try await serving { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            let watch: JSON = ["subscriptionID": "watch", "subscriptionType": "database"]
            let made = try await world.subscribe("shared", [watch], as: story.bob)
            #expect(made.items("subscriptions") == ["ok"])
            person = story.bob.recordName
        }
        try Data("damaged, and no database".utf8).write(to: try file(of: person, in: folder))
        try await serving { world in
            let bob = try await world.signIn("bob")
            #expect(zones(try await world.call("shared/zones/list", as: bob)) == ["Notes"])
            #expect(zones(try await changes(bob, world)) == ["Notes"])
            // A call whose data only the damaged database has fails, instead of returning an empty list.
            #expect(try await world.call("shared/subscriptions/list", as: bob).status == 500)
            #expect(try await world.call("private/zones/list", as: bob).status == 500)
        }
    }

    @Test("A damaged database of one owner affects its own zones only")
    func damaged() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        func serving(_ scenario: (ServerWorld) async throws -> Void) async throws {
            try await withServer(.loopback, { $0.storage = .folder(folder) }, scenario)
        }
        var (guid, owner) = ("", "")
        var token = JSON.null
        try await serving { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            try await world.call(
                "private/zones/modify", ServerKit.zones(create: ["Letters"]), as: story.carol)
            let share = operation(
                "create", "c", type: "cloudkit.share", [:],
                ["forRecord": ["recordName": "letter"], "publicPermission": "READ_ONLY"])
            let saved = try await world.modify(
                "private", [create("letter", type: "Note"), share], zone: "Letters", as: story.carol)
            guid = try #require(saved.json["records"][1]["shortGUID"].text)
            _ = try await story.link("accept", as: story.bob, guid)
            let all = try await changes(story.bob, world)
            #expect(zones(all) == ["Notes", "Letters"])
            token = all.json["syncToken"]
            try await world.modify("private", [create("more")], zone: "Notes", as: story.alice)
            owner = story.alice.recordName
        }
        let file = try file(of: owner, in: folder)
        let whole = try Data(contentsOf: file)
        try Data("damaged, and no database".utf8).write(to: file)
        try await serving { world in
            let bob = try await world.signIn("bob")
            let list = try await world.call("shared/zones/list", as: bob)
            #expect(zones(list) == ["Letters", "!Notes"])
            #expect(list.json["zones"][1]["zoneID"]["ownerRecordName"] == .string(owner))
            #expect(zones(try await changes(bob, world)) == ["Letters", "!Notes"])
            #expect(zones(try await changes(bob, world, since: token)) == ["!Notes"])
            // Telemetry and alerts see that a zone has failed.
            for operation in ["zones/list", "changes/database"] {
                var filter = RequestFilter()
                filter.operation = operation
                let seen = world.service.history.page(filter).requests
                #expect(!seen.isEmpty && seen.allSatisfy { $0.errors == [.internalError] }, "\(operation)")
            }
            let watch: JSON = ["subscriptionID": "watch", "subscriptionType": "database"]
            let made = try await world.subscribe("shared", [watch], as: bob)
            #expect(made.items("subscriptions") == ["ok"])
            let told = try await world.device("notifications/changes", as: bob)
            #expect(told.status == 200)
            let again: JSON = ["shortGUIDs": [["value": .string(guid)]]]
            let accepted = try await world.call("public/records/accept", again, as: bob)
            #expect(accepted.json["results"][0]["participantStatus"] == "ACCEPTED")
            let carol = try await world.signIn("carol")
            try await world.modify(
                "private", [operation("forceUpdate", "letter", type: "Note")], zone: "Letters", as: carol)
            let pushed = try await world.device("notifications/changes", as: bob)
            #expect(pushed.json["notifications"].elements.count == 1)
        }
        try whole.write(to: file)
        try await serving { world in
            let bob = try await world.signIn("bob")
            #expect(zones(try await world.call("shared/zones/list", as: bob)) == ["Notes", "Letters"])
            let subscribed = try await world.call("shared/subscriptions/list", as: bob)
            #expect(subscribed.json["subscriptions"].elements.count == 1)
            // The subscription is from the time when Alice's database was damaged. The list of zones has
            // corrected its copy there.
            let seen = try await world.device("notifications/changes", as: bob)
            let alice = try await world.signIn("alice")
            try await world.modify(
                "private", [operation("forceUpdate", "note", type: "Note")], zone: "Notes", as: alice)
            let told = try await world.device(
                "notifications/changes", ["syncToken": seen.json["syncToken"]], as: bob)
            #expect(told.json["notifications"].elements.count == 1)
        }
    }
}

/// The entries of a person in the directory's index.
private struct SharedPlace {
    let person: Person

    init(_ person: Person) { self.person = person }

    func index(_ world: ServerWorld) async throws -> [String] {
        try await world.service.shares.context.directory.sharedZones(
            of: person.recordName, in: "iCloud.test", .development
        ).map(\.zone)
    }
}
