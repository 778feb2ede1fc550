import Records
import Testing

@testable import CloudService

@Suite("Tokens and names of devices")
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
}
