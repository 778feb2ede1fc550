import CloudService
import Crypto
import Foundation
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

/// The calls about people, signed as the reference signs `users/lookup/email` in its example of a signature.
@Suite("People, asked for with a server key", .timeLimit(.minutes(30)))
struct ServerKeyPeopleTests {
    @Test(
        "A key acts as its owner, and finds people who agreed to be found",
        arguments: Transport.allCases)
    func people(transport: Transport) async throws {
        try await withServer(transport) { world in
            let pair = P256.Signing.PrivateKey()
            let key = try await world.register(pair.publicKey.pemRepresentation)
            let owner = try await world.service.credentials.serverKeys(of: "iCloud.test")[0].owner
            let alice = try await world.signIn("alice")
            try await world.service.people.change(named: "alice") { $0.email = "alice@example.org" }
            try await world.call("public/users/permission", ["userDiscoverability": true], as: alice)
            for endpoint in ["public/users/caller", "public/users/current", "private/users/current"] {
                let reply = try await world.call(endpoint, nil, key, pair)
                #expect(reply.json["userRecordName"] == .string(owner), "\(endpoint): \(reply.text)")
            }
            let email: JSON = ["emailAddress": "alice@example.org"]
            let byEmail = try await world.call(
                "public/users/lookup/email", ["users": [email, ["emailAddress": "bob@example.org"]]], key,
                pair)
            #expect(byEmail.items("users") == ["ok", "NOT_FOUND: User not found"])
            #expect(byEmail.json["users"][0]["userRecordName"] == .string(alice.recordName))
            let name: JSON = ["userRecordName": .string(alice.recordName)]
            let byName = try await world.call(
                "public/users/lookup/id", ["users": [name]], key, pair)
            #expect(byName.json["users"][0]["userRecordName"] == .string(alice.recordName))
            let found = try await world.call(
                "public/users/discover", ["lookupInfos": [email]], key, pair)
            #expect(found.json["users"].texts("userRecordName") == [alice.recordName])
            let contacts = try await world.call("public/users/lookup/contacts", nil, key, pair)
            #expect(contacts.json["users"] == [])
        }
    }

    @Test("A key cannot agree to be found, and the error does not blame its signature")
    func refused() async throws {
        try await withServer(.loopback) { world in
            let pair = P256.Signing.PrivateKey()
            let key = try await world.register(pair.publicKey.pemRepresentation)
            let reply = try await world.call(
                "public/users/permission", ["userDiscoverability": true], key, pair)
            #expect(
                reply.failure
                    == "403 ACCESS_DENIED: the signature is valid, but this call is not open to "
                    + "server-to-server keys")
        }
    }
}
