import CloudService
import CloudletServer
import Crypto
import Foundation
import Records
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Discovery", .timeLimit(.minutes(30)))
struct DiscoveryTests {
    @Test("The list of roles names only members who can be found; the others have their record name")
    func roleMembers() async throws {
        try await serving { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            _ = try await world.importSchema(schemaText("x INT64", roles: ["Staff"]))
            for name in ["alice", "bob"] { _ = try await world.role("grant", "Staff", name) }
            func names() async throws -> [String: String?] {
                let target = "containers/iCloud.test/development/roles"
                let members = try await world.operate("GET", target).json["roles"][0]["members"]
                var names: [String: String?] = [:]
                for member in members.elements {
                    names[member["userRecordName"].text ?? ""] = .some(member["person"].text)
                }
                return names
            }
            #expect(try await names() == [alice.recordName: nil, bob.recordName: nil])
            try await world.call("public/users/permission", ["userDiscoverability": true], as: bob)
            #expect(try await names() == [alice.recordName: nil, bob.recordName: "bob"])
        }
    }

    /// Ann and Bob use the app, Carol only has an account. Only Ann agreed to be found.
    private func people(_ world: ServerWorld) async throws -> (ann: Person, bob: Person) {
        for (index, (name, given)) in [("ann", "Ann"), ("bob", "Bob"), ("carol", "Carol")].enumerated() {
            let account = Account(
                id: "", name: name, email: "\(name)@example.org", phone: "+44 20 7946 00\(index)8",
                givenName: given, familyName: "Weiß")
            _ = try await world.service.people.add(account)
        }
        let ann = try await world.signIn("ann")
        let bob = try await world.signIn("bob")
        let said = try await world.call("public/users/permission", ["userDiscoverability": true], as: ann)
        #expect(said.json == ["userDiscoverability": true])
        return (ann, bob)
    }

    private func infos(_ infos: JSON...) -> JSON { ["lookupInfos": .array(infos)] }

