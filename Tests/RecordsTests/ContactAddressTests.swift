import Records
import Testing

@Suite("Addresses of people")
struct ContactAddressTests {
    @Test(
        "An e-mail address contains neither control characters nor separators of lines",
        arguments: [
            "\u{1}", "\n", "\u{1f}", "\u{7f}", "\u{80}", "\u{85}", "\u{9b}", "\u{9f}", "\u{2028}", "\u{2029}",
        ])
    func controlCharacters(_ character: String) {
        for text in ["a\(character)b@example.org", "a@exam\(character)ple.org"] {
            let error = #expect(throws: RecordError.self) { _ = try ContactAddress(email: text) }
            #expect(error?.code == .badRequest)
            #expect(error?.culprit == text)
        }
    }

    @Test(
        "Printable characters outside ASCII are accepted in an e-mail address",
        arguments: ["\u{a1}", "\u{e9}", "\u{4e2d}"])
    func letters(_ character: String) throws {
        let address = try ContactAddress(email: "a\(character)@example.org")
        #expect(address == .email("a\(character)@example.org"))
    }
}
