import CloudService
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("The audit log and changes", .timeLimit(.minutes(30)))
struct AuditTests {
    private func intent(_ subject: String) -> AuditEntry {
        AuditEntry(at: Timestamp(milliseconds: 0), by: "ann", action: "test", subject: subject)
    }

    @Test("An entry of the audit log is written before a change, and then gets its outcome")
    func outcome() async throws {
        try await withClosedConsole { world in
            let operators = world.service.operators
            try await operators.change(intent("a")) { change in
                // What a server that is killed now has on its disk.
                let begun = try await operators.audit(of: nil, before: nil)
                #expect(begun.map(\.subject) == ["a"])
                #expect(begun.map(\.after) == [AuditedChange.begun])
                var outcome = intent("a")
                outcome.after = "done"
                try await change.log(outcome)
                outcome.after = "and more"
                try await change.log(outcome)
            }
            let log = try await operators.audit(of: nil, before: nil)
            #expect(log.map(\.after) == ["and more", "done"])
            #expect(log.map(\.number) == [2, 1])
        }
    }

    @Test("The audit log has an entry for each step of a change before the step begins")
    func steps() async throws {
        try await withClosedConsole { world in
            let operators = world.service.operators
            await #expect(throws: RecordError.self) {
                try await operators.change(intent("a")) { change in
                    try await change.beginStep()
                    var outcome = intent("a")
                    outcome.after = "done"
                    try await change.log(outcome)
                    try await change.beginStep()
                    // What a server that is killed now has on its disk.
                    let begun = try await operators.audit(of: nil, before: nil)
                    #expect(begun.map(\.after) == [AuditedChange.begun, "done"])
                    throw RecordError(.internalError, "the reason")
                }
            }
            let log = try await operators.audit(of: nil, before: nil)
            #expect(log.map(\.after) == ["failed, perhaps in part: the reason", "done"])
        }
    }

    @Test("A long value does not displace other values in the audit log")
    func longValue() async throws {
        try await withServer(.loopback) { world in
            try await world.createContainer()
            try await world.importSchema(schemaText("a STRING", "b STRING", "c STRING"))
            let visitor = ConsoleVisitor(world)
            _ = try await visitor.get("/console")
            let long = String(repeating: "x", count: 6000)
            let made = try await visitor.post(
                ServerWorld.place + "/new?type=Party",
                [
                    "action": "create", "name": "p", "value.a": long, "value.b": "before",
                    "value.c": "unchanged",
                ])
            try #require(made.status == 303, "\(made.text)")
            let page = try await visitor.get(ServerWorld.place + "/record?name=p")
            let tag = String(try #require(page.text.firstMatch(of: /name="tag" value="([^"]*)"/)?.1))
            _ = try await visitor.post(
                ServerWorld.place + "/record?name=p",
                ["action": "save", "tag": tag, "value.a": long + "y", "value.b": "after"])
            let log = try await world.service.operators.audit(of: nil, before: nil)
            let entry = try #require(log.first { $0.action == "record.change" })
            #expect(entry.before?.hasSuffix("…\nb = before") == true)
            #expect(entry.after?.hasSuffix("…\nb = after") == true)
        }
    }

    @Test("A refused change and one that changed nothing leave no entry, and a failed one says so")
    func failures() async throws {
        try await withClosedConsole { world in
            let operators = world.service.operators
            try await operators.change(intent("nothing")) { _ in }
            for code in [RecordError.Code.badRequest, .conflict, .notFound, .internalError, .quotaExceeded] {
                await #expect(throws: RecordError.self) {
                    try await operators.change(intent(code.rawValue)) { _ in
                        throw RecordError(code, "the reason")
                    }
                }
            }
            let log = try await operators.audit(of: nil, before: nil)
            #expect(log.map(\.subject) == ["quotaExceeded", "internalError"])
            #expect(Set(log.map(\.after)) == ["failed, perhaps in part: the reason"])
        }
    }

    @Test("A change by the command line is logged with what it replaces and what it names")
    func commandLine() async throws {
        try await withClosedConsole { world in
            try await world.createContainer()
            let place = "containers/iCloud.test/"
            let calls: [(String, JSON)] = [
                ("people", ["name": "ann", "password": "correct horse"]),
                ("people/ann/quota", ["quotaBytes": 7]), ("people/ann/quota", ["quotaBytes": 9]),
                ("people/ann/quota", [:]), ("people/ann/status", ["status": "restricted"]),
                (place + "fallback", ["fallbackURL": "https://app.example/"]), (place + "fallback", [:]),
                (place + "development/tokens", ["label": "web"]),
            ]
            for (path, body) in calls {
                let reply = try await world.operate("POST", path, body)
                #expect(reply.status == 200, "\(path) \(reply.text)")
            }
            let log = try await world.service.operators.audit(of: nil, before: nil).reversed()
            let lines = log.map { "\($0.action) \($0.before ?? "-") \($0.after ?? "-")" }
            #expect(
                lines == [
                    "addPerson - available", "setPersonQuota - 7", "setPersonQuota 7 9", "setPersonQuota 9 -",
                    "setPersonStatus available restricted", "setContainerFallback - https://app.example/",
                    "setContainerFallback https://app.example/ -", "createToken - web",
                ])
            let token = try await world.service.credentials.apiTokens(of: "iCloud.test").first?.id
            #expect(token != nil && log.last?.subject == token)
        }
    }

    @Test("Tokens and keys that commands make and revoke are in the audit log of their container")
    func credentials() async throws {
        try await withClosedConsole { world in
            try await world.createContainer()
            try await world.createContainer("iCloud.other")
            try await world.add(operator: "viewer", .viewer, in: "iCloud.test")
            let place = "containers/iCloud.test/production/"
            let token = try await world.operate("POST", place + "tokens", ["label": "web"])
            let key = try await world.operate(
                "POST", place + "keys",
                ["label": "import", "publicKey": .string(ServerWorld.publicKey)])
            let tokenID = try #require(token.json["id"].text, "\(token.text)")
            let keyID = try #require(key.json["id"].text, "\(key.text)")
            for path in ["tokens/\(tokenID)/revoke", "keys/\(keyID)/revoke"] {
                let reply = try await world.operate("POST", path, [:])
                #expect(reply.status == 200, "\(reply.text)")
            }
            // What is refused has no entry.
            #expect(try await world.operate("POST", "tokens/\(tokenID)/revoke", [:]).status == 404)
            #expect(try await world.operate("POST", "keys/none/revoke", [:]).status == 404)
            let log = try await world.service.operators.audit(of: "iCloud.test", before: nil)
            #expect(
                log.map { "\($0.action) \($0.subject)" } == [
                    "revokeKey \(keyID)", "revokeToken \(tokenID)", "registerKey \(keyID)",
                    "createToken \(tokenID)",
                ])
            #expect(Set(log.map(\.environment)) == [.production])
            #expect(try await world.service.operators.audit(of: "iCloud.other", before: nil).isEmpty)
            let page = try await ConsoleVisitor.signedIn("viewer", world).get(ServerWorld.place + "/audit")
            #expect(page.text.contains(">revokeToken</td>") && page.text.contains(keyID))
        }
    }

    @Test("Passwords and values of records are in no entry of a form that fails")
    func secrets() async throws {
        try await withServer(.loopback) { world in
            try await world.createContainer()
            try await world.importSchema(schemaText("name STRING"))
            let visitor = ConsoleVisitor(world)
            _ = try await visitor.get("/console")
            _ = try await visitor.post(
                "/console/people", ["action": "add", "name": "ann", "password": "hidden horse"])
            _ = try await visitor.post(
                ServerWorld.place + "/own", ["action": "sign-in", "name": "ann", "password": "hidden horse"])
            let log = try await world.service.operators.audit(of: nil, before: nil)
            #expect(log.map(\.action) == ["person.add", "importSchema"])
            #expect(!"\(log)".contains("hidden horse"))
        }
    }

    @Test("If two operators change the same checkbox, the second is told")
    func ticks() async throws {
        try await withServer(.loopback) { world in
            try await world.createContainer()
            try await world.importSchema(schemaText("name STRING QUERYABLE", roles: ["Admin"]))
            let visitor = ConsoleVisitor(world)
            let path = ServerWorld.place + "/type?name=Party"
            _ = try await visitor.get(path)
            _ = try await world.service.schemas.setGrant(
                .create, on: "Party", to: "Admin", in: "iCloud.test", isThere: true)
            _ = try await visitor.post(
                path, pairs: [("action", "grants"), ("role", "Admin"), ("grant", "CREATE Admin")])
            let page = try await visitor.get(path)
            #expect(page.text.contains("somebody else has changed: CREATE Admin on."), "\(page.text)")
            _ = try await visitor.post(
                path, pairs: [("action", "indexes"), ("field", "name"), ("was", "sortable")])
            let next = try await visitor.get(path)
            #expect(next.text.contains("somebody else has changed: queryable on, sortable off."))
        }
    }
}
