import Cloudlet
import CloudletServer
import CloudletTesting
import Crypto
import Foundation
import RecordsWire
import Synchronization
import Testing

@testable import ServerKit
@testable import TestKit

/// A server that sends through a fake push service, with bob's iPhone registered.
private struct PushedWorld {
    let world: ServerWorld
    let apple: FakePushService
    let alice: Person
    let bob: Person
    /// The seconds for which the server has waited.
    let pauses: Pauses
    let publicKey: P256.Signing.PublicKey

    static let device = String(repeating: "0a1B", count: 16)

    final class Pauses: Sendable {
        private let seconds = Mutex<[Int64]>([])

        var all: [Int64] { seconds.withLock { $0 } }

        func add(_ duration: Duration) { seconds.withLock { $0.append(duration.components.seconds) } }
    }

    /// Runs a scenario in which bob gets a push with this `info` for each record that alice creates.
    static func run(info: JSON, _ body: (PushedWorld) async throws -> Void) async throws {
        try await withCertificates { files in
            let key = try P256.Signing.PrivateKey(
                pemRepresentation: String(contentsOfFile: files.path("other-key"), encoding: .utf8))
            try await FakePushService.running(files) { apple, url in
                var settings = ApplePushSettings(
                    key: URL(fileURLWithPath: files.path("other-key")), keyID: "KEY1234567",
                    teamID: "TEAM123456", topic: "org.example.parties")
                settings.address = url
                settings.trustedCertificates = URL(fileURLWithPath: files.path("certificate"))
                let pauses = Pauses()
                try await ServerKit.withServer(
                    .loopback,
                    { [settings] configuration in
                        configuration.applePush = settings
                        configuration.pause = { pauses.add($0) }
                        configuration.idle = { _ in }
                    }
                ) { world in
                    let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
                    try await world.modify("public", [create("p")], as: alice)
                    try await world.subscribe(
                        "public", [subscription("all", on: ["create"]).with(["notificationInfo": info])],
                        as: bob)
                    let it = PushedWorld(
                        world: world, apple: apple, alice: alice, bob: bob, pauses: pauses,
                        publicKey: key.publicKey)
                    try await it.register()
                    try await body(it)
                }
            }
        }
    }

    func register() async throws {
        let reply = try await world.device(
            "tokens/register",
            ["apnsEnvironment": "production", "apnsToken": .string(Self.device), "clientId": "iphone"],
            as: bob)
        #expect(reply.status == 200)
    }

    func save(_ name: String, _ fields: JSON = [:]) async throws {
        try await world.modify("public", [create(name, fields)], as: alice)
    }

    /// Waits until the trace of pushes contains the line.
    func traced(_ line: String) async throws {
        try await until { try await world.trace().contains(line) }
    }

    /// The claims of a provider token, after verifying its signature and header.
    func claims(of delivery: FakePushService.Delivery) throws -> JSON {
        let words = try #require(delivery["authorization"]).split(separator: " ")
        #expect(words.first == "bearer")
        let parts = try #require(words.last).split(separator: ".").map(String.init)
        #expect(parts.count == 3)
        func bytes(_ part: String) throws -> Data {
            let text = part.replacing("-", with: "+").replacing("_", with: "/")
            return try #require(
                Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4)))
        }
        let header = try JSON(Array(bytes(parts[0])))
        #expect(header["alg"] == "ES256")
        #expect(header["kid"] == "KEY1234567")
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: bytes(parts[2]))
        #expect(publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
        return try JSON(Array(bytes(parts[1])))
    }
}

@Suite("Apple's push service", .timeLimit(.minutes(30)))
struct ApplePushTests {
    private static let visible: JSON = [
        "alertBody": "New", "soundName": "default", "shouldBadge": true, "collapseIDKey": "party",
        "additionalFields": ["n"],
    ]

