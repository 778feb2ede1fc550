import CloudService
import CloudletServer
import CloudletTesting
import Crypto
import Foundation
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Signed requests", .timeLimit(.minutes(30)))
struct SignatureTests {
    private static let body = Array(#"{"records":[{"recordName":"a"}]}"#.utf8)
    private static let path = ServerWorld.target("public/records/lookup")
    private static let refusal = "401 AUTHENTICATION_FAILED: the signature is not valid"
    /// The time of the tests' clock.
    private static let date = "2014-06-02T12:00:00Z"

    private func send(
        _ world: ServerWorld, _ target: String, _ headers: CloudHeaders, method: String = "POST",
        body: [UInt8] = Self.body
    ) async throws -> Reply {
        try await world.send(method, target, headers: headers, body: body)
    }

    @Test(
        "A signature made by openssl is valid over the path with its query and without",
        arguments: Transport.allCases)
    func openssl(transport: Transport) async throws {
        let tool = try await OpenSSL()
        defer { tool.remove() }
        try await withServer(transport, { $0.access = .closed }) { world in
            let key = try await world.register(tool.publicKey)
            let query = Self.path + "?ckjsBuildVersion=1811ProjectDev27&ckjsVersion=2.4.0"
            let hash = try await tool.hash(Self.body)
            for (target, signed) in [(Self.path, Self.path), (query, query), (query, Self.path)] {
                let signature = try await tool.sign("\(Self.date):\(hash):\(signed)")
                let headers = SignedRequest.headers(key, Self.date, signature)
                let reply = try await send(world, target, headers)
                #expect(reply.records == ["NOT_FOUND: Record not found"], "\(target) \(signed)")
            }
            let signature = try await tool.sign("\(Self.date):\(hash):\(query)")
            let bare = try await send(world, Self.path, SignedRequest.headers(key, Self.date, signature))
            #expect(bare.failure == Self.refusal)
        }
    }

    @Test(
        "For an empty body, the signed text contains the hash of no bytes, or nothing",
        arguments: Transport.allCases)
    func emptyBody(transport: Transport) async throws {
        try await withServer(transport) { world in
            let pair = P256.Signing.PrivateKey()
            let key = try await world.register(pair.publicKey.pemRepresentation)
            let list = ServerWorld.target("public/zones/list")
            let hash = SignedRequest.hash([])
            for (method, hash, status) in [("GET", hash, 200), ("GET", "", 200), ("POST", "", 200)] {
                let text = "\(Self.date):\(hash):\(list)"
                let headers = SignedRequest.headers(key, Self.date, try pair.sign(text))
                #expect(try await send(world, list, headers, method: method, body: []).status == status)
            }
            let text = "\(Self.date)::\(Self.path)"
            let full = try await send(
                world, Self.path, SignedRequest.headers(key, Self.date, try pair.sign(text)))
            #expect(full.failure == Self.refusal)
        }
    }

    @Test("A thousand requests with one changed part are all refused")
    func mutations() async throws {
        let seed: UInt64 = 1
        var random = SeededNumbers(seed: seed)
        let pair = P256.Signing.PrivateKey()
        try await withServer(.loopback) { world in
            let key = try await world.register(pair.publicKey.pemRepresentation)
            let target = Self.path + "?a=b"
            let text = "\(Self.date):\(SignedRequest.hash(Self.body)):\(target)"
            let good = SignedParts(
                key: key, date: Self.date, signature: try pair.sign(text), target: target, body: Self.body)
            #expect(try await good.send(to: world).status == 200)
            for number in 1...1000 {
                let bad = good.mutated(using: &random)
                let reply = try await bad.send(to: world)
                #expect(reply.status != 200, "seed \(seed), mutation \(number): \(bad)")
                #expect(reply.json["records"] == .null, "seed \(seed), mutation \(number): \(bad)")
            }
        }
    }

    @Test(
        "A signature is valid for ten minutes before and after its date, by the server's clock",
        arguments: Transport.allCases)
    func clock(transport: Transport) async throws {
        try await withServer(transport) { world in
            let pair = P256.Signing.PrivateKey()
            let key = try await world.register(pair.publicKey.pemRepresentation)
            let cases = [
                ("2014-06-02T12:00:00Z", 200), ("2014-06-02T11:50:00Z", 200), ("2014-06-02T12:10:00Z", 200),
                ("2014-06-02T11:49:58Z", 401), ("2014-06-02T12:10:02Z", 401), ("2014-06-01T12:00:00Z", 401),
                ("2014-06-02T12:00:00.000Z", 401), ("2014-06-02T12:00:00+00:00", 401), ("", 401),
                ("now", 401), ("2014-06-02 12:00:00Z", 401), ("2014-13-02T12:00:00Z", 401),
            ]
            for (date, status) in cases {
                let text = "\(date):\(SignedRequest.hash(Self.body)):\(Self.path)"
                let reply = try await send(
                    world, Self.path, SignedRequest.headers(key, date, try pair.sign(text)))
                #expect(reply.status == status, "\(date)")
                if status == 401 { #expect(reply.failure == Self.refusal) }
            }
        }
    }

    @Test("A signed change is accepted once, even under its signature's other valid form")
    func changesOnce() async throws {
        try await withServer(.loopback) { world in
            let pair = P256.Signing.PrivateKey()
            let key = try await world.register(pair.publicKey.pemRepresentation)
            let target = ServerWorld.target("public/records/modify")
            let save = try batch([operation("create", nil, type: "Party")]).encoded()
            let signature = try pair.sign("\(Self.date):\(SignedRequest.hash(save)):\(target)")
            let headers = SignedRequest.headers(key, Self.date, signature)
            #expect(try await send(world, target, headers, body: save).status == 200)
            let used = "401 AUTHENTICATION_FAILED: the signature was used before"
            // Anybody can compute the other valid `s`; the query is not signed.
            let twin = SignedRequest.headers(key, Self.date, try Self.twin(of: signature))
            for (target, headers) in [(target, headers), (target, twin), (target + "?a=b", headers)] {
                let again = try await send(world, target, headers, body: save)
                #expect(again.failure == used, "\(target)")
            }
            world.clock.advance(bySeconds: 599)
            #expect(try await send(world, target, headers, body: save).failure == used)
            let fresh = SignedRequest.headers(
                key, Self.date, try pair.sign("\(Self.date):\(SignedRequest.hash(save)):\(target)"))
            #expect(try await send(world, target, fresh, body: save).status == 200)
            let query: JSON = ["query": ["recordType": "Party"]]
            let found = try await world.call("public/records/query", query, as: try await world.signIn("a"))
            #expect(found.json["records"].elements.count == 2)
        }
    }

    @Test("A query that the signature does not cover sets no device", arguments: [true, false])
    func unsignedQuery(isSigned: Bool) async throws {
        try await withServer(.loopback) { world in
            let pair = P256.Signing.PrivateKey()
            let key = try await world.register(pair.publicKey.pemRepresentation)
            let path = ServerWorld.target("public/records/modify")
            let target = path + "?clientId=phone"
            let save = try batch([create("p")]).encoded()
            let signed = isSigned ? target : path
            var headers = SignedRequest.headers(
                key, Self.date, try pair.sign("\(Self.date):\(SignedRequest.hash(save)):\(signed)"))
            headers["X-Cloudlet-Details"] = "1"
            let saved = try await send(world, target, headers, body: save)
            let device = saved.json["records"][0]["created"]["deviceID"]
            #expect(device == (isSigned ? "phone" : "iCloud"))
        }
    }

    @Test("A signed read is accepted again at once, but not later and not under another date")
    func replay() async throws {
        try await withServer(.loopback) { world in
            let pair = P256.Signing.PrivateKey()
            let key = try await world.register(pair.publicKey.pemRepresentation)
            let headers = SignedRequest.headers(
                key, Self.date, try pair.sign("\(Self.date):\(SignedRequest.hash(Self.body)):\(Self.path)"))
            #expect(try await send(world, Self.path, headers).status == 200)
            #expect(try await send(world, Self.path, headers).status == 200)
            world.clock.advance(bySeconds: 3)
            let used = "401 AUTHENTICATION_FAILED: the signature was used before"
            #expect(try await send(world, Self.path, headers).failure == used)
            var redated = headers
            redated["X-Apple-CloudKit-Request-ISO8601Date"] = "2014-06-02T12:00:01Z"
            #expect(try await send(world, Self.path, redated).failure == Self.refusal)
            let elsewhere = ServerWorld.target("public/records/lookup", environment: "production")
            #expect(try await send(world, elsewhere, headers).failure == Self.refusal)
            world.clock.advance(bySeconds: 602)
            #expect(try await send(world, Self.path, headers).failure == Self.refusal)
        }
    }

    @Test(
        "A key is valid for the public database only, and not together with tokens",
        arguments: Transport.allCases)
    func scope(transport: Transport) async throws {
        try await withServer(transport) { world in
            let pair = P256.Signing.PrivateKey()
            let key = try await world.register(pair.publicKey.pemRepresentation)
            let signed: (String, [UInt8]) throws -> CloudHeaders = { target, body in
                SignedRequest.headers(
                    key, Self.date, try pair.sign("\(Self.date):\(SignedRequest.hash(body)):\(target)"))
            }
            // The error text does not blame the signature.
            for (endpoint, wish) in [
                ("private/zones/list", "the private database"), ("shared/zones/list", "the shared database"),
                ("public/subscriptions/list", "this call"),
            ] {
                let target = ServerWorld.target(endpoint)
                let reply = try await send(world, target, try signed(target, []), method: "GET", body: [])
                #expect(
                    reply.failure
                        == "403 ACCESS_DENIED: the signature is valid, but \(wish) is not open to "
                        + "server-to-server keys", "\(endpoint)")
            }
            let alice = try await world.signIn("alice")
            for extra in ["ckAPIToken=\(String(repeating: "a", count: 64))", "ckWebAuthToken=\(alice.token)"]
            {
                let target = Self.path + "?" + extra
                let reply = try await send(world, target, try signed(target, Self.body))
                #expect(
                    reply.failure
                        == "401 AUTHENTICATION_FAILED: tokens and a signature in one request")
            }
            let save = try batch([create("p1")]).encoded()
            let target = ServerWorld.target("public/records/modify")
            let saved = try await send(world, target, try signed(target, save), body: save)
            let owner = try await world.service.credentials.serverKeys(of: "iCloud.test")[0].owner
            #expect(saved.json["records"][0]["created"]["userRecordName"] == .string(owner))
            #expect(owner != alice.recordName)
        }
    }

