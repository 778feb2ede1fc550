import CloudService
import CloudletServer
import Records
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Development servers", .timeLimit(.minutes(30)))
struct DevelopmentTests {
    @Test("A person changes their own account; values that the call omits stay unchanged")
    func account() async throws {
        try await serving({ $0.passwordCost = .quick }) { world in
            let alice = try await world.signIn("alice")
            func describe(_ body: JSON, as person: Person?) async throws -> Reply {
                let token = person.map { "?ckWebAuthToken=\($0.token)" } ?? ""
                let whole = body.with(["container": "iCloud.test"])
                return try await world.send("POST", "/dev/account" + token, body: try whole.encoded())
            }
            let first = try await describe(["email": "Alice@Example.org", "givenName": "Alice"], as: alice)
            #expect(first.status == 200)
            #expect(try await describe(["phone": "+44 20 7946 0018"], as: alice).status == 200)
            let account = try await world.service.people.person(named: "alice")
            #expect(account.email == "alice@example.org")
            #expect(account.phone == "+442079460018")
            #expect(account.givenName == "Alice")
            #expect(try await describe(["givenName": "X"], as: nil).status == 421)
            #expect(try await describe(["email": "none"], as: alice).status == 400)
            let bob = try await world.signIn("bob")
            #expect(try await describe(["email": "alice@example.org"], as: bob).status == 409)
            #expect(try await describe(["password": "a long horse"], as: alice).status == 200)
            #expect(try await world.get("public/users/caller", as: alice).status == 421)
            #expect(try await world.service.people.person(named: "alice").hasPassword)
            let byName = try await world.send("POST", "/dev/sign-in", body: Array(#"{"name":"alice"}"#.utf8))
            #expect(byName.status == 401)
            let half: JSON = ["email": "bob@example.org", "password": "ab"]
            #expect(try await describe(half, as: bob).status == 400)
            #expect(try await world.service.people.person(named: "bob").email == nil)
        }
    }

    @Test("A rate is set, published, and reset")
    func rate() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            func set(_ body: JSON) async throws -> Reply {
                try await world.send("POST", "/dev/rate", body: try body.encoded())
            }
            func statuses(_ count: Int) async throws -> [Int] {
                var statuses: [Int] = []
                for _ in 1...count {
                    statuses.append(try await world.get("public/users/caller", as: alice).status)
                }
                return statuses
            }
            #expect(try await set(["requests": 2, "seconds": 10]).json == ["requests": 2, "seconds": 10])
            let limits = try await world.send("GET", "/limits").json
            #expect(limits["requestRates"]["person"]["requests"] == 2)
            #expect(try await statuses(3) == [200, 200, 429])
            #expect(try await set(["requests": 1]).status == 200)
            #expect(try await statuses(2) == [200, 429])
            #expect(try await set([:]).json == [:])
            #expect(try await statuses(5) == [200, 200, 200, 200, 200])
            #expect(try await set(["requests": 0]).status == 400)
            #expect(try await set(["requests": 1_000_000, "seconds": 86_400]).status == 200)
            #expect(try await set(["requests": 1_000_001]).status == 400)
            #expect(try await set(["requests": .integer(.max), "seconds": 1]).status == 400)
            #expect(try await set(["requests": 1, "seconds": 86_401]).status == 400)
            #expect(try await statuses(1) == [200])
        }
    }

    @Test("The storage report contains the size and quota of the caller's private data")
    func storage() async throws {
        let quota: @Sendable (inout ServerConfiguration) -> Void = {
            $0.limits.quota = QuotaRules()
            $0.limits.quota?.personBytes = 1000
        }
        try await serving(quota) { world in
            let alice = try await world.signIn("alice")
            let target = "/dev/storage?container=iCloud.test"
            #expect(try await world.send("GET", target).json == ["assetFiles": 0])
            let own = "\(target)&ckWebAuthToken=\(alice.token)"
            let empty = try await world.send("GET", own).json
            #expect(empty == ["assetFiles": 0, "privateBytes": 0, "privateBytesLimit": 1000])
            _ = try await world.modify("private", [create("n")], as: alice)
            let room = try await world.send("GET", own).json
            let known = try await world.operate("GET", "people/alice").json
            #expect(room["privateBytes"] == known["privateBytes"])
            #expect(room["privateBytes"] != 0)
        }
    }

    @Test("The published limits contain the server's release, and whether people sign in without passwords")
    func release() async throws {
        for (access, isOpen) in [(ServerConfiguration.Access.open, true), (.closed, false)] {
            try await serving({ $0.access = access }) { world in
                let server = try await world.send("GET", "/limits").json["server"]
                #expect(
                    server == [
                        "name": "Cloudlet", "version": .string(SoftwareVersion.version),
                        "open": .bool(isOpen),
                    ])
            }
        }
    }

    @Test("Closed servers refuse to change accounts and rates")
    func closed() async throws {
        try await serving({ $0.access = .closed }) { world in
            for call in ["/dev/account", "/dev/rate"] {
                let reply = try await world.send("POST", call, body: Array("{}".utf8))
                let refusal = "403 ACCESS_DENIED: only a server that is open for development allows this"
                #expect(reply.failure == refusal)
            }
        }
    }
}
