import CloudService
import CloudletServer
import CloudletTesting
import Foundation
import Logging
import RecordStoreSQLite
import Records
import Synchronization
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Accounts", .timeLimit(.minutes(30)))
struct AccountTests {
    private func ann(_ email: String? = "Ann@Example.org", _ phone: String? = "+44 (20) 7946-0018") -> Account
    {
        Account(
            id: "", name: "ann", email: email, phone: phone, givenName: "Ann", familyName: "Archer")
    }

    @Test("A person is stored with normalized addresses, and found by name and by e-mail")
    func adding() async throws {
        try await withServer(.loopback, { $0.passwordCost = .quick }) { world in
            let service = world.service
            let added = try await service.people.add(ann(), password: "correct horse")
            #expect(added.email == "ann@example.org")
            #expect(added.phone == "+442079460018")
            #expect(added.status == .available)
            #expect(added.hasPassword)
            #expect(try await service.people.person(named: "ann") == added)
            #expect(try await service.people.person(named: "ANN@example.org") == added)
            #expect(try await service.people.all() == [added])
            await #expect(throws: RecordError.self) { try await service.people.person(named: "Ann") }
        }
    }

    @Test("An operator finds a person by name, and by the record name in a container")
    func recordNames() async throws {
        try await withServer(.loopback) { world in
            let bob = try await world.signIn("bob")
            _ = try await world.signIn("alice")
            let shown = try await world.operate("GET", "people/\(bob.recordName)")
            #expect(shown.json["name"] == "bob", "\(shown.text)")
            #expect(try await world.operate("GET", "people/bob").json == shown.json)
            #expect(try await world.operate("GET", "people/_nobody").status == 404)
        }
    }

    @Test(
        "Malformed names, addresses and phone numbers are refused",
        arguments: [
            Account(id: "", name: ""), Account(id: "", name: "a b"),
            Account(id: "", name: "a", email: "nobody"), Account(id: "", name: "a", email: "a@b@c"),
            Account(id: "", name: "a", email: "@b"), Account(id: "", name: "a", email: "a b@c"),
            Account(id: "", name: "a", phone: "123456"), Account(id: "", name: "a", phone: "+12a4567"),
            Account(id: "", name: "a", phone: "+123"), Account(id: "", name: "a", phone: "+1234567890123456"),
            Account(id: "", name: "a", givenName: ""), Account(id: "", name: "a", familyName: "x\ny"),
            Account(id: "", name: "a" + String(repeating: "\u{301}", count: 600)),
        ]
    )
    func badAccounts(account: Account) async throws {
        try await withServer(.loopback) { world in
            await #expect(throws: RecordError.self) { try await world.service.people.add(account) }
            let people = try await world.service.people.all()
            #expect(people == [])
        }
    }

