import CloudService
import CloudletServer
import CloudletTesting
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Throttling", .timeLimit(.minutes(30)))
struct ThrottleTests {
    /// Rates: a person has two requests in six seconds, all anonymous callers have three, and the container
    /// has five in five seconds.
    private static func slow(_ configuration: inout ServerConfiguration) {
        configuration.limits.personRate = .init(requests: 2, seconds: 6)
        configuration.limits.appRate = .init(requests: 3, seconds: 6)
        configuration.limits.containerRate = .init(requests: 5, seconds: 5)
    }

    private static func left(_ reply: Reply) -> [String?] {
        [reply.headers["RateLimit-Policy"], reply.headers["RateLimit"]]
    }

    @Test("A person is told the remaining requests, then the exact wait")
    func person() async throws {
        try await serving(Self.slow) { world in
            let alice = try await world.signIn("alice")
            func ask() async throws -> Reply { try await world.get("private/zones/list", as: alice) }
            let first = try await ask()
            #expect(Self.left(first) == ["\"person\";q=2;w=6", "\"person\";r=1;t=3"])
            #expect(Self.left(try await ask()) == ["\"person\";q=2;w=6", "\"person\";r=0;t=6"])
            let refused = try await ask()
            #expect(refused.failure == "429 THROTTLED: too many requests")
            #expect(refused.json["retryAfter"] == 3)
            #expect(refused.headers["Retry-After"] == "3")
            #expect(Self.left(refused) == ["\"person\";q=2;w=6", "\"person\";r=0;t=6"])
            world.clock.advance(bySeconds: 2)
            let early = try await ask()
            #expect(early.status == 429)
            #expect(early.json["retryAfter"] == 1)
            world.clock.advance(bySeconds: 1)
            #expect(try await ask().status == 200)
            #expect(try await ask().status == 429)
        }
    }

    @Test("A person's requests for tokens of web apps count for the same rate")
    func webTokens() async throws {
        try await serving(Self.slow) { world in
            let app = try await world.app()
            let alice = try await world.signIn("alice")
            let body: JSON = [
                "container": "iCloud.test", "environment": "development", "apiToken": .string(app),
            ]
            let path = "/sign-in/web-token?ckWebAuthToken=" + PercentEncoding.encode(alice.token)
            var statuses: [Int] = []
            for _ in 1...3 {
                statuses.append(try await world.send("POST", path, body: try body.encoded()).status)
            }
            #expect(statuses == [200, 200, 429])
            #expect(try await world.get("private/zones/list", as: alice).status == 429)
        }
    }

    @Test("A refused request is not executed")
    func nothingDone() async throws {
        try await serving(Self.slow) { world in
            let alice = try await world.signIn("alice")
            _ = try await world.get("private/zones/list", as: alice)
            _ = try await world.get("private/zones/list", as: alice)
            let refused = try await world.modify("public", [create("p")], as: alice)
            #expect(refused.status == 429)
            let lookup = try await world.lookup("public", "p")
            #expect(lookup.records == ["NOT_FOUND: Record not found"])
        }
    }

    @Test("People, apps and containers each have buckets of their own")
    func payers() async throws {
        try await serving(Self.slow) { world in
            let alice = try await world.signIn("alice")
            let bob = try await world.signIn("bob")
            func statuses(_ person: Person?, _ count: Int, _ container: String) async throws -> [Int] {
                var statuses: [Int] = []
                for _ in 0..<count {
                    let reply = try await world.call(
                        "public/zones/list", as: person, container: container)
                    statuses.append(reply.status)
                }
                return statuses
            }
            #expect(try await statuses(alice, 3, "iCloud.test") == [200, 200, 429])
            #expect(try await statuses(bob, 3, "iCloud.test") == [200, 200, 429])
            // One request of the container's five is left, although anonymous callers have three.
            #expect(try await statuses(nil, 2, "iCloud.test") == [200, 429])
            let refused = try await world.call("public/zones/list")
            #expect(refused.json["retryAfter"] == 1)
            #expect(Self.left(refused)[0] == "\"container\";q=5;w=5")
            #expect(try await statuses(alice, 3, "iCloud.other") == [200, 200, 429])
            #expect(try await statuses(nil, 4, "iCloud.other") == [200, 200, 200, 429])
        }
    }

