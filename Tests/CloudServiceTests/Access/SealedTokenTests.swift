import Crypto
import Foundation
import RecordsWire
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Sealed tokens and cursors", .timeLimit(.minutes(30)))
struct SealedTokenTests {
    private static let expired = "BAD_REQUEST: client knowledge differs from server knowledge"

    /// The token as a version without seals would have returned it.
    private static func unsealed(_ token: JSON) throws -> JSON {
        let bytes = try #require(token.text.flatMap { Data(base64Encoded: $0) })
        return .string(bytes.dropLast(16).base64EncodedString())
    }

    /// The token with another last byte.
    private static func forged(_ token: JSON) throws -> JSON {
        var bytes = try #require(token.text.flatMap { Data(base64Encoded: $0) })
        bytes[bytes.count - 1] ^= 1
        return .string(bytes.base64EncodedString())
    }

    private static func feed(_ token: JSON, reversed: Bool = false) -> JSON {
        [
            "zones": [
                [
                    "zoneID": ["zoneName": "Notes"], "syncToken": token, "reverse": .bool(reversed),
                    "resultsLimit": 1,
                ]
            ]
        ]
    }

    /// A person with three records in the zone Notes.
    private static func person(_ name: String, in world: ServerWorld) async throws -> Person {
        let person = try await world.signIn(name)
        _ = try await world.call("private/zones/modify", ServerKit.zones(create: ["Notes"]), as: person)
        let saves = (0..<3).map { create("n\($0)") }
        _ = try await world.modify("private", saves, zone: "Notes", as: person)
        return person
    }

