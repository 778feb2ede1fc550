import HTTPTypes
import Testing

@testable import CloudHTTP

@Suite("Trusted proxies")
struct TrustedProxyTests {
    private func client(
        _ connection: String, _ fields: HTTPFields, trusting ranges: [String] = ["127.0.0.1", "10.0.0.0/8"]
    ) -> String? {
        let proxies = TrustedProxies(ranges.compactMap { AddressRange($0) })
        return proxies.client(of: NetworkAddress(connection), fields)?.limitKey
    }

    @Test(
        "The client's address is the last entry that is not a trusted proxy",
        arguments: [
            ("127.0.0.1", "203.0.113.5", "203.0.113.5"),
            ("127.0.0.1", "6.6.6.6, 203.0.113.5", "203.0.113.5"),
            ("127.0.0.1", "6.6.6.6, 203.0.113.5, 10.1.2.3", "203.0.113.5"),
            ("127.0.0.1", "6.6.6.6,203.0.113.5,10.1.2.3,127.0.0.1", "203.0.113.5"),
            ("::ffff:127.0.0.1", "203.0.113.5", "203.0.113.5"),
            ("127.0.0.1", "::ffff:203.0.113.5", "203.0.113.5"),
            ("127.0.0.1", "2001:db8:1:2:3::1", "2001:db8:1:2::/64"),
            ("127.0.0.1", "203.0.113.5:4711", "203.0.113.5"),
            ("127.0.0.1", "[2001:db8::1]:4711", "2001:db8:0:0::/64"),
            ("127.0.0.1", " \t203.0.113.5 ", "203.0.113.5"),
            // All are trusted: the first entry is the client's.
            ("127.0.0.1", "10.0.0.7, 10.0.0.8", "10.0.0.7"),
            // An entry that cannot be parsed ends the search at the proxy that added it.
            ("127.0.0.1", "203.0.113.5, unknown", "127.0.0.1"),
            ("127.0.0.1", "203.0.113.5, unknown, 10.0.0.8", "10.0.0.8"),
            ("127.0.0.1", "203.0.113.5,", "127.0.0.1"), ("127.0.0.1", "", "127.0.0.1"),
            ("127.0.0.1", "203.0.113.5, 1.2.3.4:x:y", "127.0.0.1"),
            ("127.0.0.1", "6.6.6.6, [2001:db8::1]x", "127.0.0.1"),
            // A combining mark next to a comma does not hide the proxy's entry.
            ("127.0.0.1", "[2001:db8::1]\u{600}, 203.0.113.5", "203.0.113.5"),
            ("127.0.0.1", "6.6.6.6\u{301}, 10.0.0.8", "10.0.0.8"),
            // The headers of other clients are ignored.
            ("198.51.100.7", "203.0.113.5", "198.51.100.7"), ("127.0.0.2", "203.0.113.5", "127.0.0.2"),
        ])
    func forwardedFor(connection: String, header: String, expected: String) {
        #expect(client(connection, [.xForwardedFor: header]) == expected)
    }

    @Test(
        "The header Forwarded is parsed according to RFC 7239",
        arguments: [
            ("for=203.0.113.5;proto=https;by=10.0.0.1", "203.0.113.5"),
            ("proto=https; For=\"203.0.113.5:4711\"", "203.0.113.5"),
            ("for=6.6.6.6, for=\"[2001:db8:1:2::9]:80\"", "2001:db8:1:2::/64"),
            ("for=6.6.6.6;x=\", for=203.0.113.5", "203.0.113.5"),
            ("for=203.0.113.5, for=10.2.2.2;by=127.0.0.1", "203.0.113.5"),
            ("for=\"[2001:db8::1]\"\u{600}, for=203.0.113.5", "203.0.113.5"),
            ("for=203.0.113.5, for=_hidden", "127.0.0.1"), ("for=unknown", "127.0.0.1"),
            ("proto=https", "127.0.0.1"), ("for=\"", "127.0.0.1"), ("for=[", "127.0.0.1"),
        ])
    func forwarded(header: String, expected: String) {
        #expect(client("127.0.0.1", [.forwarded: header]) == expected)
    }

    @Test("If both headers agree, either is used; if they contradict each other, both are ignored")
    func both() {
        let one: HTTPField.Name = .xForwardedFor
        let agreeing: HTTPFields = [one: "203.0.113.5", .forwarded: "for=203.0.113.5"]
        #expect(client("127.0.0.1", agreeing) == "203.0.113.5")
        let differing: HTTPFields = [one: "203.0.113.5", .forwarded: "for=6.6.6.6"]
        #expect(client("127.0.0.1", differing) == "127.0.0.1")
    }

    @Test("Several lines of one header form one list")
    func lines() {
        var fields = HTTPFields()
        for value in ["6.6.6.6", "203.0.113.5", "10.0.0.8"] {
            fields.append(HTTPField(name: .xForwardedFor, value: value))
        }
        #expect(client("127.0.0.1", fields) == "203.0.113.5")
    }

    @Test("Without trusted proxies the headers are ignored, and requests from this process have no address")
    func nobody() {
        let fields: HTTPFields = [.xForwardedFor: "6.6.6.6", .forwarded: "for=6.6.6.6"]
        #expect(client("127.0.0.1", fields, trusting: []) == "127.0.0.1")
        #expect(TrustedProxies().client(of: nil, fields) == nil)
    }

    @Test("A list of 100,000 entries is read")
    func long() {
        let hops = String(repeating: "10.0.0.8,", count: 100_000)
        #expect(client("127.0.0.1", [.xForwardedFor: "203.0.113.5," + hops + "10.0.0.9"]) == "203.0.113.5")
    }
}
