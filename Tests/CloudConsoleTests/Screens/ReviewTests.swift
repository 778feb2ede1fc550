import CloudService
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("The console makes exactly the changes that were reviewed", .timeLimit(.minutes(30)))
struct ReviewTests {
    /// An open server on which references of `Party` to other parties are queryable.
    private func world(_ scenario: (ServerWorld, ConsoleVisitor) async throws -> Void) async throws {
        try await withServer(.loopback) { world in
            try await world.createContainer()
            try await world.importSchema(
                schemaText("name STRING QUERYABLE", "a REFERENCE QUERYABLE", "b REFERENCE QUERYABLE"))
            let visitor = ConsoleVisitor(world)
            _ = try await visitor.get("/console")
            try await scenario(world, visitor)
        }
    }

    private func create(
        _ name: String, _ fields: [(String, String)], _ visitor: ConsoleVisitor
    ) async throws {
        let made = try await visitor.post(
            ServerWorld.place + "/new?type=Party", pairs: [("action", "create"), ("name", name)] + fields)
        try #require(made.status == 303, "\(made.text)")
    }

    @Test("The review of a deletion lists a record that also refers to the target without an action")
    func twoReferences() async throws {
        try await world { world, visitor in
            try await create("target", [("value.name", "x")], visitor)
            try await create(
                "source",
                [
                    ("value.a", "target"), ("action.a", "none"), ("value.b", "target"),
                    ("action.b", "deleteSelf"),
                ], visitor)
            let page = try await visitor.get(ServerWorld.place + "/delete?name=target")
            #expect(page.text.contains("record?name=source"))
            _ = try await visitor.post(ServerWorld.place + "/delete?name=target", ["action": "delete"])
            let gone = try await visitor.get(ServerWorld.place + "/record?name=source")
            #expect(gone.status == 404)
            let log = try await world.service.operators.audit(of: "iCloud.test", before: nil)
            #expect(log.first?.action == "record.delete")
            #expect(log.first?.after?.contains("source") == true)
        }
    }

    @Test("The review of a deletion finds a record after many references without an action")
    func manyReferences() async throws {
        try await world { _, visitor in
            try await create("target", [("value.name", "x")], visitor)
            for number in 100..<152 {
                try await create("a\(number)", [("value.a", "target"), ("action.a", "none")], visitor)
            }
            try await create("last", [("value.a", "target"), ("action.a", "deleteSelf")], visitor)
            let page = try await visitor.get(ServerWorld.place + "/delete?name=target")
            #expect(page.text.contains("record?name=last"))
            #expect(!page.text.contains("record?name=a1"))
        }
    }

    @Test("A record that changed after the review is not deleted")
    func changedRecord() async throws {
        try await world { _, visitor in
            try await create("target", [("value.name", "x")], visitor)
            let page = try await visitor.get(ServerWorld.place + "/delete?name=target")
            let tag = String(try #require(page.text.firstMatch(of: /name="tag" value="([^"]*)"/)?.1))
            _ = try await visitor.post(
                ServerWorld.place + "/record?name=target",
                ["action": "save", "tag": tag, "value.name": "precious"])
            let refused = try await visitor.post(
                ServerWorld.place + "/delete?name=target", ["action": "delete", "tag": tag])
            #expect(refused.status == 409, "\(refused.text)")
            let kept = try await visitor.get(ServerWorld.place + "/record?name=target")
            #expect(kept.text.contains("precious"))
        }
    }

    @Test("A field is not deleted if it cannot be added with the other type")
    func impossibleType() async throws {
        try await world { world, visitor in
            try await create("target", [("value.name", "precious")], visitor)
            let refused = try await visitor.post(
                ServerWorld.place + "/type?name=Party",
                ["action": "replace", "field": "name", "type": "REFERENCE", "encrypted": "1"])
            #expect(refused.status == 400)
            let kept = try await visitor.get(ServerWorld.place + "/record?name=target")
            #expect(kept.text.contains("precious"))
        }
    }

    @Test("A deployment refuses a change that was not reviewed, and then changes nothing")
    func deployment() async throws {
        try await world { world, _ in
            struct Refused: Error {}
            await #expect(throws: Refused.self) {
                _ = try await world.service.schemas.deploySchema(of: "iCloud.test", isTrial: false) {
                    try SchemaSource(text: Array($0.text.utf8))
                } check: { change in
                    #expect(!change.differences.isEmpty)
                    throw Refused()
                }
            }
            let production = try await world.service.schemas.schema(of: "iCloud.test", in: .production)
            #expect(production.types["Party"] == nil)
        }
    }

