// Owns the proof that the type of share records is deployed as every other type.

import Testing

@testable import ServerKit
@testable import TestKit

@Suite("The type of share records in the schema", .timeLimit(.minutes(1)))
struct ShareSchemaTests {
    @Test("N84: production refuses shares until the schema with a share of development is deployed")
    func production() async throws {
        try await played(.loopback) { world in
            let story = try await SharingStory.begin(world)
            let share = operation(
                "create", "s", type: "cloudkit.share", ["cloudkit.title": text("Alps")],
                ["forRecord": ["recordName": "note"]])
            let body = batch([create("note", type: "Note", ["title": text("Alps")]), share], zone: "Notes")
            func inProduction(_ call: String, _ body: JSON) async throws -> Reply {
                try await world.call("private/\(call)", body, as: story.alice, environment: "production")
            }
            #expect(try await inProduction("zones/modify", zones(create: ["Notes"])).status == 200)
            let refused = try await inProduction("records/modify", body).records
            #expect(
                refused.last == "BAD_REQUEST: Cannot create new type cloudkit.share in production schema")
            #expect(try await world.schema("deploy").status == 200)
            #expect(try await inProduction("records/modify", body).records == ["ok", "ok"])
        }
    }
}
