import CloudletServer
import Records
import RecordsWire
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Tokens and names of devices", .timeLimit(.minutes(30)))
struct DeviceNameTests {
    private func device(_ text: String, client: String? = nil) -> PushToken {
        PushToken(
            text: text, service: .production, container: "c", environment: .production, user: "u",
            client: client, created: Timestamp(milliseconds: 0))
    }

    @Test("A device token of Apple's push service has ASCII digits only")
    func digits() {
        #expect(device(String(repeating: "0a1B", count: 16)).deviceToken != nil)
        #expect(device(String(repeating: "\u{FF10}\u{FF21}", count: 32)).deviceToken == nil)
        #expect(device(String(repeating: "0a1\u{FF22}", count: 16)).deviceToken == nil)
    }

    @Test("Log lines contain a device's name only if it has no control characters")
    func logged() {
        let text = String(repeating: "0a1B", count: 16)
        #expect(PushDispatch.name(of: device(text, client: "Ann's phone")) == "Ann's phone")
        for client in ["phone\nan error", "\u{1B}[2J", "phone\u{202E}"] {
            #expect(PushDispatch.name(of: device(text, client: client)) == "0a1B0a")
        }
        #expect(PushDispatch.name(of: device(text)) == "0a1B0a")
    }

    @Test("A clientId with control characters is refused, in a body and in a URL")
    func refused() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            let reason = "400 BAD_REQUEST: a clientId must have at most 255 bytes and no control characters"
            for (name, encoded) in [("a\u{1}b", "a%01b"), ("a\nb", "a%0Ab"), ("a\u{7F}b", "a%7Fb")] {
                let body: JSON = ["apnsEnvironment": "development", "clientId": .string(name)]
                let created = try await world.device("tokens/create", body, as: alice)
                #expect(created.failure == reason)
                let saved = try await world.call(
                    "public/records/modify", batch([create("p")]), as: alice,
                    parameters: "clientId=\(encoded)", headers: ["X-Cloudlet-Details": "1"])
                #expect(saved.failure == reason)
                #expect(saved.json["cloudlet"]["culprit"] == "clientId")
            }
            let body: JSON = ["apnsEnvironment": "development", "clientId": "Ann's ph\u{f6}ne"]
            #expect(try await world.device("tokens/create", body, as: alice).status == 200)
        }
    }
}
