import CloudService
import CloudletServer
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("User records", .timeLimit(.minutes(30)))
struct UserRecordTests {
    @Test("Everybody can look up the public user record of each person who uses the app")
    func madeOnDemand() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let bob = try await world.signIn("bob")
            let stranger = "_" + String(repeating: "0", count: 32)
            let asked = names(alice.recordName, bob.recordName, stranger)
            for person in [nil, bob] {
                let reply = try await world.call("public/records/lookup", asked, as: person)
                #expect(reply.records == ["ok", "ok", "NOT_FOUND: Record not found"])
                let record = reply.json["records"][0]
                #expect(record["recordType"] == "Users")
                #expect(record["recordName"] == .string(alice.recordName))
                #expect(record["created"]["userRecordName"] == .string(alice.recordName))
                #expect(record["fields"] == [:])
            }
            let again = try await world.lookup("public", alice.recordName)
            let first = try await world.lookup("public", alice.recordName)
            #expect(again.json == first.json)
        }
    }

    @Test("A private database has the user record of its owner and no other")
    func privately() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let bob = try await world.signIn("bob")
            let asked = names(alice.recordName, bob.recordName)
            let reply = try await world.call("private/records/lookup", asked, as: alice)
            #expect(reply.records == ["ok", "NOT_FOUND: Record not found"])
            let other = try await world.call("private/records/lookup", asked, as: bob)
            #expect(other.records == ["NOT_FOUND: Record not found", "ok"])
        }
    }

    @Test("A person can change only their own user record")
    func changing() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let bob = try await world.signIn("bob")
            let name = alice.recordName
            let change = batch([operation("forceUpdate", name, type: "Users", ["motto": text("honk")])])
            let refused = ["ACCESS_DENIED: WRITE operation not permitted"]
            #expect(try await world.call("public/records/modify", change, as: bob).records == refused)
            let nobody = try await world.call("public/records/modify", change)
            #expect(nobody.failure == "421 AUTHENTICATION_REQUIRED: request needs authorization")
            #expect(try await world.call("public/records/modify", change, as: alice).records == ["ok"])
            let found = try await world.lookup("public", name, as: bob)
            #expect(found.json["records"][0]["fields"]["motto"]["value"] == "honk")
            let tag = try #require(found.json["records"][0]["recordChangeTag"].text)
            let update = batch([operation("update", name, tag: tag, ["motto": text("beep")])])
            #expect(try await world.call("public/records/modify", update, as: alice).records == ["ok"])
            let own = batch([operation("forceUpdate", name, ["diary": text("x")])])
            #expect(try await world.call("private/records/modify", own, as: alice).records == ["ok"])
        }
    }

    /// Attempts to create, take over or delete a user record, each with the expected error.
    private static let attempts: [(name: String, operation: @Sendable (String) -> JSON, reason: String)] = [
        ("a new one", { _ in create("me", type: "Users") }, "CREATE operation not permitted"),
        ("one without a name", { _ in create(nil, type: "Users") }, "CREATE operation not permitted"),
        ("one's own", { create($0, type: "Users") }, "CREATE operation not permitted"),
        (
            "one that nobody has",
            { _ in operation("forceUpdate", "_" + String(repeating: "a", count: 32), type: "Users") },
            "CREATE operation not permitted"
        ),
        (
            "another type under the name of nobody",
            { _ in operation("forceReplace", "_" + String(repeating: "a", count: 32), type: "Party") },
            "CREATE operation not permitted"
        ),
        ("deletion", forceDelete, "WRITE operation not permitted"),
        ("deletion by tag", { operation("delete", $0, tag: "1") }, "WRITE operation not permitted"),
    ]

    @Test("Clients cannot create, take over or delete user records", arguments: ["public", "private"])
    func spoofing(database: String) async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            for attempt in Self.attempts {
                let body = batch([attempt.operation(alice.recordName)])
                let reply = try await world.call("\(database)/records/modify", body, as: alice)
                #expect(reply.records == ["ACCESS_DENIED: \(attempt.reason)"], "\(attempt.name)")
            }
            let other = batch([operation("forceUpdate", alice.recordName, type: "Party")])
            let kept = try await world.call("\(database)/records/modify", other, as: alice)
            #expect(kept.records != ["ok"])
            let found = try await world.lookup("\(database)", alice.recordName, as: alice)
            #expect(found.json["records"][0]["recordType"] == "Users")
        }
    }

    @Test("User records cannot be queried")
    func querying() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            _ = try await world.lookup("public", alice.recordName)
            for database in ["public", "private"] {
                let reply = try await world.call(
                    "\(database)/records/query", ["query": ["recordType": "Users"]], as: alice)
                #expect(reply.status == 400)
            }
        }
    }

    @Test("In another container the person has another record name and another user record")
    func containers() async throws {
        try await withServer(.loopback) { world in
            let here = try await world.signIn("alice")
            let there = try await world.signIn("alice", container: "iCloud.other")
            #expect(here.recordName != there.recordName)
            let foreign = try await world.lookup("public", there.recordName)
            #expect(foreign.records == ["NOT_FOUND: Record not found"])
        }
    }

    @Test("Deleting a person deletes the person's public user records")
    func deletion() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            #expect(try await world.lookup("public", alice.recordName).records == ["ok"])
            try await world.service.people.delete(named: "alice")
            let gone = try await world.lookup("public", alice.recordName)
            #expect(gone.records == ["NOT_FOUND: Record not found"])
        }
    }

    @Test("Simultaneous first look-ups return the same user record")
    func race() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            let asked = names(alice.recordName)
            let tags = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 1...20 {
                    group.addTask {
                        let reply = try await world.call("public/records/lookup", asked)
                        return reply.json["records"][0]["recordChangeTag"].text
                    }
                }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(tags.count == 1 && !tags.contains(nil))
        }
    }
}