    @Test("A visible push has its headers, its payload and a valid provider token")
    func alert() async throws {
        try await PushedWorld.run(info: Self.visible) { it in
            try await it.save("a", ["n": number(7)])
            let delivery = try await it.apple.next()
            #expect(delivery.path == "/3/device/" + PushedWorld.device.lowercased())
            #expect(delivery["apns-topic"] == "org.example.parties")
            #expect(delivery["apns-push-type"] == "alert")
            #expect(delivery["apns-priority"] == "10")
            // Thirty days after noon (UTC) of 2 June 2014.
            #expect(delivery["apns-expiration"] == String(1_401_710_400 + 30 * 86_400))
            #expect(delivery["apns-collapse-id"] == "party")
            #expect(
                try it.claims(of: delivery) == ["iss": "TEAM123456", "iat": .integer(1_401_710_400)])
            let aps = delivery.payload["aps"]
            #expect(aps["alert"] == ["body": "New"])
            #expect(aps["sound"] == "default")
            #expect(aps["badge"] == 1)
            #expect(delivery.payload["ck"]["qry"]["rid"] == "a")
            #expect(delivery.payload["ck"]["qry"]["af"] == ["n": 7])
            try await it.traced("all iphone sent")
        }
    }

    @Test("A silent push is sent as a background push, and a collapse ID that is too long is hashed")
    func background() async throws {
        let long = String(repeating: "x", count: 65)
        let info: JSON = ["shouldSendContentAvailable": true, "collapseIDKey": .string(long)]
        try await PushedWorld.run(info: info) { it in
            try await it.save("a")
            let delivery = try await it.apple.next()
            #expect(delivery["apns-push-type"] == "background")
            #expect(delivery["apns-priority"] == "5")
            let hash = SHA256.hash(data: Data(long.utf8)).map { String(format: "%02x", $0) }.joined()
            #expect(delivery["apns-collapse-id"] == hash)
            #expect(delivery.payload["aps"]["content-available"] == 1)
            #expect(delivery.payload["aps"]["alert"] == .null)
        }
    }

    @Test("A payload has at most 4096 bytes; the title is removed before the alert")
    func size() async throws {
        let words = String(repeating: "x", count: 3000)
        // As many bytes as a subscription may have. The whole payload exceeds its limit.
        let title = String(repeating: "y", count: 1050)
        let info: JSON = ["alertBody": .string(words), "title": .string(title)]
        try await PushedWorld.run(info: info) { it in
            try await it.save("a")
            let delivery = try await it.apple.next()
            #expect(delivery.bytes <= 4096)
            #expect(delivery.payload["aps"]["alert"] == ["body": .string(words)])
            #expect(delivery.payload["ck"]["p"] == 1)
            #expect(delivery.payload["ck"]["qry"]["rid"] == "a")
        }
    }

    @Test("An unregistered device is removed, unless it has registered again since", arguments: [410, 400])
    func gone(status: Int) async throws {
        try await PushedWorld.run(info: Self.visible) { it in
            if status == 410 {
                // Apple's time is a second before the registration, so the device is kept.
                it.apple.willAnswer(.init(410, "Unregistered", timestamp: 1_401_710_399_000))
                try await it.save("early")
                _ = try await it.apple.next()
                try await it.traced(
                    "all iphone dropped: Apple's push service answered 410 Unregistered")
            }
            let reason = status == 410 ? "ExpiredToken" : "BadDeviceToken"
            it.apple.willAnswer(.init(status, reason, timestamp: status == 410 ? 1_401_710_400_000 : nil))
            try await it.save("a")
            _ = try await it.apple.next()
            try await it.traced("all iphone dropped: Apple's push service answered \(status) \(reason)")
            try await until {
                try await it.world.send("GET", "/push/poll?tok=\(PushedWorld.device)").status == 404
            }
            let before = it.apple.deliveries.count
            try await it.save("b")
            #expect(try await it.world.trace().last == "all matched: no device is registered")
            // The device registers again.
            try await it.register()
            try await it.save("c")
            #expect(try await it.apple.next().payload["ck"]["qry"]["rid"] == "c")
            #expect(it.apple.deliveries.count == before + 1)
        }
    }

    @Test("A device that registers again during a rejected delivery gets the next push")
    func registeredMeanwhile() async throws {
        try await PushedWorld.run(info: Self.visible) { it in
            it.apple.willAnswer(.init(400, "BadDeviceToken"))
            it.apple.willWait {
                it.world.clock.advance(bySeconds: 1)
                try await it.register()
            }
            try await it.save("a")
            _ = try await it.apple.next()
            try await it.traced("all iphone dropped: Apple's push service answered 400 BadDeviceToken")
            try await it.save("b")
            #expect(try await it.apple.next().payload["ck"]["qry"]["rid"] == "b")
        }
    }

    @Test("A provider token is used for fifty minutes, and an expired one is renewed at once")
    func tokens() async throws {
        try await PushedWorld.run(info: Self.visible) { it in
            var tokens: [String?] = []
            for (name, seconds) in [("a", 0.0), ("b", 2999), ("c", 1)] {
                it.world.clock.advance(bySeconds: seconds)
                try await it.save(name)
                tokens.append(try await it.apple.next()["authorization"])
            }
            #expect(tokens[0] == tokens[1])
            #expect(tokens[1] != tokens[2])
            try await it.traced("all iphone sent")
            it.apple.willAnswer(.init(403, "ExpiredProviderToken"))
            try await it.save("d")
            let (refused, again) = (try await it.apple.next(), try await it.apple.next())
            #expect(refused["authorization"] == tokens[2])
            #expect(again["authorization"] != tokens[2])
            #expect(again.payload == refused.payload)
            #expect(try it.claims(of: again)["iat"] == .integer(1_401_710_400 + 3000))
            #expect(it.pauses.all == [])
        }
    }

    @Test("A failed delivery is repeated after the time that the push service asks for")
    func trouble() async throws {
        try await PushedWorld.run(info: Self.visible) { it in
            it.apple.willAnswer(
                .init(429, "TooManyRequests"), .init(503, "ServiceUnavailable", retryAfter: "120"),
                .init(500, "InternalServerError"))
            try await it.save("a")
            for _ in 1...4 { #expect(try await it.apple.next().payload["ck"]["qry"]["rid"] == "a") }
            try await it.traced("all iphone sent")
            #expect(it.pauses.all == [2, 120, 8])
            #expect(
                try await it.world.trace().filter { $0.contains("iphone queued:") } == [
                    "all iphone queued: Apple's push service answered 429 TooManyRequests; again in 2 s",
                    "all iphone queued: Apple's push service answered 503 ServiceUnavailable; again in 120 s",
                    "all iphone queued: Apple's push service answered 500 InternalServerError; again in 8 s",
                ])
            // A push that can never succeed is dropped, and the next one is sent.
            it.apple.willAnswer(.init(400, "BadTopic"))
            try await it.save("b")
            #expect(try await it.apple.next().payload["ck"]["qry"]["rid"] == "b")
            try await it.traced("all iphone dropped: Apple's push service answered 400 BadTopic")
            try await it.save("c")
            #expect(try await it.apple.next().payload["ck"]["qry"]["rid"] == "c")
        }
    }

    @Test("A push is delivered to the device token that an app registered, and to its courier")
    func client() async throws {
        try await PushedWorld.run(info: Self.visible) { it in
            var connection = CloudConnection(
                transport: it.world.server.transport, deviceName: "watch",
                assetFolder: it.world.server.dataFolder.appendingPathComponent("watch"))
            connection = try await connection.signingIn(as: "bob")
            let container = CKContainer(identifier: "iCloud.test", connection: connection)
            let token = Data((0..<32).map { UInt8($0) })
            try await container.registerDeviceToken(token)
            let courier = try await it.world.courier(of: it.bob, on: "watch")
            try await it.save("a")
            let paths = [try await it.apple.next().path, try await it.apple.next().path]
            let hex = token.map { String(format: "%02x", $0) }.joined()
            #expect(Set(paths) == ["/3/device/" + hex, "/3/device/" + PushedWorld.device.lowercased()])
            #expect(try await it.world.polled(courier) == "a")
            let error = await #expect(throws: CKError.self) {
                try await container.registerDeviceToken(Data([1, 2, 3]))
            }
            #expect(error?.code == .invalidArguments)
        }
    }

    @Test("A server with an unusable push key does not start, and the error says what is wrong with the key")
    func badKey() async throws {
        try await withCertificates { files in
            for (name, reason) in [("none", "cannot be read"), ("certificate", "contains no private key")] {
                var configuration = ServerConfiguration.ephemeral
                configuration.applePush = ApplePushSettings(
                    key: URL(fileURLWithPath: files.path(name)), keyID: "K", teamID: "T", topic: "t")
                let error = await #expect(throws: ServerError.self) {
                    _ = try await CloudletServer.start(configuration)
                }
                #expect(error?.code == .pushKeyUnusable)
                #expect(error?.reason.contains(reason) == true)
            }
            let half = try await Program.cloudlet("serve", "--ephemeral", "--apns-key", "k")
            #expect(half.code == 2)
            #expect(half.errors.contains("belong together; give all four"))
            let served = try Command(
                "serve", "--ephemeral", "--port", "0", "--apns-key", files.path("other-key"),
                "--apns-key-id", "K", "--apns-team-id", "T", "--apns-topic", "t")
            _ = try await served.waitForOutput("ready\n")
            #expect(await served.stop().code == 0)
        }
    }
}
