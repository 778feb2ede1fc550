import CloudService
import CloudletServer
import Logging
import Records
import Synchronization
import Testing

@testable import RecordsWire
@testable import ServerKit
@testable import TestKit

@Suite("Private data in the console", .timeLimit(.minutes(30)))
struct PrivacyTests {
    /// Texts that only Alice's private database contains.
    private static let secrets = [
        "secret-name", "secret-text", "SecretZone", "secret-place", "secret-subscription",
    ]

    /// The number of Alice's private records.
    private static let count = 137

    /// Saves private records of Alice's, in a zone of her own, saves one of them again, which is refused, and
    /// subscribes her to the zone.
    private func saveSecrets(_ world: ServerWorld, of alice: Person, parameters: String = "") async throws {
        try await world.call(
            "private/zones/modify", ServerKit.zones(create: ["SecretZone"]), as: alice, parameters: parameters
        )
        let operations = (1...Self.count).map { number in
            create(
                "secret-name-\(number)", ["name": text("secret-text"), "place": text("secret-place")])
        }
        func save(_ operations: [JSON]) async throws -> Reply {
            try await world.call(
                "private/records/modify", batch(operations, zone: "SecretZone"), as: alice,
                parameters: parameters)
        }
        let saved = try await save(operations)
        try #require(Set(saved.records) == ["ok"], "\(saved.text)")
        let refused = try await save([operations[0]])
        try #require(refused.records != ["ok"], "\(refused.text)")
        let subscribed = try await world.call(
            "private/subscriptions/modify",
            [
                "operations": [
                    [
                        "operationType": "create",
                        "subscription": zoneSubscription("secret-subscription", "SecretZone"),
                    ]
                ]
            ], as: alice, parameters: parameters)
        try #require(subscribed.items("subscriptions") == ["ok"], "\(subscribed.text)")
    }

    /// Alice, on an open server, with her private records.
    private func aliceWithSecrets(_ world: ServerWorld) async throws -> Person {
        let alice = try await world.signIn("alice")
        try await saveSecrets(world, of: alice)
        return alice
    }

    /// A closed server with operators of all roles and a record of everybody's, on which Alice has her
    /// private records, and Bob a private record of his own.
    private func withSecrets(
        _ more: @escaping @Sendable (inout ServerConfiguration) -> Void = { _ in },
        _ scenario: (ServerWorld, [String: ConsoleVisitor], Person) async throws -> Void
    ) async throws {
        try await withEveryRole(.loopback, more) { world, visitors in
            let (alice, parameters) = try await world.signInByPassword("alice")
            let (bob, _) = try await world.signInByPassword("bob")
            try await saveSecrets(world, of: alice, parameters: parameters)
            _ = try await world.service.schemas.setGrant(
                .create, on: "Party", to: "_icloud", in: "iCloud.test", isThere: true)
            for (database, person, name) in [
                ("public", alice, "open-party"), ("private", bob, "bobs-party"),
            ] {
                let saved = try await world.call(
                    "\(database)/records/modify", batch([create(name, ["name": text("Ball")])]), as: person,
                    parameters: parameters)
                try #require(saved.records == ["ok"], "\(saved.text)")
            }
            try await scenario(world, visitors, alice)
        }
    }

    /// Whether a text has Alice's number of records as a number of its own, not as a part of a time, of a
    /// token or of the number of an entry.
    private static func hasCount(_ text: String) -> Bool {
        guard text.contains("\(count)") else { return false }
        let figures = text.replacing(/\d+ ms|before=\d+|value="[^"]{20,}"/, with: "")
        return figures.contains(/(?:^|[^\w.-])137(?![\w.-])/)
    }

