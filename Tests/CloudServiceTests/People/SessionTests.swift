import CloudService
import CloudletServer
import CloudletTesting
import Foundation
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Sessions", .timeLimit(.minutes(30)))
struct SessionTests {
    private static let ended = "421 AUTHENTICATION_REQUIRED: the session has ended"

    @Test("Each answer carries a new token, and all tokens of a session stay valid")
    func rotation() async throws {
        try await closed { world, app in
            let first = try await world.token(app)
            var tokens = [first]
            for _ in 1...3 {
                world.clock.advance(bySeconds: 60)
                let reply = try await world.caller(app, tokens[tokens.count - 1])
                tokens.append(try #require(reply.headers["X-Apple-CloudKit-Web-Auth-Token"]))
            }
            #expect(Set(tokens).count == 4)
            for token in tokens + tokens.reversed() {
                #expect(try await world.caller(app, token).status == 200)
                #expect(token.wholeMatch(of: /106__54__[A-Za-z0-9+\/=]{32}__[A-Za-z0-9+\/=]{44}/) != nil)
            }
        }
    }

    @Test(
        "A token is valid for half an hour or two weeks; a session stays valid while it is used",
        arguments: [(false, 1800.0), (true, 1_209_600.0)])
    func lifetime(_ lifetime: (stays: Bool, seconds: Double)) async throws {
        try await closed { world, app in
            let first = try await world.token(app, stays: lifetime.stays)
            world.clock.advance(bySeconds: lifetime.seconds - 1)
            let kept = try await world.caller(app, first)
            #expect(kept.status == 200)
            let second = try #require(kept.headers["X-Apple-CloudKit-Web-Auth-Token"])
            world.clock.advance(bySeconds: 1)
            let old = try await world.caller(app, first)
            #expect(old.failure == Self.ended)
            #expect(old.json["redirectURL"].text?.hasPrefix("http://cloud.test/sign-in?ctx=") == true)
            #expect(old.headers["X-Apple-CloudKit-Web-Auth-Token"] == nil)
            world.clock.advance(bySeconds: lifetime.seconds - 2)
            #expect(try await world.caller(app, second).status == 200)
            // Other sessions begin and end meanwhile. Expired sessions are deleted then, but not those in
            // use.
            _ = try await world.token(app)
            #expect(try await world.caller(app, second).status == 200)
        }
    }

    @Test("A token is valid only in the container and environment of the sign-in")
    func places() async throws {
        try await closed { world, app in
            let token = try await world.token(app)
            let foreign =
                "401 AUTHENTICATION_FAILED: the web auth token is for another container or environment"
            let other = try await world.app(container: "iCloud.other")
            let elsewhere = try await world.caller(other, token, container: "iCloud.other")
            #expect(elsewhere.failure == foreign)
            let production = try await world.service.credentials.addAPIToken(
                container: "iCloud.test", environment: .production, label: "p")
            let shipped = try await world.caller(production.text, token, environment: "production")
            #expect(shipped.failure == foreign)
        }
    }

    @Test("A token with any character changed is refused")
    func mutations() async throws {
        var random = SeededNumbers(seed: 1)
        try await withServer(.loopback, Self.closing) { world in
            let app = try await Self.admitAnn(to: world)
            let token = Array(try await world.token(app))
            let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_")
            for _ in 0..<1000 {
                var other = token
                let at = Int.random(in: 0..<other.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: other[at] = letters.randomElement(using: &random) ?? "A"
                case 1: other.remove(at: at)
                default: other.insert(letters.randomElement(using: &random) ?? "A", at: at)
                }
                if other == token { continue }
                let reply = try await world.caller(app, String(other))
                #expect(
                    reply.failure == "401 AUTHENTICATION_FAILED: the web auth token is not valid",
                    "\(String(other))")
            }
        }
    }

