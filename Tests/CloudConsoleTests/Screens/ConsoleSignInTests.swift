import CloudService
import CloudletServer
import CloudletTesting
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Signing in to the console", .timeLimit(.minutes(30)))
struct ConsoleSignInTests {
    @Test("An open server of this machine has the console by default, others only if it is configured")
    func presence() async throws {
        try await withServer(.loopback) { world in
            let reply = try await world.send("GET", "/console")
            #expect(reply.status == 200)
            let cookie = try #require(reply.headers["Set-Cookie"])
            for part in ["HttpOnly", "SameSite=Strict", "Path=/console", "Max-Age=43200"] {
                #expect(cookie.contains(part), "\(cookie)")
            }
            #expect(!cookie.contains("Secure"))
        }
        try await withServer(.loopback, { $0.console = .off }) { world in
            let reply = try await world.send("GET", "/console")
            #expect(reply.status == 404)
        }
        try await withServer(.loopback, { $0.access = .closed }) { world in
            let reply = try await world.send("GET", "/console")
            #expect(reply.status == 404)
        }
        try await withClosedConsole { world in
            let reply = try await world.send("GET", "/console")
            #expect(reply.status == 403)
            #expect(reply.headers["Set-Cookie"] == nil)
            #expect(reply.text.contains("id=\"password\""))
        }
    }

    @Test("Behind TLS, the cookie is for TLS only")
    func secure() async throws {
        try await withServer(.loopback, { $0.publicURL = "https://cloud.test" }) { world in
            let reply = try await world.send("GET", "/console")
            #expect(reply.headers["Set-Cookie"]?.hasSuffix("; Secure") == true)
        }
    }

    @Test("A link signs in once: loading its page does not use it up, sending its form does")
    func link() async throws {
        try await withClosedConsole { world in
            let token = world.service.operators.newLink()
            let visitor = ConsoleVisitor(world)
            for _ in 1...2 {
                let page = try await visitor.get("/console/sign-in?link=\(token)")
                #expect(page.status == 200)
                #expect(page.text.contains("id=\"use-link\""))
            }
            let done = try await visitor.post("/console/sign-in", ["link": token])
            #expect(done.status == 303)
            let people = try await visitor.get("/console/people")
            #expect(people.status == 200)
            let again = try await ConsoleVisitor(world).post("/console/sign-in", ["link": token])
            #expect(again.status == 403)
            let late = world.service.operators.newLink()
            world.clock.advance(bySeconds: 300)
            #expect(try await visitor.get("/console/sign-in?link=\(late)").status == 403)
        }
    }

