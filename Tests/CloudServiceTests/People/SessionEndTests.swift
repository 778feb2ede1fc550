import CloudletServer
import CloudletTesting
import Foundation
import Records
import RecordsWire
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("The end of sessions", .timeLimit(.minutes(30)))
struct SessionEndTests {
    private static let ended = "421 AUTHENTICATION_REQUIRED: the session has ended"

    /// The ways in which a session ends. Only `removal` deletes the account.
    enum End: CaseIterable, Sendable {
        case signOut, operatorSignOut, password, removal, anotherSession
    }

    @Test(
        "Push courier, connection, download and upload tickets end with the session", arguments: End.allCases)
    func everything(end: End) async throws {
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            $0.passwordCost = .quick
            if end == .anotherSession { $0.limits.sessionsPerPerson = 2 }
        }
        try await withServer(.loopback, configure) { world in
            let (bob, other) = (try await world.signIn("bob"), try await world.signIn("alice"))
            world.clock.advance(bySeconds: 61)
            // All requests use renewed tokens; the session stays the same.
            let renewed = try #require(
                try await world.get("public/users/caller", as: bob)
                    .headers["X-Apple-CloudKit-Web-Auth-Token"])
            #expect(renewed != bob.token)
            let later = Person(name: "bob", token: renewed, recordName: bob.recordName)
            let courier = try await world.courier(of: later, on: "phone")
            let others = try await world.courier(of: other, on: "phone")
            let device = try await world.registered(courier)
            let connection = try await world.service.pushes.connect(device)
            let receipt = try await world.upload([1, 2, 3], record: "f", database: "private", as: later)
            let saved = try await world.modify("private", [world.photo("f", receipt)], as: later)
            let file = try #require(saved.json["records"][0]["fields"]["file"]["value"]["downloadURL"].text)
            #expect(try await world.send("GET", file).bytes == [1, 2, 3])
            let place = try await world.uploadAddress(record: "g", database: "private", as: later)
            try await finish(end, bob, in: world)
            #expect(try await world.get("public/users/caller", as: later).failure == Self.ended)
            #expect(try await world.send("GET", courier).status == 404)
            #expect(
                try await world.send("GET", file).failure
                    == "403 ACCESS_DENIED: the URL is not valid or has expired")
            #expect(
                try await world.send("POST", place, body: [3]).failure
                    == "403 ACCESS_DENIED: the URL is not valid or has expired")
            guard case .ended = try await world.service.pushHub.next(device, connection, atMost: 1) else {
                Issue.record("the connection goes on")
                return
            }
            _ = try await world.registered(others)
        }
    }

    @Test(
        """
        After a restart, download tickets of sessions that go on are valid, those of ended sessions and all \
        upload tickets are not
        """)
    func restart() async throws {
        try await withFolder { folder in
            func serve(_ seed: UInt64) async throws -> ServerWorld {
                let data = folder.appendingPathComponent("data")
                return try await ServerWorld.start(.loopback) {
                    ($0.storage, $0.seed) = (.folder(data), seed)
                }
            }
            let first = try await serve(1)
            let (bob, alice) = (try await first.signIn("bob"), try await first.signIn("alice"))
            var files: [String] = []
            for person in [bob, alice] {
                let receipt = try await first.upload([1, 2], record: "f", database: "private", as: person)
                let saved = try await first.modify("private", [first.photo("f", receipt)], as: person)
                let value = saved.json["records"][0]["fields"]["file"]["value"]
                files.append(try #require(value["downloadURL"].text))
            }
            let place = try await first.uploadAddress(record: "g", database: "private", as: alice)
            try await first.service.sessions.end(of: bob.token)
            await first.stop()

            let second = try await serve(2)
            #expect(
                try await second.send("GET", files[0]).failure
                    == "403 ACCESS_DENIED: the URL is not valid or has expired")
            #expect(try await second.send("GET", files[1]).bytes == [1, 2])
            #expect(
                try await second.send("POST", place, body: [3]).failure
                    == "403 ACCESS_DENIED: this URL is from before the server was restarted")
            let other = try await second.uploadAddress(record: "g", database: "private", as: alice)
            let upload = try await second.send("POST", other, body: [3])
            #expect(upload.status == 200)
            let photo = second.photo("g", upload.json["singleFile"])
            #expect(try await second.modify("private", [photo], as: alice).records == ["ok"])
            await second.stop()
        }
    }

    private func finish(_ end: End, _ bob: Person, in world: ServerWorld) async throws {
        switch end {
        case .signOut:
            let query = "ckWebAuthToken=" + PercentEncoding.encode(bob.token)
            let reply = try await world.send("POST", "/sign-in/end?" + query, body: Array("{}".utf8))
            #expect(reply.status == 200)
        case .operatorSignOut: try await world.service.people.signOut(person: "bob")
        case .password: try await world.service.people.setPassword("correct horse", ofPerson: "bob")
        case .removal: try await world.service.people.delete(named: "bob")
        case .anotherSession:
            for _ in 1...2 { _ = try await world.signIn("bob") }
        }
    }

    @Test("A courier ends with the last session that asked for it, and not with earlier ones")
    func rebinding() async throws {
        try await withServer(.loopback) { world in
            let (first, second) = (try await world.signIn("bob"), try await world.signIn("bob"))
            let courier = try await world.courier(of: first, on: "phone")
            #expect(try await world.courier(of: second, on: "phone") == courier)
            try await world.service.sessions.end(of: first.token)
            _ = try await world.registered(courier)
            try await world.service.sessions.end(of: second.token)
            #expect(try await world.send("GET", courier).status == 404)
        }
    }

    @Test("An anonymous caller downloads a public file by the address in an answer")
    func anonymous() async throws {
        try await withServer(.loopback) { world in
            let bob = try await world.signIn("bob")
            let receipt = try await world.upload([1, 2, 3], record: "f", as: bob)
            try await world.modify("public", [world.photo("f", receipt)], as: bob)
            let found = try await world.lookup("public", "f")
            let file = try #require(found.json["records"][0]["fields"]["file"]["value"]["downloadURL"].text)
            try await world.service.people.signOut(person: "bob")
            #expect(try await world.send("GET", file).bytes == [1, 2, 3])
        }
    }

    @Test("One session more than the limit ends the least recently used one")
    func limit() async throws {
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            $0.access = .closed
            $0.passwordCost = .quick
            $0.limits.sessionsPerPerson = 3
        }
        try await serving(configure) { world in
            let app = try await world.app()
            _ = try await world.service.people.add(Account(id: "", name: "ann"), password: "correct horse")
            func isThere(_ token: String) async throws -> Bool { try await world.knows(token, app) }
            var tokens: [String] = []
            for _ in 1...3 {
                tokens.append(try await world.token(app, name: "ann", password: "correct horse"))
                world.clock.advance(bySeconds: 1)
            }
            // The first session is used again, and the use is stored.
            world.clock.advance(bySeconds: 500)
            for token in tokens { #expect(try await isThere(token)) }
            world.clock.advance(bySeconds: 500)
            #expect(try await isThere(tokens[0]))
            // A page that requests its own token is one more session.
            let body: JSON = [
                "container": "iCloud.test", "environment": "development", "apiToken": .string(app),
            ]
            let query = "?ckAPIToken=\(app)&ckWebAuthToken=" + PercentEncoding.encode(tokens[0])
            let handed = try await world.send("POST", "/sign-in/web-token" + query, body: try body.encoded())
            #expect(handed.status == 200)
            #expect(try await isThere(tokens[0]))
            #expect(try await !isThere(tokens[1]))
            #expect(try await isThere(tokens[2]))
            #expect(try await isThere(try #require(handed.json["ckWebAuthToken"].text)))
        }
    }

    @Test("A session of an open server expires")
    func lifetime() async throws {
        try await withServer(.loopback, { $0.limits.longSessionSeconds = 100 }) { world in
            let bob = try await world.signIn("bob")
            world.clock.advance(bySeconds: 99)
            let kept = try await world.get("public/users/caller", as: bob)
            #expect(kept.status == 200)
            world.clock.advance(bySeconds: 1)
            #expect(try await world.get("public/users/caller", as: bob).failure == Self.ended)
            let token = try #require(kept.headers["X-Apple-CloudKit-Web-Auth-Token"])
            let later = Person(name: "bob", token: token, recordName: "")
            #expect(try await world.get("public/users/caller", as: later).status == 200)
        }
    }

    @Test("A closed server refuses a password that was set by name alone, until the operator sets one")
    func passwordByName() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        var (app, session) = ("", "")
        for access in [ServerConfiguration.Access.open, .closed] {
            let configure: @Sendable (inout ServerConfiguration) -> Void = {
                $0.storage = .folder(folder)
                $0.access = access
                $0.passwordCost = .quick
            }
            try await withServer(.loopback, configure) { world in
                if access == .open {
                    app = try await world.app()
                    _ = try await world.service.people.add(Account(id: "", name: "owner"))
                    let stranger = try await world.signIn("owner")
                    let body: JSON = ["container": "iCloud.test", "password": "strange horse"]
                    let target = "/dev/account?ckWebAuthToken=" + PercentEncoding.encode(stranger.token)
                    let set = try await world.send("POST", target, body: try body.encoded())
                    #expect(set.status == 200)
                    // The password is valid while the server is open, but not on a closed server.
                    session = try await world.token(app, name: "owner", password: "strange horse")
                    return
                }
                #expect(try await !world.knows(session, app))
                let refused = try await world.signIn(app, name: "owner", password: "strange horse")
                #expect(refused.failure == "401 AUTHENTICATION_FAILED: the name or the password is wrong")
                try await world.service.people.setPassword("correct horse", ofPerson: "owner")
                let token = try await world.token(app, name: "owner", password: "correct horse")
                #expect(try await world.knows(token, app))
            }
        }
    }

    @Test("A closed server ends the couriers that it created for unproven sessions while it was open")
    func couriers() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        var (courier, kept) = ("", "")
        for access in [ServerConfiguration.Access.open, .closed, .open] {
            let configure: @Sendable (inout ServerConfiguration) -> Void = {
                $0.storage = .folder(folder)
                $0.access = access
                $0.passwordCost = .quick
            }
            try await withServer(.loopback, configure) { world in
                if courier.isEmpty {
                    let app = try await world.app()
                    courier = try await world.courier(of: try await world.signIn("alice"), on: "phone")
                    _ = try await world.registered(courier)
                    _ = try await world.service.people.add(
                        Account(id: "", name: "ann"), password: "correct horse")
                    let proven = try await world.token(app, name: "ann", password: "correct horse")
                    let ann = Person(name: "ann", token: proven, recordName: "")
                    kept = try await world.courier(of: ann, on: "phone")
                } else {
                    #expect(try await world.send("GET", courier).status == 404)
                }
                _ = try await world.registered(kept)
            }
        }
    }

    @Test("A closed server refuses the unproven sessions that it began while it was open")
    func closing() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        var (byName, byPage, handed, proven, app) = ("", "", "", "", "")
        for (round, access) in [ServerConfiguration.Access.open, .closed, .open].enumerated() {
            let configure: @Sendable (inout ServerConfiguration) -> Void = {
                $0.storage = .folder(folder)
                $0.access = access
                $0.passwordCost = .quick
                $0.seed = UInt64(round)
            }
            try await withServer(.loopback, configure) { world in
                if round == 0 {
                    app = try await world.app()
                    byName = try await world.signIn("alice").token
                    byPage = try await world.token(app, name: "alice", password: "")
                    let body: JSON = [
                        "container": "iCloud.test", "environment": "development", "apiToken": .string(app),
                    ]
                    let reply = try await world.send(
                        "POST", "/sign-in/web-token?ckWebAuthToken=" + PercentEncoding.encode(byName),
                        body: try body.encoded())
                    handed = try #require(reply.json["ckWebAuthToken"].text)
                    _ = try await world.service.people.add(
                        Account(id: "", name: "ann"), password: "correct horse")
                    proven = try await world.token(app, name: "ann", password: "correct horse")
                }
                for (token, isProven) in [(byName, false), (byPage, false), (handed, false), (proven, true)] {
                    let parameters = "ckAPIToken=\(app)&ckWebAuthToken=" + PercentEncoding.encode(token)
                    let reply = try await world.send(
                        "GET", ServerWorld.target("private/zones/list", parameters: parameters))
                    #expect(reply.status == (isProven || round == 0 ? 200 : 421))
                }
            }
        }
    }
}

extension ServerWorld {
    /// Whether the session of a token is valid.
    fileprivate func knows(_ token: String, _ app: String) async throws -> Bool {
        let parameters = "ckAPIToken=\(app)&ckWebAuthToken=" + PercentEncoding.encode(token)
        let target = ServerWorld.target("public/users/caller", parameters: parameters)
        return try await send("GET", target).status == 200
    }

    fileprivate func token(_ app: String, name: String, password: String) async throws -> String {
        let reply = try await signIn(app, name: name, password: password)
        return try #require(reply.json["ckWebAuthToken"].text, "\(reply.text)")
    }

    fileprivate func signIn(_ app: String, name: String, password: String) async throws -> Reply {
        let body: JSON = [
            "container": "iCloud.test", "environment": "development", "name": .string(name),
            "password": .string(password),
        ]
        return try await send("POST", "/sign-in/token?ckAPIToken=" + app, body: try body.encoded())
    }
}
