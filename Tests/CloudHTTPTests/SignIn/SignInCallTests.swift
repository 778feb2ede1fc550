import CloudletServer
import Records
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Calls to sign in", .timeLimit(.minutes(30)))
struct SignInCallTests {
    private static func body(bytes count: Int) -> [UInt8] {
        let object = #"{"a":""}"#
        let filler = String(repeating: "x", count: count - object.utf8.count)
        return Array(#"{"a":"\#(filler)"}"#.utf8)
    }

    @Test("A body has at most 16 KiB")
    func size() async throws {
        try await serving { world in
            let most = try await world.send("POST", "/sign-in/end", body: Self.body(bytes: 16_384))
            #expect(most.status == 200)
            let refused = try await world.send("POST", "/sign-in/end", body: Self.body(bytes: 16_385))
            #expect(refused.failure.contains("16384 bytes"), "\(refused.text)")
        }
    }

    @Test(
        "A text with the character NUL is refused",
        arguments: [
            #"{"a":"\u0000"}"#, #"{"a":"x\u0000y","b":1}"#, #"{"\u0000":1}"#, #"{"a":"\\\u0000"}"#,
        ])
    func nul(body: String) async throws {
        try await serving { world in
            let refused = try await world.send("POST", "/sign-in/end", body: Array(body.utf8))
            let reason = "400 BAD_REQUEST: a text of the request contains the character NUL"
            #expect(refused.failure == reason)
            // The last one is the text `\u0000`, whose backslash is escaped.
            for text in [#"{"a":"\u0001"}"#, #"{"a":"\\","b":"u0000"}"#, #"{"a":"\\u0000"}"#] {
                let other = try await world.send("POST", "/sign-in/end", body: Array(text.utf8))
                #expect(other.status == 200, "\(text)")
            }
        }
    }

    @Test("A call is charged to the rate of its address, even if its body is refused")
    func rate() async throws {
        try await withServer(.socket, { $0.limits.addressRate = RequestRate(requests: 3, seconds: 60) }) {
            world in
            for _ in 0..<3 { #expect(try await world.send("POST", "/sign-in/end", body: [1]).status == 400) }
            let refused = try await world.send("POST", "/sign-in/end", body: [1])
            #expect(refused.status == 429)
        }
    }
}