    @Test("A missing or repeated signature header is refused", arguments: Transport.allCases)
    func headers(transport: Transport) async throws {
        try await withServer(transport) { world in
            let pair = P256.Signing.PrivateKey()
            let key = try await world.register(pair.publicKey.pemRepresentation)
            let good = SignedRequest.headers(
                key, Self.date, try pair.sign("\(Self.date):\(SignedRequest.hash(Self.body)):\(Self.path)"))
            let given = "401 AUTHENTICATION_FAILED: credentials are missing or given twice"
            for line in good {
                var less = good
                less[line.name] = nil
                #expect(try await send(world, Self.path, less).failure == given, "\(line.name)")
            }
            // In process, the client's header type joins values with equal names.
            guard transport == .socket else { return }
            for line in good {
                var more = good
                more.add(line.name, line.value)
                #expect(try await send(world, Self.path, more).failure == given, "\(line.name)")
            }
        }
    }

    @Test("A revoked key and a key of another container are refused", arguments: Transport.allCases)
    func revoked(transport: Transport) async throws {
        try await withServer(transport) { world in
            let pair = P256.Signing.PrivateKey()
            let key = try await world.register(pair.publicKey.pemRepresentation)
            let other = ServerWorld.target("public/records/lookup", container: "iCloud.other")
            let elsewhere = try pair.sign("\(Self.date):\(SignedRequest.hash(Self.body)):\(other)")
            let foreign = try await send(world, other, SignedRequest.headers(key, Self.date, elsewhere))
            #expect(foreign.failure == Self.refusal)
            let headers = SignedRequest.headers(
                key, Self.date, try pair.sign("\(Self.date):\(SignedRequest.hash(Self.body)):\(Self.path)"))
            #expect(try await send(world, Self.path, headers).status == 200)
            try await world.service.credentials.revokeServerKey(id: key)
            #expect(try await send(world, Self.path, headers).failure == Self.refusal)
            await #expect(throws: RecordError.self) {
                try await world.service.credentials.revokeServerKey(id: key)
            }
        }
    }

    @Test("Only a public key on the curve P-256 can be registered")
    func badKeys() async throws {
        try await withServer(.loopback) { world in
            let p384 = P384.Signing.PrivateKey().publicKey
            let secret = P256.Signing.PrivateKey()
            let texts = [
                "", "key", p384.pemRepresentation, p384.x963Representation.base64EncodedString(),
                secret.pemRepresentation,
            ]
            for text in texts {
                await #expect(throws: RecordError.self) { try await world.register(text) }
            }
            let point = secret.publicKey.x963Representation.base64EncodedString()
            let name = try await world.register(point)
            #expect(name.utf8.count == 64)
        }
    }

    // MARK: Signing

    /// The same signature with the other of the two values that `s` can have.
    static func twin(of signature: [UInt8]) throws -> [UInt8] {
        let order: [UInt8] = [
            0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
            0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
        ]
        let raw = Array(try P256.Signing.ECDSASignature(derRepresentation: signature).rawRepresentation)
        var other = [UInt8](repeating: 0, count: 32)
        var borrow = 0
        for place in (0..<32).reversed() {
            let digit = Int(order[place]) - Int(raw[32 + place]) - borrow
            borrow = digit < 0 ? 1 : 0
            other[place] = UInt8(digit + borrow * 256)
        }
        let twin = try P256.Signing.ECDSASignature(rawRepresentation: raw[..<32] + other)
        return Array(twin.derRepresentation)
    }

}

