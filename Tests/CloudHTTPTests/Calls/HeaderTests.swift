import CloudletServer
import Foundation
import RecordsWire
import Synchronization
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Headers", .timeLimit(.minutes(30)))
struct HeaderTests {
    private static let exposed =
        "X-Apple-Request-UUID,X-Apple-CloudKit-Web-Auth-Token,X-Responding-Instance,Via"

    @Test("A closed server accepts preflight requests from all origins")
    func preflight() async throws {
        try await serving({ $0.access = .closed }) { world in
            for target in [ServerWorld.target("public/records/query"), "/assets/x", "/", "/dev/sign-in"] {
                let reply = try await world.send(
                    "OPTIONS", target, headers: ["Origin": "https://app.example"])
                #expect(reply.status == 200, "\(target)")
                #expect(reply.headers["Access-Control-Allow-Origin"] == "*")
                #expect(reply.headers["Access-Control-Allow-Methods"]?.contains("GET, POST, OPTIONS") == true)
                #expect(reply.headers["Access-Control-Allow-Headers"]?.contains("content-type") == true)
                #expect(reply.headers["Access-Control-Expose-Headers"]?.hasPrefix(Self.exposed) == true)
                #expect(reply.bytes.isEmpty)
            }
        }
    }

    @Test("Answers of the web services, also errors, are JSON that pages of all origins can read")
    func webServices() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let good = try await world.get("public/users/caller", as: alice)
            let bad = try await world.get("public/users/caller")
            for reply in [good, bad] {
                #expect(reply.headers["Content-Type"] == "application/json; charset=UTF-8")
                #expect(reply.headers["Access-Control-Allow-Origin"] == "*")
                #expect(reply.headers["Access-Control-Expose-Headers"]?.hasPrefix(Self.exposed) == true)
                #expect(reply.headers["X-Apple-CloudKit-Version"] == "1.0")
                #expect(UUID(uuidString: reply.headers["X-Apple-Request-UUID"] ?? "") != nil)
            }
            #expect(bad.json["uuid"] == JSON(bad.headers["X-Apple-Request-UUID"]))
            #expect(good.headers["X-Apple-Request-UUID"] != bad.headers["X-Apple-Request-UUID"])
        }
    }

    @Test("Every answer contains the time that the server took, in milliseconds")
    func timing() async throws {
        // The n-th reading of the clock returns n² steps, so that all differences are distinct.
        let configure: @Sendable (inout ServerConfiguration) -> Void = { configuration in
            let clicks = Mutex(0)
            configuration.uptime = {
                clicks.withLock { count in
                    count += 1
                    return .microseconds(1025 * count * count)
                }
            }
        }
        try await serving(configure) { world in
            for expected in ["total;dur=3.075", "total;dur=7.175", "total;dur=11.275"] {
                let reply = try await world.get("public/users/caller")
                #expect(reply.headers["Server-Timing"] == expected)
            }
            for target in ["/limits", "/assets/x", "/share/x", "/console", "/nowhere"] {
                let reply = try await world.send("GET", target)
                #expect(reply.headers["Server-Timing"]?.hasPrefix("total;dur=") == true, "\(target)")
            }
        }
    }

    @Test("An answer returns a valid web auth token in a header, and no invalid one")
    func webAuthToken() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let caller = try await world.get("public/users/caller", as: alice)
            #expect(caller.headers["X-Apple-CloudKit-Web-Auth-Token"] == alice.token)
            let refused = try await world.call("private/zones/lookup", ["zones": 3], as: alice)
            #expect(refused.status == 400)
            #expect(refused.headers["X-Apple-CloudKit-Web-Auth-Token"] == alice.token)
            let anonymous = try await world.get("public/zones/list")
            #expect(anonymous.headers["X-Apple-CloudKit-Web-Auth-Token"] == nil)
            let eve = Person(name: "eve", token: "made-up", recordName: "_")
            let forged = try await world.get("public/users/caller", as: eve)
            #expect(forged.failure == "401 AUTHENTICATION_FAILED: the web auth token is not valid")
            #expect(forged.headers["X-Apple-CloudKit-Web-Auth-Token"] == nil)
        }
    }
}