    @Test(
        "No page, form or error contains private records of others, for no role and for no other person",
        arguments: ["viewer", "developer", "admin", "chief", "guard"])
    func crawl(name: String) async throws {
        try await withSecrets { world, visitors, alice in
            let visitor = try #require(visitors[name])
            var crawl = ConsoleCrawl(visitor)
            // The query of the builder finds parties by their name.
            crawl.texts = [
                "type": "Party", "person": alice.recordName, "name": "new", "sort": "", "f1": "name",
                "v1": "Ball", "km1": "", "operation": "", "device": "", "record": "",
            ]
            for number in 2...4 {
                for input in ["f", "v", "km"] { crawl.texts["\(input)\(number)"] = "" }
            }
            try await crawl.open()
            for (path, page) in crawl.pages { #expect(page.status == 200, "\(path) \(page.text)") }
            #expect(crawl.pages.count > 60, "\(crawl.pages.keys.sorted())")
            #expect(crawl.shows("open-party"))
            #expect(!crawl.shows("bobs-party"))
            // The same operator, signed in as another person.
            let own = ServerWorld.place + "/own"
            let reply = try await visitor.post(
                own, ["action": "sign-in", "name": "bob", "password": "correct horse"])
            try #require(reply.status == 303, "\(reply.text)")
            try await crawl.openAgain()
            #expect(crawl.shows("bobs-party"))
            try await crawl.sendForms()
            let sent = crawl.others.map { "\($0.request) \($0.reply.status)" }.joined(separator: "\n")
            let statuses = crawl.others.map(\.reply.status)
            #expect(statuses.contains(303), "\(sent)")
            for answer in crawl.answers {
                let text = answer.reply.text
                for secret in Self.secrets where text.contains(secret) {
                    Issue.record("\(answer.request): the answer contains \(secret)")
                }
                #expect(!Self.hasCount(text), "\(answer.request) \(text)")
                #expect(answer.reply.status < 500, "\(answer.request) \(text)")
                #expect(answer.reply.bytes.count <= 100_000, "\(answer.request)")
            }
        }
    }

    @Test("A crawl that meets its limit of pages fails")
    func limit() async throws {
        try await withServer(.loopback) { world in
            try await world.createContainer()
            var crawl = ConsoleCrawl(ConsoleVisitor(world), maximumPages: 3)
            await #expect(throws: ConsoleCrawl.LimitMet.self) { try await crawl.open() }
        }
    }

    @Test("The operator's calls, the metrics and the log contain nothing of private records")
    func otherAnswers() async throws {
        let notebook = LogRecorder()
        try await withSecrets {
            $0.logger = Logger(label: "test") { _ in LogRecorder.Writer(notebook: notebook) }
            $0.logger.logLevel = .trace
        } _: { world, _, alice in
            var answers: [(String, Reply)] = []
            let schema = schemaText("name STRING QUERYABLE", "cost INT64")
            let questions: [(OperatorEndpoint, JSON?)] = [
                (.validateSchema, ["schema": .string(schema)]), (.compareSchema, ["schema": .string(schema)]),
                (.checkSchema, ["schema": .string(schema)]),
                (.deploySchema, ["dryRun": .bool(true)]),
            ]
            let reading = OperatorEndpoint.allCases.filter { $0.rawValue.hasPrefix("GET ") }
            #expect(reading.count > 10)
            for environment in CloudEnvironment.allCases {
                let values = [
                    "container": "iCloud.test", "environment": environment.rawValue, "name": "alice",
                ]
                for (endpoint, body) in reading.map({ ($0, nil as JSON?) }) + questions {
                    let method = endpoint.rawValue.split(separator: " ")[0]
                    let path = ServerEndpoint.operator(endpoint).template.path(values)
                        .dropFirst("/operator/1/".count)
                    answers.append((endpoint.rawValue, try await world.operate("\(method)", "\(path)", body)))
                }
            }
            // The telemetry of private databases is that of all people together.
            var searches = ["requests?person=\(alice.recordName)", "audit?container=iCloud.test"]
            searches += TelemetryPeriod.allCases.flatMap { period in
                ["telemetry?period=\(period.rawValue)", "telemetry?period=\(period.rawValue)&scope=private"]
            }
            for search in searches { answers.append((search, try await world.operate("GET", search))) }
            answers.append(
                (
                    "GET /metrics",
                    try await world.send(
                        "GET", "/metrics", headers: ["Authorization": "Bearer \(world.server.operatorKey)"])
                ))
            for (request, reply) in answers {
                // A closed server keeps no log of the saves and queries that `schema check` compares.
                let isRefused = request == OperatorEndpoint.checkSchema.rawValue
                #expect((isRefused ? [403] : [200, 400]).contains(reply.status), "\(request) \(reply.text)")
                for secret in Self.secrets {
                    #expect(!reply.text.contains(secret), "\(request) \(reply.text)")
                }
                #expect(!Self.hasCount(reply.text), "\(request) \(reply.text)")
            }
            let refused = world.service.history.page(RequestFilter()).requests
                .filter { $0.database == .private && !$0.errors.isEmpty }
            #expect(refused.count == 1)
            #expect(refused.allSatisfy { $0.recordNames.isEmpty && $0.reason == nil })
        }
        let lines = notebook.lines.withLock(\.self)
        #expect(lines.contains { $0.contains("private/records/modify") })
        for line in lines {
            for secret in Self.secrets { #expect(!line.contains(secret), "\(line)") }
            #expect(!Self.hasCount(line), "\(line)")
        }
    }

    @Test("Addresses that name a private record are not found")
    func addresses() async throws {
        try await withServer(.loopback) { world in
            let alice = try await aliceWithSecrets(world)
            let visitor = ConsoleVisitor(world)
            for section in ["record", "delete"] {
                let page = try await visitor.get(ServerWorld.place + "/\(section)?name=secret-name-1")
                #expect(page.status == 404)
                #expect(!page.text.contains("secret-text"))
            }
            let user = try await visitor.get(ServerWorld.place + "/own?type=Party&name=\(alice.recordName)")
            #expect(!user.text.contains("secret-text"))
        }
    }

    @Test("Signing out of the console, or in as another person, ends the session of the person")
    func ended() async throws {
        try await withServer(.loopback) { world in
            try await world.createContainer()
            let visitor = ConsoleVisitor(world)
            _ = try await visitor.get(ServerWorld.place + "/own")
            var tokens: [String] = []
            for name in ["bob", "alice"] {
                _ = try await visitor.post(
                    ServerWorld.place + "/own", ["action": "sign-in", "name": name])
                let cookie = try #require(await visitor.cookie)
                tokens.append(
                    try #require(
                        world.service.operators.person(in: "iCloud.test", .development, for: cookie)))
            }
            func check(_ token: String) async throws {
                _ = try await world.service.credentials.caller(
                    Credentials(webAuthToken: token), container: "iCloud.test", environment: .development)
            }
            await #expect(throws: RecordError.self) { try await check(tokens[0]) }
            try await check(tokens[1])
            _ = try await visitor.get("/console")
            _ = try await visitor.post("/console/sign-out", [:])
            await #expect(throws: RecordError.self) { try await check(tokens[1]) }
        }
    }

    @Test("An operator who signs in as a person sees only that person's private records")
    func own() async throws {
        try await withServer(.loopback) { world in
            _ = try await aliceWithSecrets(world)
            let visitor = ConsoleVisitor(world)
            let own = ServerWorld.place + "/own"
            /// The pages with a person's records and subscriptions, one after the other.
            func pages(_ visitor: ConsoleVisitor) async throws -> String {
                let records = try await visitor.get(own + "?type=Party").text
                return try await records + visitor.get(ServerWorld.place + "/subscriptions").text
            }
            _ = try await visitor.get(own)
            var reply = try await visitor.post(own, ["action": "sign-in", "name": "bob"])
            #expect(reply.status == 303)
            var text = try await pages(visitor)
            #expect(text.contains("No record was found."), "\(text)")
            for secret in Self.secrets { #expect(!text.contains(secret)) }
            reply = try await visitor.post(own, ["action": "sign-in", "name": "alice"])
            #expect(reply.status == 303)
            text = try await pages(visitor)
            for secret in Self.secrets { #expect(text.contains(secret), "\(secret) \(text)") }
            reply = try await visitor.post(own, ["action": "sign-out"])
            #expect(reply.status == 303)
            text = try await pages(visitor)
            for secret in Self.secrets { #expect(!text.contains(secret)) }
            // Another browser is not signed in as Alice.
            text = try await pages(ConsoleVisitor(world))
            for secret in Self.secrets { #expect(!text.contains(secret)) }
        }
    }
}
