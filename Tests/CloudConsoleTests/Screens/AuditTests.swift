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

    @Test("The log has a change before it is made, and its outcome in the same place after")
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

    @Test("Two operators who tick one box: the second is told")
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
            #expect(page.text.contains("since the page was loaded: CREATE Admin on."), "\(page.text)")
            _ = try await visitor.post(
                path, pairs: [("action", "indexes"), ("field", "name"), ("was", "sortable")])
            let next = try await visitor.get(path)
            #expect(next.text.contains("since the page was loaded: queryable on, sortable off."))
        }
    }
}