    @Test("One client that does not sign in uses up its address's rate, and not that of the app")
    func address() async throws {
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            $0.limits.addressRate = .init(requests: 2, seconds: 6)
            $0.limits.appRate = .init(requests: 4, seconds: 8)
        }
        try await withServer(.socket, configure) { world in
            let reply = try await world.call("public/zones/list")
            #expect(Self.left(reply)[0] == "\"address\";q=2;w=6")
        }
        try await withServer(.loopback, configure) { world in
            /// The rate that refuses a request from an address; nil if it is accepted.
            func refusal(
                _ address: String, _ identity: Caller.Identity = .anonymous, _ container: String = "c"
            ) -> String? {
                let caller = Caller(container: container, environment: .development, identity: identity)
                let budget = world.service.rateLimiter.charge(caller, from: ClientNetwork(text: address))
                return budget?.retryAfter == nil ? nil : budget?.policy
            }
            let answers = (0..<5).map { _ in refusal("192.0.2.1") }
            #expect(answers == [nil, nil, "address", "address", "address"])
            // A person has a rate of their own, and refused requests did not count for the app.
            #expect(refusal("192.0.2.1", .person("ann")) == nil)
            let others = (0..<3).map { _ in refusal("192.0.2.2") }
            #expect(others == [nil, nil, "address"])
            #expect(refusal("192.0.2.3") == "app")
            // The networks of one household share a rate.
            let household = (1...3).map { refusal("2001:db8:1:\($0)::1", .anonymous, "d") }
            #expect(household == [nil, nil, "address"])
            #expect(refusal("2001:db8:2:1::1", .anonymous, "d") == nil)
        }
    }

    @Test("Callers who are not signed in take turns at slow work by address, and people by name")
    func workPayers() {
        func payer(_ address: String?, _ identity: Caller.Identity = .anonymous) -> RequestPayer {
            var caller = Caller(container: "c", environment: .development, identity: identity)
            caller.network = address.flatMap { ClientNetwork(text: $0) }
            return caller.workPayer
        }
        #expect(payer("192.0.2.1") == payer("192.0.2.1"))
        #expect(payer("192.0.2.1") != payer("192.0.2.2"))
        #expect(payer("2001:db8:1:1::1") == payer("2001:db8:1:2::1"))
        #expect(payer("192.0.2.1", .person("ann")) == payer("192.0.2.2", .person("ann")))
        #expect(payer(nil) == .app(container: "c", token: nil))
        // The buckets keep no more of a made-up token than a real one has.
        var caller = Caller(container: "c", environment: .development, identity: .anonymous)
        caller.apiToken = String(repeating: "a", count: 70)
        #expect(caller.payer == .app(container: "c", token: String(repeating: "a", count: 64)))
    }

    @Test(
        "The rates are published, and a server without rates sends no budgets")
    func published() async throws {
        try await serving(Self.slow) { world in
            let rates = try await world.send("GET", "/limits").json["requestRates"]
            #expect(rates["person"] == ["requests": 2, "seconds": 6])
            #expect(rates["app"] == ["requests": 3, "seconds": 6])
            #expect(rates["container"] == ["requests": 5, "seconds": 5])
        }
        try await serving { world in
            #expect(try await world.send("GET", "/limits").json["requestRates"] == [:])
            let reply = try await world.get("public/zones/list")
            #expect(reply.headers["RateLimit"] == nil)
        }
    }

    @Test("A person whose deletions follow too many records waits, also if they are refused; others do not")
    func followed() async throws {
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            $0.limits.personRate = RequestRate(requests: 1000, seconds: 1)
            $0.limits.followedRecords = 10
            $0.limits.followedSeconds = 20
        }
        try await serving(configure) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            for (name, person) in [("a", alice), ("b", bob)] {
                let leaves = (0..<12).map { create("\(name)\($0)", ["to": link(name, "DELETE_SELF")]) }
                let judge = create("\(name)!", ["to": link("\(name)11", "VALIDATE")])
                let reply = try await world.modify("public", [create(name)] + leaves + [judge], as: person)
                #expect(reply.records == Array(repeating: "ok", count: 14))
            }
            func delete(_ name: String, as person: Person) async throws -> String {
                let reply = try await world.modify("public", [forceDelete(name)], as: person)
                return reply.status == 200 ? reply.records.joined() : reply.failure
            }
            #expect(try await delete("a", as: alice).hasPrefix("VALIDATING_REFERENCE_ERROR"))
            let refused = try await world.modify("public", [forceDelete("a")], as: alice)
            #expect(refused.status == 503)
            // The debt is three records: twelve leaves and the record that validates one of them, less ten.
            #expect(refused.json["retryAfter"] == 8)
            #expect(try await delete("b", as: bob).hasPrefix("VALIDATING_REFERENCE_ERROR"))
            #expect(try await delete("a!", as: alice) == "ok")
            world.clock.advance(bySeconds: 7)
            #expect(try await delete("a", as: alice).hasPrefix("503 TRY_AGAIN_LATER"))
            world.clock.advance(bySeconds: 1)
            #expect(try await delete("a", as: alice) == "ok")
        }
    }
}