    @Test("An unknown operator and a wrong password look the same, and guessing is slowed")
    func guessing() async throws {
        try await withClosedConsole { world in
            try await world.add(operator: "boss", .admin)
            let visitor = ConsoleVisitor(world)
            _ = try await visitor.get("/console/sign-in")
            func text(_ reply: Reply) -> String { reply.text.replacing(/value="[^"]*"/, with: "") }
            let wrong = try await visitor.post(
                "/console/sign-in", ["name": "boss", "password": "wrong horse"])
            let unknown = try await visitor.post(
                "/console/sign-in", ["name": "eve", "password": "wrong horse"])
            #expect(wrong.status == 403)
            #expect(text(wrong) == text(unknown))
            for _ in 1...5 {
                _ = try await visitor.post("/console/sign-in", ["name": "boss", "password": "no"])
            }
            let slowed = try await visitor.post(
                "/console/sign-in", ["name": "boss", "password": "correct horse"])
            #expect(slowed.status == 429)
            #expect(slowed.headers["Retry-After"] == "1")
            world.clock.advance(bySeconds: 1)
            let right = try await visitor.post(
                "/console/sign-in", ["name": "boss", "password": "correct horse"])
            #expect(right.status == 303)
        }
    }

    @Test("A session ends by signing out, when the operator is removed, and after its time")
    func ends() async throws {
        try await withClosedConsole { world in
            try await world.add(operator: "boss", .admin)
            let one = try await ConsoleVisitor.signedIn("boss", world)
            #expect(try await one.get("/console/people").status == 200)
            #expect(try await one.post("/console/sign-out", [:]).status == 303)
            #expect(try await one.get("/console/people").status == 403)
            let two = try await ConsoleVisitor.signedIn("boss", world)
            world.clock.advance(bySeconds: 1800)
            #expect(try await two.get("/console/people").status == 403)
            let three = try await ConsoleVisitor.signedIn("boss", world)
            try await world.service.operators.remove("boss")
            #expect(try await three.get("/console/people").status == 403)
        }
    }

    @Test("A new role takes effect with the next request")
    func roleChange() async throws {
        try await withClosedConsole { world in
            try await world.add(operator: "boss", .admin)
            let visitor = try await ConsoleVisitor.signedIn("boss", world)
            #expect(try await visitor.get("/console/people").status == 200)
            _ = try await world.service.operators.set(.viewer, of: "boss", in: nil, password: nil)
            #expect(try await visitor.get("/console/people").status == 403)
        }
    }

    @Test("The operator's calls manage operators, and are in the audit log")
    func calls() async throws {
        try await withClosedConsole { world in
            try await world.createContainer()
            let missing = try await world.operate("POST", "operators/ann/role", ["role": "viewer"])
            #expect(missing.status == 404)
            let body: JSON = ["role": "developer", "container": "iCloud.test", "password": "correct horse"]
            let added = try await world.operate("POST", "operators/ann/role", body)
            #expect(added.status == 200, "\(added.text)")
            let list = try await world.operate("GET", "operators")
            #expect(list.json["operators"].texts("name") == ["ann"])
            #expect(!list.text.contains("scrypt"))
            #expect(try await world.operate("POST", "operators/ann/remove").status == 200)
            let log = try await world.operate("GET", "audit")
            #expect(log.json["entries"].texts("action") == ["operator.remove", "operator.set"])
            #expect(log.json["entries"].texts("by") == ["operator key", "operator key"])
            #expect(log.text.contains("developer in iCloud.test; with a new password"))
        }
    }

    @Test("A role in one container can be taken away, but not the last role")
    func roleTaken() async throws {
        try await withClosedConsole { world in
            try await world.createContainer()
            try await world.add(operator: "ann", .admin, in: "iCloud.test")
            let last = try await world.operate(
                "POST", "operators/ann/role", ["role": "none", "container": "iCloud.test"])
            #expect(last.status == 400 && last.text.contains("operator remove ann"), "\(last.text)")
            try await world.add(operator: "ann", .viewer)
            try await world.add(operator: "chief", .admin)
            let chief = try await ConsoleVisitor.signedIn("chief", world)
            _ = try await chief.get("/console/operators")
            let taken = try await chief.post(
                "/console/operators",
                ["action": "set", "name": "ann", "role": "none", "container": "iCloud.test"])
            #expect(taken.status == 303, "\(taken.text)")
            let ann = try #require(try await world.service.operators.all().first { $0.name == "ann" })
            #expect(ann.rolesText == "viewer everywhere" && ann.role(in: "iCloud.test") == .viewer)
            let nobody = try await world.operate("POST", "operators/zoe/role", ["role": "none"])
            #expect(nobody.status == 404)
        }
    }

    @Test("Changes by the command line are in the audit log, and calls that change nothing are not")
    func commandLine() async throws {
        try await withClosedConsole { world in
            _ = try await world.operate("POST", "containers", ["name": "iCloud.test"])
            let text = schemaText("name STRING", roles: ["Admin"])
            try await world.schema("validate", ["schema": .string(text)])
            try await world.importSchema(text)
            try await world.importSchema(text)
            try await world.schema("deploy", ["dryRun": .bool(true)])
            _ = try await world.operate("POST", "people", ["name": "ann", "password": "correct horse"])
            try await world.role("grant", "Admin", "ann")
            let log = try await world.service.operators.audit(of: nil, before: nil)
            #expect(log.map(\.action) == ["grantRole", "addPerson", "importSchema", "createContainer"])
            #expect(log.map(\.container) == ["iCloud.test", nil, "iCloud.test", "iCloud.test"])
            #expect(log[2].after?.contains("+ Party.name STRING") == true)
            #expect(!"\(log)".contains("correct horse"))
        }
    }
}
