import CloudService
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Private data in the console", .timeLimit(.minutes(30)))
struct PrivacyTests {
    /// Texts that only Alice's private database contains.
    private static let secrets = ["secret-name", "secret-text", "SecretZone", "secret-place"]

    /// Saves 137 private records of Alice's, in a zone of her own.
    private func saveSecrets(_ world: ServerWorld) async throws -> Person {
        let alice = try await world.signIn("alice")
        try await world.call(
            "private/zones/modify",
            ["operations": [["operationType": "create", "zone": ["zoneID": ["zoneName": "SecretZone"]]]]],
            as: alice)
        let operations: [JSON] = (1...137).map { number in
            [
                "operationType": "create",
                "record": [
                    "recordName": .string("secret-name-\(number)"), "recordType": "Party",
                    "fields": ["name": ["value": "secret-text"], "place": ["value": "secret-place"]],
                ],
            ]
        }
        let reply = try await world.call(
            "private/records/modify",
            ["zoneID": ["zoneName": "SecretZone"], "operations": .array(operations)], as: alice)
        try #require(Set(reply.records) == ["ok"], "\(reply.text)")
        return alice
    }

    @Test("No page that an administrator can reach by links contains private records of people")
    func crawl() async throws {
        try await withServer(.loopback) { world in
            let alice = try await saveSecrets(world)
            try await world.save("open-party", ["name": ["value": "Ball"]], as: alice)
            let visitor = ConsoleVisitor(world)
            let pages = try await self.pages(from: "/console", visitor)
            #expect(pages.count > 30, "\(pages.keys.sorted())")
            #expect(pages.values.contains { $0.text.contains("open-party") })
            for (path, page) in pages {
                #expect(page.status == 200, "\(path) \(page.text)")
                for secret in Self.secrets { #expect(!page.text.contains(secret), "\(path)") }
                // The number of her records.
                let text = page.text.replacing(/\d+ ms|before=\d+/, with: "")
                #expect(!text.contains(/\b137\b(?!\.)/), "\(path)")
                #expect(page.bytes.count <= 100_000, "\(path)")
            }
        }
    }

    /// All pages that links lead to, by address.
    private func pages(from start: String, _ visitor: ConsoleVisitor) async throws -> [String: Reply] {
        var pages: [String: Reply] = [:]
        var waiting = [start]
        while let path = waiting.popLast(), pages.count < 300 {
            if pages[path] != nil { continue }
            let page = try await visitor.get(path)
            pages[path] = page
            for match in page.text.matches(of: /href="(\/console[^"#]*)"/) where !match.1.contains(".css") {
                waiting.append(String(match.1).replacing("&amp;", with: "&"))
            }
        }
        return pages
    }

    @Test("Addresses that name a private record are not found")
    func addresses() async throws {
        try await withServer(.loopback) { world in
            let alice = try await saveSecrets(world)
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
            _ = try await saveSecrets(world)
            let visitor = ConsoleVisitor(world)
            let own = ServerWorld.place + "/own"
            _ = try await visitor.get(own)
            var reply = try await visitor.post(own, ["action": "sign-in", "name": "bob"])
            #expect(reply.status == 303)
            var page = try await visitor.get(own + "?type=Party")
            #expect(page.text.contains("No record was found."), "\(page.text)")
            for secret in Self.secrets { #expect(!page.text.contains(secret)) }
            reply = try await visitor.post(own, ["action": "sign-in", "name": "alice"])
            #expect(reply.status == 303)
            page = try await visitor.get(own + "?type=Party")
            for secret in Self.secrets { #expect(page.text.contains(secret)) }
            reply = try await visitor.post(own, ["action": "sign-out"])
            #expect(reply.status == 303)
            page = try await visitor.get(own + "?type=Party")
            for secret in Self.secrets { #expect(!page.text.contains(secret)) }
            // Another browser is not signed in as Alice.
            let other = try await ConsoleVisitor(world).get(own + "?type=Party")
            for secret in Self.secrets { #expect(!other.text.contains(secret)) }
        }
    }
}