    @Test("Two administrators deploy what both have reviewed: the second is told to review again")
    func twoDeployments() async throws {
        try await world { world, visitor in
            let path = ServerWorld.place + "/deploy"
            let page = try await visitor.get(path)
            let reviewed = String(
                try #require(page.text.firstMatch(of: /name="reviewed" value="([^"]*)"/)?.1))
            async let one = visitor.post(path, ["action": "deploy", "reviewed": reviewed])
            async let two = visitor.post(path, ["action": "deploy", "reviewed": reviewed])
            let statuses = try await [one.status, two.status].sorted()
            #expect(statuses == [303, 409])
            let log = try await world.service.operators.audit(of: "iCloud.test", before: nil)
            #expect(log.filter { $0.action == "schema.deploy" }.count == 1)
        }
    }

    @Test("An import refuses a change that was not reviewed, and then changes nothing")
    func schemaImport() async throws {
        try await world { world, visitor in
            let path = ServerWorld.place + "/schema"
            let before = try await world.service.schemas.schema(of: "iCloud.test", in: .development)
            let empty = "DEFINE SCHEMA"
            let unseen = try await visitor.post(path, ["action": "import", "text": empty])
            #expect(unseen.status == 409, "\(unseen.text)")
            let page = try await visitor.post(path, ["action": "check", "text": before.text])
            let reviewed = try #require(page.text.firstMatch(of: /name="reviewed" value="([^"]*)"/)?.1)
            let other = try await visitor.post(
                path, ["action": "import", "text": empty, "reviewed": String(reviewed)])
            #expect(other.status == 409, "\(other.text)")
            let after = try await world.service.schemas.schema(of: "iCloud.test", in: .development)
            #expect(after == before && after.types["Party"] != nil)
        }
    }

    @Test("A form from an outdated page sets only the permissions that its operator has changed")
    func stalePermissions() async throws {
        try await world { world, visitor in
            let schemas = world.service.schemas
            let role = Role.icloud
            for (permission, isThere) in [(Permission.write, false), (.create, false), (.read, true)] {
                _ = try await schemas.setGrant(
                    permission, on: "Party", to: role.name, in: "iCloud.test", isThere: isThere)
            }
            // Another operator grants WRITE after the page was loaded.
            _ = try await schemas.setGrant(
                .write, on: "Party", to: role.name, in: "iCloud.test", isThere: true)
            _ = try await visitor.post(
                ServerWorld.place + "/type?name=Party",
                pairs: [
                    ("action", "grants"), ("role", role.name), ("was", "READ \(role.name)"),
                    ("grant", "CREATE \(role.name)"),
                ])
            let schema = try await schemas.schema(of: "iCloud.test", in: .development)
            #expect(schema.types["Party"]?.grants[role] == [.write, .create])
        }
    }

    @Test("A page with an invalid marker shows an error and a link to the first page")
    func badMarker() async throws {
        try await world { _, visitor in
            let page = try await visitor.get(ServerWorld.place + "/records?type=Party&marker=!")
            #expect(page.text.contains("query-problem") && page.text.contains(">First page</a>"))
        }
    }

    @Test("A page that repeats a refused form stays small")
    func longTexts() async throws {
        try await world { _, visitor in
            let long = String(repeating: "x<", count: 200_000)
            let forms: [(String, [(String, String)])] = [
                ("types", [("action", "create"), ("name", long)]),
                ("type?name=Party", [("action", "add"), ("field", "q"), ("type", long)]),
                ("new?type=Party", [("action", "create"), ("name", long)]),
                ("roles", [("action", "grant"), ("role", long), ("person", long)]),
                ("own", [("action", "sign-in"), ("name", long)]),
            ]
            for (path, fields) in forms {
                let page = try await visitor.post(ServerWorld.place + "/" + path, pairs: fields)
                #expect(page.status >= 400, "\(path)")
                #expect(page.bytes.count <= 100_000, "\(path)")
            }
        }
    }
}
