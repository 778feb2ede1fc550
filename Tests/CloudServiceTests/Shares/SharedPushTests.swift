import CloudletServer
import RecordStore
import Records
import RecordsWire
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Pushes about shared records", .timeLimit(.minutes(30)))
struct SharedPushTests {
    @Test("The owner's subscriptions fire when a participant writes", arguments: ["zone", "database"])
    func owner(_ kind: String) async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            var watched: [String: JSON] = ["subscriptionID": "watch", "subscriptionType": .string(kind)]
            if kind == "zone" { watched["zoneID"] = ["zoneName": "Notes"] }
            let made = try await world.subscribe("private", [.object(watched)], as: story.alice)
            #expect(made.items("subscriptions") == ["ok"])
            let phone = try await world.courier(of: story.alice, on: "phone")
            let change = operation("forceUpdate", "note", type: "Note", ["title": text("Sea")])
            #expect(try await story.save([change], as: story.bob).records == ["ok"])
            let push = try await world.send("GET", phone).json["ck"]
            #expect(push[kind == "zone" ? "fet" : "met"]["sid"] == "watch")
        }
    }

    private static let watch: JSON = ["subscriptionID": "watch", "subscriptionType": "database"]

    /// The notifications in a person's collection: database, subscription.
    private func told(_ person: Person, _ world: ServerWorld) async throws -> [String] {
        let reply = try await world.device("notifications/changes", as: person)
        return reply.json["notifications"].elements.map { push in
            "\(push["ck"]["met"]["dbs"] == 3 ? "3" : "other") \(push["ck"]["met"]["sid"].text ?? "none")"
        }
    }

    /// A note that Alice shares with Bob and Carol, both of whom have a database subscription: Bob's is older
    /// than his membership, Carol's younger.
    private func begin(_ world: ServerWorld) async throws -> SharingStory {
        let story = try await SharingStory.begin(world)
        let made = try await world.subscribe("shared", [Self.watch], as: story.bob)
        #expect(made.items("subscriptions") == ["ok"])
        let invitation = operation(
            "forceUpdate", "s", type: "cloudkit.share", [:],
            ["participants": .array([participant(story.bob), participant(story.carol)])])
        let invited = try await world.modify("private", [invitation], zone: "Notes", as: story.alice)
        #expect(invited.records == ["ok"])
        _ = try await story.link("accept", as: story.bob)
        _ = try await story.link("accept", as: story.carol)
        #expect(
            try await world.subscribe("shared", [Self.watch], as: story.carol).items("subscriptions") == [
                "ok"
            ])
        return story
    }

    private func participant(_ person: Person) -> JSON {
        [
            "permission": "READ_WRITE",
            "userIdentity": ["userRecordName": .string(person.recordName)],
        ]
    }

    private func edit(_ name: String) -> JSON {
        operation("forceUpdate", name, type: "Note", ["title": text("Sea")])
    }

    @Test("An invited person finds nothing and is told nothing before accepting the share (N40, N66)")
    func invited() async throws {
        try await withServer(.loopback) { world in
            let bob = try await world.signIn("bob")
            let made = try await world.subscribe("shared", [Self.watch], as: bob)
            #expect(made.items("subscriptions") == ["ok"])
            let story = try await SharingStory.begin(world)
            func zones() async throws -> [Int] {
                let list = try await world.get("shared/zones/list", as: bob)
                let feed = try await world.call("shared/changes/database", as: bob)
                return [list, feed].map { $0.json["zones"].elements.count }
            }
            #expect(try await zones() == [0, 0])
            #expect(try await story.look(["note"], as: bob) != ["ok"])
            #expect(try await told(bob, world) == [])
            #expect(try await story.link("accept", as: bob)["participantStatus"] == "ACCEPTED")
            #expect(try await zones() == [1, 1])
            #expect(try await story.look(["note"], as: bob) == ["ok"])
        }
    }

    @Test("A participant is pushed what the owner and other participants change, and nothing else")
    func participants() async throws {
        try await withServer(.loopback) { world in
            let story = try await begin(world)
            let tablet = try await world.courier(of: story.bob, on: "tablet")
            let bobs = try await told(story.bob, world).count
            let carols = try await told(story.carol, world).count
            let edited = try await world.modify("private", [edit("note")], zone: "Notes", as: story.alice)
            #expect(edited.records == ["ok"])
            let push = try await world.send("GET", tablet).json["ck"]
            #expect(push["met"] == ["sid": "watch", "dbs": 3])
            #expect(push["ckuserid"] == .string(story.bob.recordName))
            #expect(try await told(story.bob, world).count == bobs + 1)
            #expect(try await told(story.carol, world) == Array(repeating: "3 watch", count: carols + 1))
            #expect(try await story.save([edit("note")], as: story.bob).records == ["ok"])
            #expect(try await told(story.carol, world).count == carols + 2)
            let hidden = try await world.modify("private", [edit("secret")], zone: "Notes", as: story.alice)
            #expect(hidden.records == ["ok"])
            #expect(try await told(story.bob, world).count == bobs + 2)
            #expect(try await told(story.carol, world).count == carols + 2)
            #expect(try await told(story.alice, world) == [])
        }
    }

    @Test(
        "After leaving, removal, or the end of the share or subscription, no push is sent",
        arguments: ["leave", "remove", "stop", "unsubscribe"])
    func ended(_ way: String) async throws {
        try await withServer(.loopback) { world in
            let story = try await begin(world)
            switch way {
            case "leave":
                let leaving = operation("forceDelete", "s", type: "cloudkit.share")
                #expect(try await story.save([leaving], as: story.bob).records == ["ok"])
            case "remove":
                let removal = operation(
                    "forceUpdate", "s", type: "cloudkit.share", [:],
                    ["participants": .array([participant(story.carol)])])
                let saved = try await world.modify("private", [removal], zone: "Notes", as: story.alice)
                #expect(saved.records == ["ok"])
            case "stop":
                let end = operation("forceDelete", "s", type: "cloudkit.share")
                let saved = try await world.modify("private", [end], zone: "Notes", as: story.alice)
                #expect(saved.records == ["ok"])
            default:
                let end = try await world.unsubscribe("shared", ["watch"], as: story.bob)
                #expect(end.items("subscriptions") == ["ok"])
            }
            let before = try await told(story.bob, world)
            // The other devices of a person who loses access get a push about that.
            #expect(!before.isEmpty)
            let edited = try await world.modify("private", [edit("note")], zone: "Notes", as: story.alice)
            #expect(edited.records == ["ok"])
            #expect(try await told(story.bob, world) == before)
        }
    }

    @Test("A long poll that is open when its person is removed gets the push about that, and no later ones")
    func openPoll() async throws {
        try await withServer(.loopback) { world in
            let story = try await begin(world)
            let mine: JSON = ["subscriptionID": "mine", "subscriptionType": "database"]
            #expect(
                try await world.subscribe("private", [mine], as: story.bob).items("subscriptions") == ["ok"])
            let tablet = try await world.courier(of: story.bob, on: "tablet")
            async let ending = world.send("GET", tablet)
            let removal = operation(
                "forceUpdate", "s", type: "cloudkit.share", [:],
                ["participants": .array([participant(story.carol)])])
            let saved = try await world.modify("private", [removal], zone: "Notes", as: story.alice)
            #expect(saved.records == ["ok"])
            let last = try await ending
            #expect(last.json["ck"]["met"]["sid"] == "watch")
            async let further = world.send("GET", tablet)
            let edited = try await world.modify("private", [edit("note")], zone: "Notes", as: story.alice)
            #expect(edited.records == ["ok"])
            _ = try await world.call("private/zones/modify", ServerKit.zones(create: ["Own"]), as: story.bob)
            _ = try await world.modify("private", [create("x", type: "Note")], zone: "Own", as: story.bob)
            let next = try await further
            #expect(next.json["ck"]["met"]["sid"] == "mine")
        }
    }

    @Test("A person's subscriptions to the shared and to the private database are listed separately")
    func lists() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            for database in ["private", "shared"] {
                let made = try await world.subscribe(database, [Self.watch], as: story.bob)
                #expect(made.items("subscriptions") == ["ok"])
            }
            #expect(
                try await world.unsubscribe("private", ["watch"], as: story.bob).items("subscriptions") == [
                    "ok"
                ])
            let list = try await world.call("shared/subscriptions/list", [:], as: story.bob)
            #expect(list.json["subscriptions"].texts("subscriptionID") == ["watch"])
            let own = try await world.call("private/subscriptions/list", [:], as: story.bob)
            #expect(own.json["subscriptions"].elements.isEmpty)
        }
    }

    @Test("The shared database refuses subscriptions to queries and zones", arguments: ["query", "zone"])
    func refused(_ kind: String) async throws {
        try await withServer(.loopback) { world in
            let story = try await begin(world)
            var wish: [String: JSON] = ["subscriptionID": "w", "subscriptionType": .string(kind)]
            if kind == "zone" {
                wish["zoneID"] = story.zone
            } else {
                wish["query"] = ["recordType": "Note"]
                wish["firesOn"] = ["update"]
            }
            let reply = try await world.subscribe("shared", [.object(wish)], as: story.bob, details: true)
            let error = reply.json["subscriptions"][0]
            #expect(error["serverErrorCode"] == "BAD_REQUEST")
            #expect(
                error["reason"].text?.contains("the shared database has database subscriptions only") == true)
        }
    }

    @Test("The collection continues after a token, over the person's databases and those of owners")
    func collection() async throws {
        try await withServer(.loopback) { world in
            let story = try await begin(world)
            let mine: JSON = ["subscriptionID": "mine", "subscriptionType": "database"]
            #expect(
                try await world.subscribe("private", [mine], as: story.bob).items("subscriptions") == ["ok"])
            let start = try await world.device("notifications/changes", as: story.bob).json["syncToken"]
            _ = try await world.call("private/zones/modify", ServerKit.zones(create: ["Own"]), as: story.bob)
            _ = try await world.modify("private", [edit("note")], zone: "Notes", as: story.alice)
            _ = try await world.modify("private", [create("x", type: "Note")], zone: "Own", as: story.bob)
            var token = start
            var found: [String] = []
            for _ in 0..<4 {
                let page = try await world.device(
                    "notifications/changes", ["syncToken": token, "resultsLimit": 1], as: story.bob)
                token = page.json["syncToken"]
                found += page.json["notifications"].elements.compactMap { $0["ck"]["met"]["sid"].text }
            }
            #expect(found.sorted() == ["mine", "mine", "watch"])
            // The token hides the numbers of Alice's database, and is valid for Bob only.
            let others = try await world.device(
                "notifications/changes", ["syncToken": token], as: story.carol)
            #expect(others.status == 400)
            let last = try await world.device("notifications/changes", as: story.bob)
            let shared = last.json["notifications"].elements.first { $0["ck"]["met"]["dbs"] == 3 }
            let id = try #require(shared)
            let read = try await world.device(
                "notifications/read", ["notificationIDs": [id["ck"]["nid"]]], as: story.bob)
            #expect(read.status == 200)
            let rest = try await world.device("notifications/changes", as: story.bob)
            let ids = rest.json["notifications"].elements.filter { $0["ck"]["met"]["dbs"] == 3 }
            #expect(!ids.contains { $0["ck"]["nid"] == id["ck"]["nid"] })
        }
    }

    @Test("A burst of edits leaves an absent device the latest push only")
    func burst() async throws {
        try await withServer(.loopback, { $0.idle = { _ in } }) { world in
            let story = try await begin(world)
            let tablet = try await world.courier(of: story.bob, on: "tablet")
            for _ in 0..<3 {
                let edited = try await world.modify("private", [edit("note")], zone: "Notes", as: story.alice)
                #expect(edited.records == ["ok"])
            }
            #expect(try await world.send("GET", tablet).json["ck"]["met"]["sid"] == "watch")
            #expect(try await world.send("GET", tablet).bytes == [])
            let trace = try await world.trace()
            let outcomes = trace.filter { $0.hasPrefix("watch tablet") }
            #expect(
                outcomes == [
                    "watch tablet queued: the device is absent",
                    "watch tablet queued: the device is absent",
                    "watch tablet coalesced: a newer push has replaced it",
                    "watch tablet queued: the device is absent",
                    "watch tablet coalesced: a newer push has replaced it",
                    "watch tablet sent",
                ])
        }
    }

    @Test("A participant's edit is pushed to the participant's other devices, not to the one that made it")
    func maker() async throws {
        try await withServer(.loopback) { world in
            let story = try await begin(world)
            for device in ["phone", "tablet"] { _ = try await world.courier(of: story.bob, on: device) }
            let body: JSON = ["operations": [edit("note")], "zoneID": story.zone]
            let saved = try await world.call(
                "shared/records/modify", body, as: story.bob, parameters: "clientId=phone",
                headers: ["X-Cloudlet-Details": "1"])
            #expect(saved.records == ["ok"])
            let trace = try await world.trace()
            #expect(trace.contains { $0.hasPrefix("watch tablet queued") })
            #expect(!trace.contains { $0.hasPrefix("watch phone") })
        }
    }

    @Test("Deleting a person removes subscriptions and notifications from the databases of owners")
    func deletedPerson() async throws {
        try await withServer(.loopback) { world in
            let story = try await begin(world)
            let key = DatabaseKey(
                container: "iCloud.test", environment: .development, owner: story.alice.recordName)
            let bob = story.bob.recordName
            func left() async throws -> [Int] {
                try await world.service.databases.using(key) { database in
                    let all = try await database.records.notifications(
                        after: 0, limit: 100, bytes: Int.max)
                    let subscriptions = try await database.records.subscriptions(of: bob, in: .shared)
                    return [subscriptions.count, all.filter { $0.owner == bob }.count]
                }
            }
            let before = try await left()
            #expect(before[0] == 1 && before[1] > 0)
            try await world.service.people.delete(named: "bob")
            #expect(try await left() == [0, 0])
            let edited = try await world.modify("private", [edit("note")], zone: "Notes", as: story.alice)
            #expect(edited.records == ["ok"])
            #expect(try await left() == [0, 0])
        }
    }
}