    @Test("A person who agreed is found by e-mail address, phone number, record name and hash")
    func found() async throws {
        try await withServerAndPeople { world, ann, bob in
            let hash = try hashed("mailto:ann@example.org")
            let asked: [JSON] = [
                ["emailAddress": "Ann@Example.org"], ["phoneNumber": "+44 (20) 7946-0008"],
                ["userRecordName": .string(ann.recordName)], ["contactHash": .string(hash)],
            ]
            let reply = try await world.call("public/users/discover", ["lookupInfos": .array(asked)], as: bob)
            #expect(
                reply.json["users"].elements
                    == asked.map { info in
                        [
                            "userRecordName": .string(ann.recordName),
                            "nameComponents": ["givenName": "Ann", "familyName": "Weiß"],
                            "lookupInfo": info,
                        ]
                    })
        }
    }

    @Test("People who have not agreed cannot be told from people who do not exist")
    func nobody() async throws {
        try await withServerAndPeople { world, ann, bob in
            let unknown = "_" + String(repeating: "0", count: 32)
            let asked = infos(
                ["emailAddress": "bob@example.org"], ["emailAddress": "carol@example.org"],
                ["emailAddress": "dora@example.org"], ["emailAddress": "no address"],
                ["phoneNumber": "12"], ["userRecordName": .string(bob.recordName)],
                ["userRecordName": .string(unknown)], ["contactHash": "AAEC"])
            #expect(
                try await world.call("public/users/discover", asked, as: ann).json == ["users": []])
            let old = try await world.call(
                "public/users/lookup/email",
                ["users": [["emailAddress": "bob@example.org"], ["emailAddress": "dora@example.org"]]],
                as: ann)
            #expect(old.items("users") == ["NOT_FOUND: User not found", "NOT_FOUND: User not found"])
            #expect(
                old.json["users"].texts("emailAddress") == ["bob@example.org", "dora@example.org"])
        }
    }

    @Test("A person who withdraws the agreement is no longer found")
    func takenBack() async throws {
        try await withServerAndPeople { world, ann, bob in
            let asked = infos(["emailAddress": "ann@example.org"])
            #expect(try await world.call("public/users/discover", asked, as: bob).json["users"][0] != .null)
            _ = try await world.call("public/users/permission", ["userDiscoverability": false], as: ann)
            #expect(try await world.call("public/users/discover", asked, as: bob).json == ["users": []])
            let said = try await world.call("public/users/permission", as: ann)
            #expect(said.json == ["userDiscoverability": false])
            #expect(try await world.call("public/users/permission", as: bob).json == [:])
        }
    }

    @Test("An agreement is valid in one container")
    func containers() async throws {
        try await withServerAndPeople { world, _, _ in
            _ = try await world.signIn("ann", container: "iCloud.other")
            let bob = try await world.signIn("bob", container: "iCloud.other")
            let asked = infos(["emailAddress": "ann@example.org"])
            let reply = try await world.call(
                "public/users/discover", asked, as: bob, container: "iCloud.other")
            #expect(reply.json == ["users": []])
        }
    }

    @Test("A new address is found at once, the old one no longer")
    func newAddress() async throws {
        try await withServerAndPeople { world, _, bob in
            try await world.service.people.change(named: "ann") { $0.email = "ann@example.com" }
            for (address, count) in [("ann@example.org", 0), ("ann@example.com", 1)] {
                for key in ["emailAddress", "contactHash"] {
                    let value = key == "emailAddress" ? address : try hashed("mailto:" + address)
                    let reply = try await world.call(
                        "public/users/discover", infos([key: .string(value)]), as: bob)
                    #expect(reply.json["users"].elements.count == count, "\(key) \(address)")
                }
            }
        }
    }

    @Test("Older calls return one user dictionary for each person asked for")
    func olderCalls() async throws {
        try await withServerAndPeople { world, ann, bob in
            let dictionary: JSON = [
                "userRecordName": .string(ann.recordName), "firstName": "Ann", "lastName": "Weiß",
            ]
            let byEmail = try await world.call(
                "public/users/lookup/email", ["users": [["emailAddress": "ann@example.org"]]], as: bob)
            #expect(byEmail.json["users"][0] == dictionary.with(["emailAddress": "ann@example.org"]))
            let byID = try await world.call(
                "public/users/lookup/id", ["users": [["userRecordName": .string(ann.recordName)]]], as: bob)
            #expect(byID.json["users"][0] == dictionary)
            for call in ["public/users/lookup/contacts", "public/users/discover"] {
                #expect(try await world.get(call, as: bob).json == ["users": []])
            }
        }
    }

    @Test("The current user's own name is returned once the person agreed to be found")
    func caller() async throws {
        try await withServerAndPeople { world, ann, bob in
            let mine = try await world.get("public/users/caller", as: ann)
            #expect(mine.json["nameComponents"]["givenName"] == "Ann")
            #expect(mine.json["lookupInfo"]["emailAddress"] == "ann@example.org")
            let older = try await world.get("public/users/current", as: ann)
            #expect(older.json["firstName"] == "Ann")
            let other = try await world.get("public/users/caller", as: bob)
            #expect(other.json == ["userRecordName": .string(bob.recordName)])
        }
    }

    @Test("Only signed-in people look people up, and only a limited number at once")
    func refusals() async throws {
        try await withServerAndPeople { world, _, bob in
            for call in ["discover", "lookup/email", "lookup/id", "lookup/contacts", "permission", "caller"] {
                let body: JSON = ["users": []]
                let reply =
                    call == "caller"
                    ? try await world.get("public/users/\(call)")
                    : try await world.call("public/users/\(call)", body)
                #expect(reply.status == 421, "\(call)")
            }
            let many = JSON.array(Array(repeating: ["emailAddress": "a@b.c"], count: 201))
            let reply = try await world.call("public/users/discover", ["lookupInfos": many], as: bob)
            #expect(reply.status == 400)
            let shapeless = try await world.call("public/users/discover", infos(["name": "ann"]), as: bob)
            #expect(shapeless.status == 400)
        }
    }

    private func withServerAndPeople(
        _ scenario: (ServerWorld, _ ann: Person, _ bob: Person) async throws -> Void
    ) async throws {
        try await serving { world in
            let (ann, bob) = try await people(world)
            try await scenario(world, ann, bob)
        }
    }
}

/// The hash of an address, by the definition: PBKDF2 (RFC 8018) with one block of HMAC over SHA-256.
private func hashed(_ text: String) throws -> String {
    let key = SymmetricKey(data: Array(text.utf8))
    var link = Array("cloudlet.contact.1".utf8) + [0, 0, 0, 1]
    var sum = [UInt8](repeating: 0, count: 32)
    for _ in 1...10_000 {
        link = Array(HMAC<SHA256>.authenticationCode(for: link, using: key))
        for index in sum.indices { sum[index] ^= link[index] }
    }
    return Data(sum).base64EncodedString()
}
