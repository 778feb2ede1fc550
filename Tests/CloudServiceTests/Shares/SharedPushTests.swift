// Owns the proof of which pushes the edits of a participant cause.

import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Pushes about shared records", .timeLimit(.minutes(1)))
struct SharedPushTests {
    @Test("The owner's subscriptions fire when a participant writes", arguments: ["zone", "database"])
    func owner(_ kind: String) async throws {
        try await played(.loopback) { world in
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
}