/// A signed request in parts that can be changed one by one.
private struct SignedParts: Sendable {
    var key: String
    var date: String
    var signature: [UInt8]
    var target: String
    var body: [UInt8]

    func send(to world: ServerWorld) async throws -> Reply {
        try await world.send(
            "POST", target, headers: SignedRequest.headers(key, date, signature), body: body)
    }

    /// The same with one part changed: a byte of the key, date or signature, the query, or white space in the
    /// body. The path still matches the endpoint, so that only the signature can cause a refusal.
    func mutated(using random: inout SeededNumbers) -> SignedParts {
        var parts = self
        switch Int.random(in: 0..<5, using: &random) {
        case 0: parts.key = Self.mutated(Array(key.utf8), Array("0123456789abcdef".utf8), &random)
        case 1: parts.date = Self.mutated(Array(date.utf8), Array("0123456789".utf8), &random)
        case 2:
            repeat {
                parts.signature = Self.mutatedBytes(signature, &random)
            } while parts.signature
                == signature
        case 3:
            let tail = ["c=d", "a=b&a=b", "A=b", "a=B", "a", "", "a=b&", "&a=b", "a=%62"]
            parts.target = target.prefix { $0 != "?" } + "?" + (tail.randomElement(using: &random) ?? "")
        default: parts.body = Self.padded(body, &random)
        }
        return parts
    }

    /// The body with white space somewhere between its members: the same JSON, other bytes.
    private static func padded(_ body: [UInt8], _ random: inout SeededNumbers) -> [UInt8] {
        var body = body
        let places = body.indices.filter { [UInt8(ascii: ":"), UInt8(ascii: ",")].contains(body[$0]) }
        for _ in 0...Int.random(in: 0...4, using: &random) {
            body.insert(0x20, at: (places.randomElement(using: &random) ?? 0) + 1)
        }
        return body
    }

    private static func mutated(_ text: [UInt8], _ letters: [UInt8], _ random: inout SeededNumbers) -> String
    {
        var text = text
        let original = text
        while text == original {
            let at = Int.random(in: 0..<text.count, using: &random)
            text[at] = letters.randomElement(using: &random) ?? 0
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func mutatedBytes(_ bytes: [UInt8], _ random: inout SeededNumbers) -> [UInt8] {
        var bytes = bytes
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes.remove(at: at)
        default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: at)
        }
        return bytes
    }
}