    @Test("A token without a valid seal, such as one of an earlier release, is expired in every feed")
    func unsealedTokens() async throws {
        try await serving { world in
            let alice = try await Self.person("alice", in: world)
            for isReversed in [false, true] {
                let page = try await world.call(
                    "private/changes/zone", Self.feed(nil, reversed: isReversed), as: alice)
                let token = page.json["zones"][0]["syncToken"]
                for altered in [try Self.unsealed(token), try Self.forged(token)] {
                    let reply = try await world.call(
                        "private/changes/zone", Self.feed(altered, reversed: isReversed), as: alice)
                    #expect(reply.items("zones") == [Self.expired])
                }
                let next = try await world.call(
                    "private/changes/zone", Self.feed(token, reversed: isReversed), as: alice)
                #expect(next.items("zones") == ["ok"])
            }
            let whole = try await world.call("private/changes/database", as: alice).json["syncToken"]
            for altered in [try Self.unsealed(whole), try Self.forged(whole)] {
                let reply = try await world.call(
                    "private/changes/database", ["syncToken": altered], as: alice,
                    headers: ["X-Cloudlet-Details": "1"])
                #expect(reply.failure == "400 " + Self.expired)
                #expect(reply.json["cloudlet"]["code"] == "changeTokenExpired")
            }
            let told = try await world.device("notifications/changes", as: alice).json["syncToken"]
            for altered in [try Self.unsealed(told), try Self.forged(told)] {
                let reply = try await world.device("notifications/changes", ["syncToken": altered], as: alice)
                #expect(reply.failure == "400 " + Self.expired)
            }
            #expect(
                try await world.device("notifications/changes", ["syncToken": told], as: alice).status == 200)
        }
    }

    @Test("A token of another database is expired")
    func otherDatabase() async throws {
        try await serving { world in
            let alice = try await Self.person("alice", in: world)
            let bob = try await Self.person("bob", in: world)
            let page = try await world.call("private/changes/zone", Self.feed(nil), as: bob)
            let reply = try await world.call(
                "private/changes/zone", Self.feed(page.json["zones"][0]["syncToken"]), as: alice)
            #expect(reply.items("zones") == [Self.expired])
            let whole = try await world.call("private/changes/database", as: bob).json["syncToken"]
            let other = try await world.call("private/changes/database", ["syncToken": whole], as: alice)
            #expect(other.failure == "400 " + Self.expired)
        }
    }

    @Test("All calls return the same token for a zone, and changes can be fetched with it")
    func sameEverywhere() async throws {
        try await serving { world in
            let alice = try await Self.person("alice", in: world)
            let named: JSON = ["zones": [["zoneName": "Notes"]]]
            let feed: JSON = ["zones": [["zoneID": ["zoneName": "Notes"]]]]
            let tokens = [
                try await world.call("private/zones/lookup", named, as: alice).json["zones"][0]["syncToken"],
                try await world.get("private/zones/list", as: alice).json["zones"][1]["syncToken"],
                try await world.call("private/changes/database", as: alice).json["zones"][0]["syncToken"],
                try await world.call("private/changes/zone", feed, as: alice).json["zones"][0]["syncToken"],
                try await world.call(
                    "private/zones/modify", ServerKit.zones(create: ["Notes"]), as: alice
                ).json["zones"][0]["syncToken"],
            ]
            #expect(Set(tokens).count == 1)
            let next = try await world.call("private/changes/zone", Self.feed(tokens[0]), as: alice)
            #expect(next.items("zones") == ["ok"])
            #expect(next.json["zones"][0]["records"] == [])
        }
    }

    @Test("A cursor without this installation's seal is refused with the advice to query again")
    func cursors() async throws {
        try await serving { world in
            let alice = try await Self.person("alice", in: world)
            let query: JSON = [
                "query": ["recordType": "Party"], "zoneID": ["zoneName": "Notes"], "resultsLimit": 1,
            ]
            let first = try await world.call("private/records/query", query, as: alice)
            let marker = first.json["continuationMarker"]
            let token = try await world.get("private/zones/list", as: alice).json["zones"][1]["syncToken"]
            for (altered, reason) in [
                (try Self.unsealed(marker), "Invalid continuation format"),
                (try Self.forged(marker), "Invalid continuation format"),
                (token, "Unknown sync continuation type"),
            ] {
                let reply = try await world.call(
                    "private/records/query", query.with(["continuationMarker": altered]), as: alice,
                    headers: ["X-Cloudlet-Details": "1"])
                #expect(reply.failure == "400 BAD_REQUEST: " + reason)
                let nextStep = "begin the query again, and send the marker of the last answer unchanged"
                #expect(reply.json["cloudlet"]["nextStep"] == .string(nextStep))
            }
            let crossed = try await world.call("private/changes/zone", Self.feed(marker), as: alice)
            #expect(crossed.items("zones") == ["BAD_REQUEST: Unknown sync continuation type"])
            let next = try await world.call(
                "private/records/query", query.with(["continuationMarker": marker]), as: alice)
            #expect(next.json["records"].texts("recordName") == ["n1"])
        }
    }

    @Test(
        "The code of a seal is HMAC-SHA256 of the bytes and their kind",
        arguments: [0, 1, 63, 64, 65, 1000])
    func code(length: Int) {
        let secret = SymmetricKey(data: [UInt8](repeating: 1, count: 32))
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret, info: Array("places in results and feeds".utf8), outputByteCount: 32)
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        let code = HMAC<SHA256>.authenticationCode(for: bytes + [TokenSeal.Kind.changes.rawValue], using: key)
        #expect(TokenSeal(key: secret).sealed(bytes, .changes) == bytes + Array(code).prefix(16))
    }

    @Test("A seal is the same under one secret, and differs with the secret, the kind and each bit")
    func seals() {
        let seal = TokenSeal(key: SymmetricKey(data: [UInt8](repeating: 1, count: 32)))
        let again = TokenSeal(key: SymmetricKey(data: [UInt8](repeating: 1, count: 32)))
        let other = TokenSeal(key: SymmetricKey(data: [UInt8](repeating: 2, count: 32)))
        for length in [0, 1, 18, 34, 42, 1000] {
            let bytes = [UInt8](repeating: 7, count: length)
            let sealed = seal.sealed(bytes, .query)
            #expect(sealed.count == length + 16)
            #expect(again.opened(sealed, .query) == bytes)
            #expect(other.opened(sealed, .query) == nil)
            for kind in [TokenSeal.Kind.changes, .notifications, .zones] {
                #expect(seal.opened(sealed, kind) == nil)
            }
            for place in stride(from: 0, to: sealed.count, by: max(1, sealed.count / 50)) {
                var altered = sealed
                altered[place] ^= 1 << (place % 8)
                #expect(seal.opened(altered, .query) == nil)
                #expect(seal.opened(Array(sealed.prefix(place)), .query) == nil)
            }
        }
    }
}
