import CloudHTTP
import CloudService
import CloudletServer
import Foundation
import Records
import RecordsWire
import Testing

@testable import CloudConsole
@testable import ServerKit
@testable import TestKit

@Suite("The roles for the pages and forms of the console", .timeLimit(.minutes(30)))
struct RoleTests {
    @Test("Every page is shown to exactly the roles that may see it")
    func pages() async throws {
        #expect(
            Set(ConsolePages.ofContainer.map { $0.path.prefix { $0 != "?" } })
                == Set(ConsoleRoute.containerScreens.keys.map { $0[...] }))
        #expect(
            Set(ConsolePages.ofServer.map { $0.path.prefix { $0 != "?" } })
                == Set(ConsoleRoute.serverScreens.keys.map { $0[...] }))
        try await withEveryRole { world, visitors in
            for (name, visitor) in visitors {
                for (path, roles) in ConsolePages.ofContainer {
                    let reply = try await visitor.get(ServerWorld.place + "/" + path)
                    // The guard is a viewer everywhere.
                    let isOpen = roles.contains(name == "guard" ? "viewer" : name)
                    let closed = name == "foreigner" ? 404 : 403
                    // The record has no file.
                    let open = path.hasPrefix("image") ? 404 : 200
                    #expect(reply.status == (isOpen ? open : closed), "\(name) \(path)")
                    if path != "schema.ckdb" || !isOpen { check(reply) }
                    if name == "stranger" || name == "foreigner" {
                        #expect(!reply.text.contains("Party"), "\(name) \(path)")
                    }
                }
                for (path, roles) in ConsolePages.ofServer {
                    let reply = try await visitor.get("/console/" + path)
                    #expect(reply.status == (roles.contains(name) ? 200 : 403), "\(name) \(path)")
                    check(reply)
                }
            }
        }
    }

    /// Checks the properties of every page: a limited size, a content security policy, and one heading.
    private func check(_ reply: Reply) {
        #expect(reply.bytes.count <= 100_000)
        #expect(reply.headers["Content-Security-Policy"] == Console.policy)
        #expect(reply.headers["Cache-Control"] == "no-store")
        #expect(reply.text.matches(of: /<h1>/).count == 1)
        #expect(!reply.text.contains("<script"))
        #expect(!reply.text.contains("style=\""))
    }

    @Test("Operators see only containers with a role of theirs; others look like missing ones")
    func list() async throws {
        try await withEveryRole { _, visitors in
            let foreigner = try #require(visitors["foreigner"])
            let page = try await foreigner.get("/console")
            #expect(page.text.contains("iCloud.other"))
            #expect(!page.text.contains("iCloud.test"))
            let missing = try await foreigner.get("/console/containers/iCloud.none/development/types")
            let hidden = try await foreigner.get(ServerWorld.place + "/types")
            #expect(missing.status == hidden.status)
            #expect(
                missing.text.replacing("iCloud.none", with: "X").replacing(/value="[^"]*"/, with: "")
                    == hidden.text.replacing("iCloud.test", with: "X").replacing(/value="[^"]*"/, with: ""))
        }
    }

    @Test("A page has exactly the forms that the operator may send, each with a button for its action")
    func offeredForms() async throws {
        try await withEveryRole { world, visitors in
            let chief = try #require(visitors["chief"])
            _ = try await chief.get(ServerWorld.place + "/tokens")
            for (action, fields) in [
                ("create", [("label", "web")]),
                ("register", [("label", "import"), ("key", ServerWorld.publicKey)]),
            ] {
                let made = try await chief.send(
                    ServerWorld.place + "/tokens", [("action", action)] + fields)
                try #require([200, 303].contains(made.status), "\(made.text)")
            }
            for (name, visitor) in visitors where name != "stranger" {
                var offered: Set<String> = []
                for (path, _) in ConsolePages.ofContainer + ConsolePages.ofServer {
                    let isOfServer = ConsolePages.ofServer.contains { $0.path == path }
                    for place in isOfServer ? ["/console"] : Self.places {
                        let address = "\(place)/\(path)"
                        let page = try await visitor.get(address)
                        if page.status == 200 { offered.formUnion(check(page, address, name)) }
                    }
                }
                // What a screen offers only after another form, and the person's own sign-out.
                let later: Set<String> = ["container/schema import", "container/own sign-out"]
                let wanted = Self.forms.filter { form in
                    guard let order = Self.ranks.firstIndex(of: form.role) else { return false }
                    let rank = Self.ranks.firstIndex(of: name) ?? (name == "guard" ? 0 : -1)
                    return rank >= order
                }
                #expect(offered == Set(wanted.map(\.purpose)).subtracting(later), "\(name)")
            }
        }
    }

    /// The operators with a role in the container, the lowest first.
    private static let ranks = ["viewer", "developer", "admin", "chief"]
    private static let places = [
        ServerWorld.place, ServerWorld.place.replacing("development", with: "production"),
    ]

    /// The screens and actions of a page's forms. Expects that each can be sent, and that none changes
    /// anything without a button.
    private func check(_ page: Reply, _ address: String, _ name: String) -> [String] {
        PageForm.all(of: page.text, at: address).filter { $0.method == "post" }.flatMap { form -> [String] in
            if form.action == "/console/sign-out" { return [] }
            #expect(form.buttons > 0 && form.buttons == form.actions.count, "\(name) \(address) \(form)")
            let names = form.inputs.map(\.name)
            #expect(names.contains("csrfToken"), "\(name) \(address)")
            let isOfContainer = form.action.hasPrefix("/console/containers/")
            let screen = form.action.prefix { $0 != "?" }.split(separator: "/").last ?? ""
            return form.actions.map { "\(isOfContainer ? "container" : "server")/\(screen) \($0)" }
        }
    }

    /// A form with the lowest role that may send it.
    private struct Form: Sendable {
        var path: String
        var role: String
        var fields: [(String, String)]

        init(_ path: String, _ role: String, _ fields: (String, String)...) {
            self.path = path
            self.role = role
            self.fields = fields
        }

        /// The screen and the action.
        var purpose: String {
            let action = fields.first { $0.0 == "action" }?.1 ?? ""
            return "\(path.prefix { $0 != "?" }) \(action)".replacing("C/", with: "container/")
                .replacing("/console/", with: "server/")
        }
    }

    /// The screens with the actions of their forms, such as `container/roles grant`.
    private static let purposes: Set<String> = {
        func all(_ place: String, _ screens: [String: any Screen.Type]) -> [String] {
            screens.flatMap { name, screen in screen.actions.keys.map { "\(place)/\(name) \($0)" } }
        }
        return Set(
            all("container", ConsoleRoute.containerScreens) + all("server", ConsoleRoute.serverScreens))
    }()

    /// A form for every action of the console, in an order in which all of them succeed.
    private static let forms: [Form] = [
        Form("C/types", "developer", ("action", "create"), ("name", "Clown")),
        Form("C/type?name=Clown", "developer", ("action", "add"), ("field", "age"), ("type", "STRING")),
        Form("C/type?name=Clown", "developer", ("action", "replace"), ("field", "age"), ("type", "INT64")),
        Form(
            "C/type?name=Clown", "developer", ("action", "indexes"), ("field", "age"),
            ("was", "queryable"), ("was", "sortable"), ("index", "queryable"), ("reviewed", "1")),
        Form(
            "C/type?name=Clown", "developer", ("action", "grants"), ("role", "PartyAdmin"),
            ("grant", "CREATE PartyAdmin")),
        Form("C/type?name=Clown", "developer", ("action", "remove"), ("field", "age")),
        Form("C/type?name=Clown", "developer", ("action", "delete"), ("confirm", "Clown")),
        Form("C/new?type=Party", "developer", ("action", "create"), ("name", "p2"), ("value.name", "B")),
        Form("C/record?name=p2", "developer", ("action", "save"), ("tag", "TAG"), ("value.name", "New")),
        Form("C/delete?name=p2", "developer", ("action", "delete")),
        Form("C/roles", "developer", ("action", "create"), ("role", "Juggler")),
        Form("C/roles", "developer", ("action", "grant"), ("role", "Juggler"), ("person", "ann")),
        Form("C/roles", "developer", ("action", "revoke"), ("role", "Juggler"), ("person", "ann")),
        Form("C/roles", "developer", ("action", "delete"), ("role", "Juggler")),
        Form("C/schema", "developer", ("action", "check"), ("text", "SCHEMA")),
        Form(
            "C/schema", "developer", ("action", "import"), ("text", "SCHEMA"),
            ("reviewed", "CHECKED")),
        Form("C/deploy", "admin", ("action", "deploy"), ("reviewed", "REVIEWED")),
        Form("C/tokens", "admin", ("action", "create"), ("label", "web")),
        Form("C/tokens", "admin", ("action", "revoke"), ("id", "TOKEN")),
        Form(
            "C/tokens", "admin", ("action", "register"), ("label", "import"),
            ("key", ServerWorld.publicKey)),
        Form("C/tokens", "admin", ("action", "revokeKey"), ("id", "KEY")),
        Form("C/settings", "admin", ("action", "set"), ("url", "https://app.example/open/")),
        Form(
            "C/own", "viewer", ("action", "sign-in"), ("name", "ann"), ("password", "correct horse")),
        Form("C/own", "viewer", ("action", "sign-out")),
        Form("/console/maintenance", "chief", ("action", "check")),
        Form("/console/maintenance", "chief", ("action", "back-up")),
        Form("/console/containers", "chief", ("action", "create"), ("name", "iCloud.new")),
        Form("/console/people", "chief", ("action", "add"), ("name", "bert")),
        Form(
            "/console/person?name=bert", "chief", ("action", "status"), ("status", "restricted")),
        Form("/console/person?name=bert", "chief", ("action", "quota"), ("quota", "7")),
        Form("/console/person?name=bert", "chief", ("action", "sign-out")),
        Form("/console/person?name=bert", "chief", ("action", "delete"), ("confirm", "bert")),
        Form(
            "/console/operators", "chief", ("action", "set"), ("name", "new"), ("role", "viewer"),
            ("password", "correct horse")),
        Form("/console/operators", "chief", ("action", "remove"), ("name", "new")),
    ]

    @Test("An operator of one container cannot tell people outside of it from missing people")
    func unknownPeople() async throws {
        try await withEveryRole { world, visitors in
            _ = try await world.service.people.add(Account("bert"), password: "correct horse")
            let developer = try #require(visitors["developer"])
            var answers: Set<String> = []
            for name in ["bert", "zoe"] {
                let reply = try await developer.post(
                    ServerWorld.place + "/roles",
                    ["action": "grant", "role": "PartyAdmin", "person": name])
                #expect(reply.status == 404)
                let problem = try #require(reply.text.firstMatch(of: /role="alert">([^<]*)</)?.1)
                answers.insert(String(problem).replacing(name, with: "NAME"))
            }
            #expect(answers.count == 1 && answers.first?.contains("has used this container") == true)
            let chief = try #require(visitors["chief"])
            _ = try await chief.get(ServerWorld.place + "/roles")
            let done = try await chief.post(
                ServerWorld.place + "/roles", ["action": "grant", "role": "PartyAdmin", "person": "bert"])
            #expect(done.status == 303)
        }
    }

    @Test("Every form works for exactly the roles that may send it, and not if it is forged")
    func actions() async throws {
        try await withEveryRole { world, visitors in
            for form in Self.forms { try await check(form, world, visitors) }
            let keys = try await world.service.credentials.serverKeys(of: "iCloud.test")
            #expect(keys.map(\.label) == ["import"])
            #expect(keys.last?.revoked != nil)
            let log = try await world.service.operators.audit(of: nil, before: nil)
            // The operator key made these accounts.
            #expect(Set(log.map(\.by)) == ["developer", "admin", "chief", "operator key"])
            // Every action of every screen, those that the audit log leaves out as well.
            #expect(Set(Self.forms.map(\.purpose)) == Self.purposes)
        }
    }

    private func check(
        _ form: Form, _ world: ServerWorld, _ visitors: [String: ConsoleVisitor]
    ) async throws {
        let path = form.path.replacing("C/", with: ServerWorld.place + "/", maxReplacements: 1)
        let right = try #require(visitors[form.role])
        let page = try await right.get(path)
        var fields = try await filled(form.fields, page, world)
        if let index = fields.firstIndex(where: { $0.1 == "CHECKED" }) {
            let checked = fields[..<index].map { $0.0 == "action" ? ($0.0, "check") : $0 }
            fields[index].1 = try await right.send(path, checked).value(of: "reviewed")
        }
        let csrfToken = await right.csrfToken
        let cookie = try #require(await right.cookie)
        func state() async throws -> [String] { try await self.state(world, cookie) }
        let before = try await state()
        let order = ["foreigner", "guard", "viewer", "developer", "admin", "chief"]
        // The guard is a viewer, too.
        let below =
            order.prefix { $0 != form.role && (form.role != "viewer" || $0 != "guard") } + ["stranger"]
        for name in below {
            let visitor = try #require(visitors[name])
            _ = try await visitor.get("/console")
            let reply = try await visitor.send(path, fields)
            #expect([403, 404].contains(reply.status), "\(name) \(path) \(fields)")
        }
        let guest = try #require(visitors["guard"])
        for (what, csrfToken, headers) in [
            ("no token", "", [:]), ("foreign token", await guest.csrfToken, [:]),
            ("foreign origin", csrfToken, ["Origin": "https://evil.example"]),
            ("foreign site", csrfToken, ["Sec-Fetch-Site": "cross-site"]),
        ] as [(String, String, CloudHeaders)] {
            let reply = try await right.send(path, fields, csrfToken: csrfToken, headers: headers)
            #expect(reply.status == 400, "\(what) \(path)")
        }
        #expect(try await state() == before, "\(path) \(fields)")
        let done = try await right.send(path, fields, csrfToken: csrfToken)
        #expect([200, 303].contains(done.status), "\(form.role) \(path) \(fields) \(done.text)")
        // Only a check changes nothing.
        let isCheck = fields.contains { $0.0 == "action" && $0.1 == "check" }
        #expect((try await state() == before) == isCheck, "\(path) \(fields)")
        #expect(!done.text.contains("role=\"alert\""), "\(done.text)")
    }

    /// The fields with the values that only the page contains.
    private func filled(
        _ fields: [(String, String)], _ page: Reply, _ world: ServerWorld
    ) async throws -> [(String, String)] {
        var filled = fields
        for index in filled.indices {
            switch filled[index].1 {
            case "TAG": filled[index].1 = page.value(of: "tag")
            case "REVIEWED": filled[index].1 = page.value(of: "reviewed")
            case "TOKEN":
                let tokens = try await world.service.credentials.apiTokens(of: "iCloud.test")
                filled[index].1 = tokens.last?.id ?? ""
            case "KEY":
                let keys = try await world.service.credentials.serverKeys(of: "iCloud.test")
                filled[index].1 = keys.last?.id ?? ""
            case "SCHEMA":
                filled[index].1 = schemaText(
                    "name STRING QUERYABLE", "cost INT64", "guests INT64", roles: ["PartyAdmin"])
            default: break
            }
        }
        return filled
    }

    /// The state of the server that a refused form must not change, with the person as whom the operator with
    /// this cookie has signed in.
    private func state(_ world: ServerWorld, _ cookie: String) async throws -> [String] {
        let service = world.service
        let schemas = try await [
            service.schemas.schema(of: "iCloud.test", in: .development),
            service.schemas.schema(of: "iCloud.test", in: .production),
        ]
        return [
            "\(try await service.operators.audit(of: nil, before: nil).count)",
            "\(try await service.people.all())", "\(try await service.operators.all())",
            "\(try await service.containers.all())", schemas.map(\.text).joined(),
            "\(try await service.credentials.apiTokens(of: "iCloud.test"))",
            "\(try await service.credentials.serverKeys(of: "iCloud.test"))",
            service.operators.person(in: "iCloud.test", .development, for: cookie) ?? "nobody",
        ]
    }
}

extension ConsoleVisitor {
    /// Sends a form with these fields.
    fileprivate func send(
        _ path: String, _ fields: [(String, String)], csrfToken: String? = nil, headers: CloudHeaders = [:]
    ) async throws -> Reply {
        try await post(path, pairs: fields, csrfToken: csrfToken, headers: headers)
    }
}

extension Reply {
    /// The value of a hidden field.
    fileprivate func value(of name: String) -> String {
        let parts = text.components(separatedBy: "name=\"\(name)\" value=\"")
        return parts.count > 1 ? String(parts[1].prefix { $0 != "\"" }) : ""
    }
}