    @Test("Signing out makes all tokens of the session invalid, and no others")
    func signOut() async throws {
        try await closed { world, app in
            let token = try await world.token(app)
            let other = try await world.token(app)
            world.clock.advance(bySeconds: 60)
            let later = try await world.caller(app, token).headers["X-Apple-CloudKit-Web-Auth-Token"]
            let query = "ckWebAuthToken=" + PercentEncoding.encode(try #require(later))
            #expect(
                try await world.send("POST", "/sign-in/end?" + query, body: Array("{}".utf8)).status == 200)
            #expect(try await world.caller(app, token).failure == Self.ended)
            #expect(try await world.caller(app, other).status == 200)
            for nobody in ["ckWebAuthToken=x", ""] {
                let reply = try await world.send("POST", "/sign-in/end?" + nobody, body: Array("{}".utf8))
                #expect(reply.status == 200)
            }
        }
    }

    @Test("An app without a web page signs in with a password, and requests a token for a page")
    func withoutPage() async throws {
        try await closed { world, app in
            let wrong = try await world.askForToken(app, password: "wrong horse")
            #expect(wrong.failure == "401 AUTHENTICATION_FAILED: the name or the password is wrong")
            let stranger = try await world.askForToken(nil, password: "correct horse")
            #expect(stranger.failure == "401 AUTHENTICATION_FAILED: no auth method found")
            let token = try await world.token(app)
            let page = try await world.app()
            let query = "?ckAPIToken=\(app)&ckWebAuthToken=" + PercentEncoding.encode(token)
            let body: JSON = [
                "container": "iCloud.test", "environment": "development", "apiToken": .string(page),
            ]
            let handed = try await world.send("POST", "/sign-in/web-token" + query, body: try body.encoded())
            let own = try #require(handed.json["ckWebAuthToken"].text)
            #expect(try await world.caller(page, own).json == world.caller(app, token).json)
            let unknown = body.with(["apiToken": .string(String(repeating: "a", count: 64))])
            let refused = try await world.send(
                "POST", "/sign-in/web-token" + query, body: try unknown.encoded())
            #expect(refused.failure == "401 AUTHENTICATION_FAILED: the API token is not valid")
            let nobody = try await world.send(
                "POST", "/sign-in/web-token?ckAPIToken=\(app)", body: try body.encoded())
            #expect(nobody.failure == "421 AUTHENTICATION_REQUIRED: request needs authorization")
        }
    }

    @Test("Sessions and the key of their tokens survive a restart")
    func restart() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        var token = ""
        for round in 0..<2 {
            try await withServer(.loopback, { $0.storage = .folder(folder) }) { world in
                if round == 0 { token = try await world.signIn("alice").token }
                let alice = Person(name: "alice", token: token, recordName: "")
                #expect(try await world.get("public/users/caller", as: alice).status == 200)
            }
        }
    }

    private static let closing: @Sendable (inout ServerConfiguration) -> Void = {
        $0.access = .closed
        $0.passwordCost = .quick
    }

    private static func admitAnn(to world: ServerWorld) async throws -> String {
        let app = try await world.app()
        _ = try await world.service.people.add(Account(id: "", name: "ann"), password: "correct horse")
        return app
    }

    private func closed(_ scenario: (ServerWorld, String) async throws -> Void) async throws {
        try await serving(Self.closing) { world in
            try await scenario(world, try await Self.admitAnn(to: world))
        }
    }
}

extension ServerWorld {
    fileprivate func askForToken(
        _ app: String?, password: String, stays: Bool = false
    ) async throws -> Reply {
        let body: JSON = [
            "container": "iCloud.test", "environment": "development", "name": "ann",
            "password": .string(password), "staysSignedIn": .bool(stays),
        ]
        let target = "/sign-in/token" + (app.map { "?ckAPIToken=" + $0 } ?? "")
        return try await send("POST", target, body: try body.encoded())
    }

    fileprivate func token(_ app: String, stays: Bool = false) async throws -> String {
        let reply = try await askForToken(app, password: "correct horse", stays: stays)
        return try #require(reply.json["ckWebAuthToken"].text, "\(reply.text)")
    }

    fileprivate func caller(
        _ app: String, _ token: String, container: String = "iCloud.test",
        environment: String = "development"
    ) async throws -> Reply {
        let parameters = "ckAPIToken=\(app)&ckWebAuthToken=" + PercentEncoding.encode(token)
        return try await send(
            "GET",
            ServerWorld.target(
                "public/users/caller", container: container, environment: environment, parameters: parameters)
        )
    }
}
