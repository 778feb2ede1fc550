import Testing

@testable import ServerKit
@testable import TestKit

@Suite("The type of share records in the schema", .timeLimit(.minutes(30)))
struct ShareSchemaTests {
    @Test("Production refuses shares until the schema with a share of development is deployed (N84)")
    func production() async throws {
        try await withServer(.loopback) { world in
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

    @Test("Production takes the key of a zone in a share without a deployment, and no other new field")
    func zoneKey() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            #expect(try await world.schema("deploy").status == 200)
            let deployed = try await world.exported("production")
            func inProduction(_ call: String, _ body: JSON) async throws -> Reply {
                try await world.call("private/\(call)", body, as: story.alice, environment: "production")
            }
            func share(_ kind: String, _ fields: JSON) -> JSON {
                operation(kind, "s", type: "cloudkit.share", fields, ["forRecord": ["recordName": "note"]])
            }
            let key: JSON = ["cloudlet.zoneKey": ["value": "AQID", "type": "BYTES"]]
            #expect(try await inProduction("zones/modify", zones(create: ["Notes"])).status == 200)
            let body = batch([create("note", type: "Note"), share("create", key)], zone: "Notes")
            let saved = try await inProduction("records/modify", body)
            #expect(saved.records == ["ok", "ok"])
            #expect(saved.json["records"][1]["fields"]["cloudlet.zoneKey"]["value"] == "AQID")
            let wrong: [JSON] = [["cloudlet.zoneKey": text("AQID")], ["cloudlet.other": text("x")]]
            for fields in wrong {
                let change = batch([share("forceUpdate", fields)], zone: "Notes")
                let refused = try await inProduction("records/modify", change).records
                #expect(refused[0].hasPrefix("BAD_REQUEST: Cannot create or modify field 'cloudlet."))
            }
            #expect(try await world.exported("production") == deployed)
        }
    }

    @Test("Only the owner changes the key of a zone in a share; a save of an administrator keeps it")
    func keyOwner() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            func share(_ kind: String, _ fields: JSON, _ more: [String: JSON] = [:]) -> JSON {
                operation(kind, "s", type: "cloudkit.share", fields, more)
            }
            func key(_ base64: String) -> JSON {
                ["cloudlet.zoneKey": ["value": .string(base64), "type": "BYTES"]]
            }
            func storedKey() async throws -> JSON {
                let found = try await world.lookup("private", "s", zone: "Notes", as: story.alice)
                return found.json["records"][0]["fields"]["cloudlet.zoneKey"]["value"]
            }
            let administrator: JSON = [
                "type": "ADMINISTRATOR", "permission": "READ_ONLY",
                "userIdentity": ["userRecordName": .string(story.bob.recordName)],
            ]
            let begun = share("forceUpdate", [:], ["participants": [administrator]])
            let made = try await world.modify("private", [begun], zone: "Notes", as: story.alice)
            #expect(made.records == ["ok"])
            _ = try await story.link("accept", as: story.bob)
            let refusal = "ACCESS_DENIED: only the owner may change the key of the zone in a share"
            let first = try await story.save([share("forceUpdate", key("AQID"))], as: story.bob)
            #expect(first.records == [refusal])
            let set = try await world.modify(
                "private", [share("forceUpdate", key("AQID"))], zone: "Notes", as: story.alice)
            #expect(set.records == ["ok"])
            let removed: JSON = ["cloudlet.zoneKey": ["value": nil]]
            for kind in ["forceUpdate", "forceReplace"] {
                for fields in [key("AQIE"), removed] {
                    let refused = try await story.save([share(kind, fields)], as: story.bob)
                    #expect(refused.records == [refusal], "\(kind)")
                }
                for fields: JSON in [["cloudkit.title": text("Sea")], key("AQID")] {
                    let saved = try await story.save([share(kind, fields)], as: story.bob)
                    #expect(saved.records == ["ok"], "\(kind)")
                    let kept = try await storedKey()
                    #expect(kept == "AQID", "\(kind)")
                }
            }
            let changed = try await world.modify(
                "private", [share("forceUpdate", key("AQIE"))], zone: "Notes", as: story.alice)
            #expect(changed.records == ["ok"])
            let last = try await storedKey()
            #expect(last == "AQIE")
        }
    }

    /// A note with a field that the schema does not have, below a parent.
    private func below(_ parent: String, _ name: String, _ field: String = "fresh") -> JSON {
        operation(
            "create", name, type: "Note", .object([field: number(1)]),
            ["parent": ["recordName": .string(parent)]])
    }

    @Test(
        "A save that a share does not permit adds nothing to the schema",
        arguments: ["READ_ONLY", "READ_WRITE"])
    func refused(_ permission: String) async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world, permission)
            _ = try await story.link("accept", as: story.bob)
            let before = try await world.exported()
            let fresh: JSON = ["fresh": number(1)]
            var saves = [
                create("a", type: "Note", fresh), below("secret", "b"), below("a", "c"),
                below("missing", "d"), operation("forceUpdate", "secret", type: "Note", fresh),
            ]
            if permission == "READ_ONLY" {
                saves += [below("note", "e"), operation("forceUpdate", "note", type: "Note", fresh)]
            }
            let reply = try await story.shared(
                "records/modify", ["operations": .array(saves), "atomic": false], as: story.bob)
            #expect(reply.records.count == saves.count)
            #expect(!reply.records.contains("ok"), "\(reply.records)")
            #expect(try await world.exported() == before)
        }
    }

    @Test(
        "A participant's save that only the commit refuses adds nothing to the schema",
        arguments: [true, false])
    func refusedByStore(isAtomic: Bool) async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            let before = try await world.exported()
            func note(_ name: String, _ type: String, _ target: String) -> JSON {
                operation(
                    "create", name, type: type, ["fresh": number(1), "r": link(target, "VALIDATE")],
                    ["parent": ["recordName": "note"]])
            }
            let saves = [note("a", "Note", "missing"), note("b", "Fresh", "secret")]
            let reply = try await story.shared(
                "records/modify", ["operations": .array(saves), "atomic": .bool(isAtomic)], as: story.bob)
            let missing = "VALIDATING_REFERENCE_ERROR: the target of a reference does not exist"
            #expect(reply.records == [missing, missing])
            #expect(try await world.exported() == before)
            let mixed = [note("a", "Note", "missing"), below("note", "c", "other")]
            let half = try await story.shared(
                "records/modify", ["operations": .array(mixed), "atomic": .bool(isAtomic)], as: story.bob)
            #expect(half.records.first == missing)
            #expect(half.records.last == (isAtomic ? "ATOMIC_ERROR: Atomic failure" : "ok"))
            let after = try await world.exported()
            #expect(!after.contains("fresh"))
            #expect(after.contains("other") == !isAtomic)
        }
    }

    @Test("An atomic batch with a save that the share does not permit adds nothing to the schema")
    func refusedTogether() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            let before = try await world.exported()
            let stray = operation("create", "b", type: "Note", ["title": text("x")])
            let reply = try await story.shared(
                "records/modify", ["operations": [below("note", "a"), stray], "atomic": true],
                as: story.bob)
            #expect(!reply.records.contains("ok"), "\(reply.records)")
            #expect(try await world.exported() == before)
        }
    }

    @Test("A participant's permitted save adds to the schema, also below a record of the same batch")
    func permitted() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            let saves = [below("a", "b", "second"), below("note", "a", "first")]
            #expect(try await story.save(saves, as: story.bob).records == ["ok", "ok"])
            let grown = try await world.exported()
            #expect(grown.contains("first") && grown.contains("second"))
        }
    }
}