    @Test("Passwords have 8 to 256 characters")
    func passwords() async throws {
        try await withServer(.loopback, { $0.passwordCost = .quick }) { world in
            for length in [0, 7, 257] {
                let password = String(repeating: "x", count: length)
                await #expect(throws: RecordError.self) {
                    try await world.service.people.add(Account(id: "", name: "ann"), password: password)
                }
            }
            for length in [8, 256] {
                let password = String(repeating: "ü", count: length)
                _ = try await world.service.people.add(
                    Account(id: "", name: "a\(length)"), password: password)
            }
        }
    }

    @Test("Passwords and names are bounded by bytes too: a character may have any number of them")
    func bytes() async throws {
        try await withServer(.loopback, { $0.passwordCost = .quick }) { world in
            let service = world.service
            func accents(_ count: Int) -> String { String(repeating: "\u{301}", count: count) }
            let (longest, tooLong) = ("password" + accents(2044), "password" + accents(2045))
            await #expect(throws: RecordError.self) {
                try await service.people.add(ann(), password: tooLong)
            }
            _ = try await service.people.add(ann(), password: longest)
            func signIn(_ name: String, _ password: String) async throws -> SignIn {
                let attempt = SignInAttempt(
                    name: name, password: password, staysSignedIn: false, address: nil)
                return try await service.people.signIn(
                    attempt, container: "iCloud.test", environment: .development)
            }
            _ = try await signIn("ann", longest)
            await #expect(throws: RecordError.self) { try await signIn("ann", tooLong) }
        }
    }

    @Test("An empty password is refused and counts as no attempt, so the right one is accepted at once")
    func emptyPassword() async throws {
        try await withServer(
            .loopback,
            {
                $0.passwordCost = .quick
                $0.access = .closed
            }
        ) { world in
            try await world.createContainer()
            _ = try await world.service.people.add(ann(), password: "correct horse")
            func signIn(_ password: String) async throws -> SignIn {
                let attempt = SignInAttempt(
                    name: "ann", password: password, staysSignedIn: false, address: "192.0.2.1")
                return try await world.service.people.signIn(
                    attempt, container: "iCloud.test", environment: .development)
            }
            for _ in 0..<70 {
                let error = await #expect(throws: RecordError.self) { try await signIn("") }
                #expect(error?.code == .authenticationFailed)
            }
            _ = try await signIn("correct horse")
        }
    }

    @Test("An attempt after the announced wait is accepted, and the log reports a refusal without the name")
    func wait() async throws {
        let notebook = LogRecorder()
        try await withServer(
            .loopback,
            {
                $0.passwordCost = .quick
                $0.access = .closed
                $0.logger = Logger(label: "test") { _ in LogRecorder.Writer(notebook: notebook) }
            }
        ) { world in
            try await world.createContainer()
            _ = try await world.service.people.add(ann(), password: "correct horse")
            func signIn(_ password: String) async throws -> SignIn {
                let attempt = SignInAttempt(
                    name: "ann", password: password, staysSignedIn: false, address: "192.0.2.1")
                return try await world.service.people.signIn(
                    attempt, container: "iCloud.test", environment: .development)
            }
            for _ in 0..<5 {
                await #expect(throws: RecordError.self) { try await signIn("wrong horse") }
            }
            let early = await #expect(throws: RecordError.self) { try await signIn("correct horse") }
            #expect(early?.code == .throttled)
            let seconds = try #require(early?.retryAfter)
            world.clock.advance(bySeconds: TimeInterval(seconds))
            // The shell asks without a password first.
            await #expect(throws: RecordError.self) { try await signIn("") }
            _ = try await signIn("correct horse")
        }
        let lines = notebook.lines.withLock(\.self)
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("an attempt to sign in was refused after too many wrong") == true)
        #expect(lines.first?.contains("ann") == false)
    }

    @Test("Names, addresses and numbers are unique, and no name equals another person's address")
    func unique() async throws {
        try await withServer(.loopback) { world in
            let service = world.service
            _ = try await service.people.add(ann())
            let others = [
                Account(id: "", name: "ann"), Account(id: "", name: "bob", email: "ann@example.org"),
                Account(id: "", name: "bob", phone: "+442079460018"),
                Account(id: "", name: "ann@example.org"), Account(id: "", name: "Ann@Example.org"),
            ]
            for other in others {
                let error = await #expect(throws: RecordError.self) { try await service.people.add(other) }
                #expect(error?.code == .exists)
            }
            _ = try await service.people.add(Account(id: "", name: "bob"))
            let taken = await #expect(throws: RecordError.self) {
                try await service.people.change(named: "bob") { $0.email = "ANN@example.org" }
            }
            #expect(taken?.code == .exists)
            let same = try await service.people.change(named: "ann") { $0.givenName = nil }
            #expect(same.givenName == nil)
            #expect(same.email == "ann@example.org")
        }
    }

    @Test("A person cannot take a name that is or could be another person's address or number")
    func assumedNames() async throws {
        try await serving { world in
            _ = try await world.service.people.add(ann())
            _ = try await world.service.people.add(Account(id: "", name: "carl@example.org"))
            func signIn(_ name: String) async throws -> Int {
                let body: JSON = ["name": .string(name), "container": "iCloud.test"]
                return try await world.send("POST", "/dev/sign-in", body: try body.encoded()).status
            }
            for name in ["ann@example.org", "ANN@example.org", "nobody@example.org", "a@b"] {
                #expect(try await signIn(name) == 400)
            }
            #expect(try await signIn("+442079460018") == 409)
            #expect(try await signIn("carl@example.org") == 200)
            #expect(try await world.service.people.all().map(\.name) == ["ann", "carl@example.org"])
        }
    }

    @Test("A new password ends the sessions")
    func newPassword() async throws {
        try await serving({ $0.passwordCost = .quick }) { world in
            let alice = try await world.signIn("alice")
            #expect(try await world.get("public/users/caller", as: alice).status == 200)
            try await world.service.people.setPassword("another horse", ofPerson: "alice")
            let ended = try await world.get("public/users/caller", as: alice)
            #expect(ended.failure == "421 AUTHENTICATION_REQUIRED: the session has ended")
            #expect(try await world.service.people.person(named: "alice").hasPassword)
        }
    }

    @Test("A restricted account reads like an anonymous caller, and its other calls fail with the reason")
    func trouble() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            _ = try await world.modify("public", [create("p1")], as: alice)
            let states: [(AccountStatus, String)] = [
                (.restricted, "403 ACCESS_DENIED: the account is restricted"),
                (.temporarilyUnavailable, "503 TRY_AGAIN_LATER: the account is temporarily unavailable"),
            ]
            for (status, refusal) in states {
                try await world.service.people.change(named: "alice") { $0.status = status }
                #expect(try await world.get("public/users/caller", as: alice).failure == refusal)
                #expect(try await world.get("private/zones/list", as: alice).failure == refusal)
                let save = try await world.modify("public", [create("p2")], as: alice)
                #expect(save.failure == refusal)
                let read = try await world.lookup("public", "p1", as: alice)
                #expect(read.records == ["ok"])
            }
            try await world.service.people.change(named: "alice") { $0.status = .available }
            let again = try await world.modify("public", [create("p2")], as: alice)
            #expect(again.records == ["ok"])
        }
    }

    @Test("Deleting a person deletes the private files, and the name then belongs to a new account")
    func deleting() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            let bob = try await world.signIn("bob")
            for person in [alice, bob] {
                _ = try await world.modify("private", [create("diary")], as: person)
            }
            _ = try await world.modify("public", [create("p1")], as: alice)
            let ofAlice = world.files { $0.contains(alice.recordName) }
            #expect(!ofAlice.isEmpty)
            try await world.service.people.delete(named: "alice")
            #expect(world.files { $0.contains(alice.recordName) } == [])
            #expect(!world.files { $0.contains(bob.recordName) }.isEmpty)
            let ended = try await world.get("private/zones/list", as: alice)
            #expect(ended.failure == "421 AUTHENTICATION_REQUIRED: the session has ended")
            #expect(try await world.lookup("public", "p1").records == ["ok"])
            #expect(try await world.lookup("private", "diary", as: bob).records == ["ok"])
            let namesake = try await world.signIn("alice")
            #expect(namesake.recordName != alice.recordName)
            let empty = try await world.lookup("private", "diary", as: namesake)
            #expect(empty.records == ["NOT_FOUND: Record not found"])
            await #expect(throws: RecordError.self) { try await world.service.people.delete(named: "carol") }
        }
    }

    @Test("No file on disk contains a password or a token")
    func secrets() async throws {
        try await withServer(.loopback, { $0.passwordCost = .quick }) { world in
            let service = world.service
            _ = try await service.people.add(ann(), password: "correct horse")
            let alice = try await world.signIn("alice")
            let app = try await service.credentials.addAPIToken(
                container: "iCloud.test", environment: .development, label: "web")
            let secrets = ["correct horse", app.text, alice.token, String(alice.token.suffix(40))]
            let directory = world.files { $0.contains("directory.sqlite") }
            #expect(!directory.isEmpty)
            for file in directory {
                let path = world.server.dataFolder.appendingPathComponent(file)
                let bytes = try Data(contentsOf: path)
                for secret in secrets { #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(file)") }
            }
        }
    }
}
